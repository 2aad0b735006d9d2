/** HTTP POST over undici: kept-alive connections for questions, one of its own for each call that changes something. */
import type { Socket } from 'node:net';
import { buildConnector, Client, type Dispatcher, errors, Pool } from 'undici';
import { AppError } from '../../../shared/errors.ts';
import type { NodeAddress } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';
import { readBoundedBody } from '../../http/boundedBody.ts';
import type { HttpLine, HttpLineLimits, HttpQuestion, Peer } from './httpLine.ts';
import {
  answerTooLarge,
  cannotConnect,
  changedHands,
  connectionLost,
  lineClosed,
  notANode,
} from './lineErrors.ts';
import { isJoinedHere, isOwnAddress, listenerAt, readSocketTable, type SocketTable } from './listeners.ts';

/** `origin` is that of `address`. */
export function createUndiciLine(origin: string, address: NodeAddress, limits: HttpLineLimits): HttpLine {
  const { connect, failedToConnect } = watchedConnector(address, limits);
  // A long call is answered when it ends, hours later if need be: undici's own limits of 300 s must not cut it.
  const patient = { headersTimeout: 0, bodyTimeout: 0, connect } as const;
  const pool = new Pool(origin, { ...patient, connections: CONNECTIONS });
  const clients = new Set<Client>();

  async function exchange(dispatcher: Dispatcher, question: HttpQuestion, signal: AbortSignal) {
    try {
      const { statusCode, headers, body } = await dispatcher.request({
        path: question.path,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(question.authorization === null ? {} : { authorization: question.authorization }),
        },
        body: question.body,
        signal,
      });
      const text = await readBoundedBody(body, limits.maxAnswerBytes);
      if (text === null) throw answerTooLarge(question.method, limits.maxAnswerBytes);
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
      if (question.readOnly) return exchange(pool, question, signal);
      // A kept connection may be closed by the node in the very moment it is used again, and no one could tell
      // whether the call arrived. On a fresh one a failure to connect means that nothing was sent.
      const client = new Client(origin, { ...patient, pipelining: 0 });
      clients.add(client);
      try {
        return await exchange(client, question, signal);
      } finally {
        clients.delete(client);
        await client.destroy();
      }
    },
    single: async () => singleLine(),
    async close() {
      await Promise.all([pool.destroy(), ...[...clients].map((client) => client.destroy())]);
    },
  };

  function singleLine(): HttpLine {
    let connected = false;
    const client = new Client(origin, {
      ...patient,
      pipelining: 1,
      connect: (options, callback) => {
        if (connected) return callback(lineClosed(address), null);
        connected = true;
        connect(options, callback);
      },
    });
    clients.add(client);
    return {
      post: (question, signal) => exchange(client, question, signal),
      single: async () => singleLine(),
      async close() {
        clients.delete(client);
        await client.destroy();
      },
    };
  }
}

/** Below the 16 calls that a node lets wait for its four RPC threads by default. */
const CONNECTIONS = 8;
const KEEP_ALIVE_PROBE_MS = 30_000;

/** A connector that has each connection admitted, and remembers which errors came before anything could be sent. */
function watchedConnector(address: NodeAddress, { connectTimeoutMs, admit }: HttpLineLimits) {
  const failures = new WeakSet<object>();
  // Probes keep routers from forgetting a line that is silent for hours, and tell when the other end is gone.
  const plain = buildConnector({
    timeout: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
  });

  async function refusalOf(before: SocketTable | null, socket: Socket): Promise<Error | null> {
    try {
      admit(await peerOf(address, before, socket));
      return socket.destroyed ? new Error('closed while it was looked at') : null;
    } catch (thrown) {
      return thrown instanceof Error ? thrown : new Error('refused');
    }
  }

  const connect: buildConnector.connector = (options, callback) => {
    void readSocketTable().then((before) =>
      plain(options, (error, socket) => {
        if (error !== null) {
          failures.add(error);
          callback(error, null);
          return;
        }
        // An answer before the question is for undici to see once it has asked: it takes up reading by itself.
        socket.pause();
        void refusalOf(before, socket).then((refusal) => {
          if (refusal === null) return callback(null, socket);
          socket.destroy();
          failures.add(refusal);
          callback(refusal, null);
        });
      }),
    );
  };
  return {
    connect,
    failedToConnect: (thrown: unknown) => thrown instanceof Error && failures.has(thrown),
  };
}

/**
 * Who is at the other end. Who listened before the connection stood and listens after it did, has it: a listening
 * socket is never handed on while it is open. Throws AppError where the port changed hands in between.
 */
async function peerOf(address: NodeAddress, before: SocketTable | null, socket: Socket): Promise<Peer> {
  const { remoteAddress: host = '', remotePort: port = 0, localAddress = '', localPort = 0 } = socket;
  const here = isOwnAddress(host);
  const after = here ? await readSocketTable() : null;
  if (before === null || after === null) return { here, listener: null };
  const listened = listenerAt(before, host, port);
  const listener = listenerAt(after, host, port);
  const ends = { host, port, ownHost: localAddress, ownPort: localPort };
  if (listened?.socket !== listener?.socket) throw changedHands(address);
  // Who stops listening at once has the connection all the same.
  if (listener === null && isJoinedHere(after, ends)) throw changedHands(address);
  return { here, listener };
}

function isNotHttp(thrown: unknown): boolean {
  return thrown instanceof errors.HTTPParserError || thrown instanceof errors.HeadersOverflowError;
}
