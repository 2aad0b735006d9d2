/** Connections to one node over undici: kept-alive ones for questions, one of its own for each call that changes something. */
import type { Socket } from 'node:net';
import { buildConnector, Client, type Dispatcher, Pool } from 'undici';
import { AppError } from '../../../shared/model/errors.ts';
import type { NodeAddress } from '../../../shared/model/node.ts';
import { cannotConnect, connectionClosed, listenerChanged } from './connectionErrors.ts';
import type { Authorization, Peer } from './credentials.ts';
import {
  isJoinedHere,
  isThisMachine,
  listenerAt,
  readListeners,
  readSocketTable,
  type SocketTable,
} from './listeners.ts';

export interface Connections {
  /**
   * Has `exchange` ask over a connection that was made for this login: the same object while it is the same login. What is
   * `readOnly` may go over a kept one; anything else goes over one of its own, or over that of `single`. `exchange` throws
   * AppError `cannot_connect` when nothing was sent.
   */
  use<T>(login: Authorization, readOnly: boolean, exchange: (over: Dispatcher) => Promise<T>): Promise<T>;
  /**
   * One connection for all, to one and the same program: where that is gone, AppError `cannot_connect`, and no other is
   * opened, nor is another login than the first sent. To be closed after use.
   */
  single(): Connections;
  /** Cuts what is on its way. */
  close(): Promise<void>;
}

interface ConnectionsOptions {
  readonly address: NodeAddress;
  /** That of `address`. */
  readonly origin: string;
  /** Milliseconds until a connection must stand. */
  readonly connectTimeoutMs: number;
  /** Looks at each new connection that its login may go over, before anything is sent. Throws AppError to refuse it. */
  admit(peer: Peer): void;
}

export function createConnections(options: ConnectionsOptions): Connections {
  const { address, origin } = options;
  const connectFor = admittingConnector(options);
  // A long call is answered when it ends, hours later if need be: undici's own limits of 300 s must not cut it.
  const patient = { headersTimeout: 0, bodyTimeout: 0 } as const;
  const open = new Set<Pool | Client>();
  let kept: { readonly login: Authorization; readonly pool: Pool } | null = null;

  /** Who was admitted for one login was not for another, so a new login is asked with over new connections only. */
  function poolFor(login: Authorization): Pool {
    if (kept?.login === login) return kept.pool;
    if (kept !== null) leave(kept.pool);
    const pool = new Pool(origin, { ...patient, connect: connectFor(login), connections: CONNECTIONS });
    open.add(pool);
    kept = { login, pool };
    return pool;
  }

  /** What was asked over it is still answered. */
  function leave(pool: Pool): void {
    const left = () => open.delete(pool);
    pool.close().then(left, left);
  }

  function newClient(connect: buildConnector.connector, pipelining: number): Client {
    const client = new Client(origin, { ...patient, connect, pipelining });
    open.add(client);
    return client;
  }

  async function end(client: Client): Promise<void> {
    open.delete(client);
    await client.destroy();
  }

  function single(): Connections {
    let only: { readonly login: Authorization; readonly client: Client } | null = null;

    function openOnce(login: Authorization) {
      let connected = false;
      const connect = connectFor(login);
      const client = newClient((how, callback) => {
        if (connected) return callback(connectionClosed(address), null);
        connected = true;
        connect(how, callback);
      }, 1);
      return { login, client };
    }

    return {
      async use(login, _, exchange) {
        only ??= openOnce(login);
        // It is of another run of the node.
        if (only.login !== login) throw connectionClosed(address);
        return exchange(only.client);
      },
      single,
      async close() {
        if (only !== null) await end(only.client);
      },
    };
  }

  return {
    async use(login, readOnly, exchange) {
      if (readOnly) return exchange(poolFor(login));
      // A kept connection may be closed by the node in the very moment it is used again, and no one could tell
      // whether the call arrived. On a fresh one a failure to connect means that nothing was sent.
      const client = newClient(connectFor(login), 0);
      try {
        return await exchange(client);
      } finally {
        await end(client);
      }
    },
    single,
    async close() {
      await Promise.all([...open].map((each) => each.destroy()));
    },
  };
}

/** Below the 16 calls that a node lets wait for its four RPC threads by default. */
const CONNECTIONS = 8;
const KEEP_ALIVE_PROBE_MS = 30_000;

/** Makes connectors that have each connection admitted for one login, and that fail with an AppError. */
function admittingConnector({ address, connectTimeoutMs, admit }: ConnectionsOptions) {
  // Probes keep routers from forgetting a line that is silent for hours, and tell when the other end is gone.
  const plain = buildConnector({
    timeout: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
  });

  return (login: Authorization): buildConnector.connector =>
    (how, callback) => {
      const refuse = (thrown: unknown) =>
        callback(thrown instanceof AppError ? thrown : cannotConnect(address, thrown), null);
      try {
        const before = readListeners(address.host, address.port);
        plain(how, (error, socket) => {
          if (error !== null) return refuse(error);
          try {
            const peer = peerOf(address, before, socket);
            login.admit(peer);
            admit(peer);
          } catch (thrown) {
            socket.destroy();
            return refuse(thrown);
          }
          callback(null, socket);
        });
      } catch (thrown) {
        refuse(thrown);
      }
    };
}

/**
 * Who is at the other end. Who listened before the connection stood and listens after it did, has it: a listening
 * socket is never handed on while it is open. Throws AppError where the port changed hands in between.
 */
function peerOf(address: NodeAddress, before: SocketTable | null, socket: Socket): Peer {
  const { remoteAddress: host = '', remotePort: port = 0, localAddress = '', localPort = 0 } = socket;
  const here = isThisMachine(host);
  const after = here ? readListeners(host, port) : null;
  if (before === null || after === null) return { here, listener: null };
  const listened = listenerAt(before, host, port);
  const listener = listenerAt(after, host, port);
  const ends = { host, port, nearHost: localAddress, nearPort: localPort };
  if (listened?.socket !== listener?.socket) throw listenerChanged(address);
  // Who stops listening at once has the connection all the same.
  if (listener === null && isJoinedHere(readSocketTable() ?? [], ends)) throw listenerChanged(address);
  return { here, listener };
}
