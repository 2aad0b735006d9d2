/** HTTP POST over undici: kept-alive connections for questions, one of its own for each call that changes something. */
import type { Socket } from 'node:net';
import { buildConnector, Client, type Dispatcher, errors, Pool } from 'undici';
import { AppError } from '../../../shared/errors.ts';
import type { NodeAddress } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';
import { readBoundedBody } from '../../http/boundedBody.ts';
import type { Authorization, HttpLine, HttpLineLimits, HttpQuestion, Peer } from './httpLine.ts';
import {
  answerTooLarge,
  cannotConnect,
  changedHands,
  connectionLost,
  lineClosed,
  notANode,
} from './lineErrors.ts';
import { isJoinedHere, isThisMachine, listenerAt, readSocketTable, type SocketTable } from './listeners.ts';

/** `origin` is that of `address`. */
export function createUndiciLine(origin: string, address: NodeAddress, limits: HttpLineLimits): HttpLine {
  const { connectFor, failedToConnect } = watchedConnector(address, limits);
  // A long call is answered when it ends, hours later if need be: undici's own limits of 300 s must not cut it.
  const patient = { headersTimeout: 0, bodyTimeout: 0 } as const;
  const open = new Set<Pool | Client>();
  let kept: { readonly authorization: Authorization; readonly pool: Pool } | null = null;

  /** Who was admitted for one login was not for another, so a new login is asked with over new connections only. */
  function poolFor(authorization: Authorization): Pool {
    if (kept?.authorization === authorization) return kept.pool;
    if (kept !== null) leave(kept.pool);
    const connect = connectFor(authorization);
    const pool = new Pool(origin, { ...patient, connect, connections: CONNECTIONS });
    open.add(pool);
    kept = { authorization, pool };
    return pool;
  }

  /** What was asked over it is still answered. */
  function leave(pool: Pool): void {
    const left = () => open.delete(pool);
    pool.close().then(left, left);
  }

  async function end(client: Client): Promise<void> {
    open.delete(client);
    await client.destroy();
  }

  async function exchange(dispatcher: Dispatcher, question: HttpQuestion, signal: AbortSignal) {
    try {
      const { statusCode, headers, body } = await dispatcher.request({
        path: question.path,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(question.authorization.header === null ? {} : { authorization: question.authorization.header }),
        },
        body: question.body,
        signal,
      });
      const text = await readBoundedBody(body, limits.maxAnswerBytes);
      if (text === null) throw answerTooLarge(question.method);
      const asks = headers['www-authenticate'];
      return { status: statusCode, text, realm: typeof asks === 'string' ? asks : null };
    } catch (thrown) {
      if (thrown instanceof AppError || signal.aborted) throw thrown;
      if (failedToConnect(thrown)) throw cannotConnect(address, thrown);
      if (isNotHttp(thrown)) throw notANode(address, say('it does not speak HTTP'));
      throw connectionLost(question.method, !question.readOnly);
    }
  }

  return {
    async post(question, signal) {
      const { authorization } = question;
      if (question.readOnly) return exchange(poolFor(authorization), question, signal);
      // A kept connection may be closed by the node in the very moment it is used again, and no one could tell
      // whether the call arrived. On a fresh one a failure to connect means that nothing was sent.
      const client = new Client(origin, { ...patient, connect: connectFor(authorization), pipelining: 0 });
      open.add(client);
      try {
        return await exchange(client, question, signal);
      } finally {
        await end(client);
      }
    },
    single: async () => singleLine(),
    async close() {
      await Promise.all([...open].map((each) => each.destroy()));
    },
  };

  function singleLine(): HttpLine {
    let line: { readonly authorization: Authorization; readonly client: Client } | null = null;

    function lineFor(authorization: Authorization) {
      let connected = false;
      const connect = connectFor(authorization);
      const client = new Client(origin, {
        ...patient,
        pipelining: 1,
        connect: (options, callback) => {
          if (connected) return callback(lineClosed(address), null);
          connected = true;
          connect(options, callback);
        },
      });
      open.add(client);
      return { authorization, client };
    }

    return {
      async post(question, signal) {
        line ??= lineFor(question.authorization);
        // It is of another run of the node.
        if (line.authorization !== question.authorization) throw lineClosed(address);
        return exchange(line.client, question, signal);
      },
      single: async () => singleLine(),
      async close() {
        if (line !== null) await end(line.client);
      },
    };
  }
}

/** Below the 16 calls that a node lets wait for its four RPC threads by default. */
const CONNECTIONS = 8;
const KEEP_ALIVE_PROBE_MS = 30_000;

/** Connectors that have each connection admitted for one login, and remember which errors came before anything could be sent. */
function watchedConnector(address: NodeAddress, { connectTimeoutMs, admit }: HttpLineLimits) {
  const failures = new WeakSet<object>();
  // Probes keep routers from forgetting a line that is silent for hours, and tell when the other end is gone.
  const plain = buildConnector({
    timeout: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
  });

  async function refusalOf(
    authorization: Authorization,
    before: SocketTable | null,
    socket: Socket,
  ): Promise<Error | null> {
    try {
      const peer = await peerOf(address, before, socket);
      authorization.admit(peer);
      admit(peer);
      return socket.destroyed ? new Error('closed while it was looked at') : null;
    } catch (thrown) {
      return thrown instanceof Error ? thrown : new Error('refused');
    }
  }

  const connectFor =
    (authorization: Authorization): buildConnector.connector =>
    (options, callback) => {
      const refuse = (refusal: Error) => {
        failures.add(refusal);
        callback(refusal, null);
      };
      readSocketTable().then(
        (before) =>
          plain(options, (error, socket) => {
            if (error !== null) return refuse(error);
            // An answer before the question is for undici to see once it has asked: it takes up reading by itself.
            socket.pause();
            void refusalOf(authorization, before, socket).then((refusal) => {
              if (refusal === null) return callback(null, socket);
              socket.destroy();
              refuse(refusal);
            });
          }),
        (thrown: unknown) => refuse(thrown instanceof Error ? thrown : new Error('refused')),
      );
    };
  return {
    connectFor,
    failedToConnect: (thrown: unknown) => thrown instanceof Error && failures.has(thrown),
  };
}

/**
 * Who is at the other end. Who listened before the connection stood and listens after it did, has it: a listening
 * socket is never handed on while it is open. Throws AppError where the port changed hands in between.
 */
async function peerOf(address: NodeAddress, before: SocketTable | null, socket: Socket): Promise<Peer> {
  const { remoteAddress: host = '', remotePort: port = 0, localAddress = '', localPort = 0 } = socket;
  const here = isThisMachine(host);
  const after = here ? await readSocketTable() : null;
  if (before === null || after === null) return { here, listener: null };
  const listened = listenerAt(before, host, port);
  const listener = listenerAt(after, host, port);
  const ends = { host, port, nearHost: localAddress, nearPort: localPort };
  if (listened?.socket !== listener?.socket) throw changedHands(address);
  // Who stops listening at once has the connection all the same.
  if (listener === null && isJoinedHere(after, ends)) throw changedHands(address);
  return { here, listener };
}

function isNotHttp(thrown: unknown): boolean {
  return thrown instanceof errors.HTTPParserError || thrown instanceof errors.HeadersOverflowError;
}
