/** Connections to one node over undici: a pool for read-only calls, and a connection of its own for each other call. */
import type { Socket } from 'node:net';
import { buildConnector, Client, type Dispatcher, Pool } from 'undici';
import { AppError } from '../../../shared/model/errors.ts';
import type { NodeAddress } from '../../../shared/model/node.ts';
import type { Authorization, Peer } from './credentials.ts';
import {
  isJoinedHere,
  isThisMachine,
  listenerAt,
  readListeners,
  readSocketTable,
  type SocketTable,
} from './listeners.ts';
import { cannotConnectError, connectionClosedError, listenerChangedError } from './rpcErrors.ts';

export interface Connections {
  /**
   * Calls `exchange` with a connection that was admitted for this login object. A `readOnly` call may share a pooled
   * connection; any other call gets its own, or that of `single`. `exchange` throws AppError `cannot_connect` if
   * nothing was sent.
   */
  use<T>(login: Authorization, readOnly: boolean, exchange: (over: Dispatcher) => Promise<T>): Promise<T>;
  /**
   * One connection for all calls, and so to one program. After it ends, calls throw AppError `cannot_connect`: it
   * neither reconnects nor sends another login. The caller closes it.
   */
  single(): Connections;
  /** Aborts running calls. */
  close(): Promise<void>;
}

interface ConnectionsOptions {
  readonly address: NodeAddress;
  readonly origin: string;
  /** Milliseconds to connect. */
  readonly connectTimeoutMs: number;
  /** Checks the peer of each new connection before anything is sent. Throws AppError to refuse it. */
  admit(peer: Peer): void;
}

export function createConnections(options: ConnectionsOptions): Connections {
  const { address, origin } = options;
  const connectFor = admittingConnector(options);
  // A long call may take hours, so undici's limits of 300 s must not apply.
  const patient = { headersTimeout: 0, bodyTimeout: 0 } as const;
  const open = new Set<Pool | Client>();
  let kept: { readonly login: Authorization; readonly pool: Pool } | null = null;

  /** A peer is admitted for one login only, so a new login gets new connections. */
  function poolFor(login: Authorization): Pool {
    if (kept?.login === login) return kept.pool;
    if (kept !== null) retire(kept.pool);
    const pool = new Pool(origin, {
      ...patient,
      connect: connectFor(login),
      connections: CONNECTIONS,
      keepAliveTimeout: IDLE_MS,
    });
    open.add(pool);
    kept = { login, pool };
    return pool;
  }

  /** Running calls still get their answers. */
  function retire(pool: Pool): void {
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
        if (connected) return callback(connectionClosedError(address), null);
        connected = true;
        connect(how, callback);
      }, 1);
      return { login, client };
    }

    return {
      async use(login, _, exchange) {
        only ??= openOnce(login);
        // A node that restarts gets a new login, so another login means another run of the node.
        if (only.login !== login) throw connectionClosedError(address);
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
      // The node may close a pooled connection just when it is reused, and nobody could say whether the call arrived.
      // On a new connection, a failure to connect means that nothing was sent.
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

/** Fewer than the 16 calls that a node queues for its four RPC threads by default. */
const CONNECTIONS = 12;
const KEEP_ALIVE_PROBE_MS = 30_000;
/** Longer than between two polls, because each new connection looks up who listens; nodes keep one for 30 s (`-rpcservertimeout`). */
const IDLE_MS = 20_000;

/** Makes connectors that check each new connection for one login, and fail with an AppError. */
function admittingConnector({ address, connectTimeoutMs, admit }: ConnectionsOptions) {
  // Probes keep idle connections alive in routers, and detect a lost peer.
  const plain = buildConnector({
    timeout: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
  });

  return (login: Authorization): buildConnector.connector =>
    (how, callback) => {
      const refuse = (thrown: unknown) =>
        callback(thrown instanceof AppError ? thrown : cannotConnectError(address, thrown), null);
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
 * The program at the other end. If the same socket listened before and after connecting, it has the connection: an
 * open listening socket is never handed on. Throws AppError if the listener changed in between.
 */
function peerOf(address: NodeAddress, before: SocketTable | null, socket: Socket): Peer {
  const { remoteAddress: host = '', remotePort: port = 0, localAddress = '', localPort = 0 } = socket;
  const here = isThisMachine(host);
  const after = here ? readListeners(host, port) : null;
  if (before === null || after === null) return { here, listener: null };
  const listened = listenerAt(before, host, port);
  const listener = listenerAt(after, host, port);
  const near = { host: localAddress, port: localPort };
  if (listened?.socket !== listener?.socket) throw listenerChangedError(address);
  // A program that stopped listening at once may still have the connection.
  if (listener === null && isJoinedHere(readSocketTable() ?? [], { host, port }, near))
    throw listenerChangedError(address);
  return { here, listener };
}
