/** HTTP POST over undici: kept-alive connections for questions, one of its own for each call that changes something. */
import { buildConnector, Client, type Dispatcher, errors, Pool } from 'undici';
import { AppError } from '../../shared/errors.ts';
import type { NodeAddress } from '../../shared/node.ts';
import { say } from '../../shared/say.ts';
import { readBoundedBody } from '../engine/boundedBody.ts';
import type { HttpLine, HttpLineLimits, HttpQuestion } from './httpLine.ts';
import { answerTooLarge, cannotConnect, connectionLost, notANode } from './lineErrors.ts';

/** `origin` is that of `address`. */
export function createUndiciLine(origin: string, address: NodeAddress, limits: HttpLineLimits): HttpLine {
  const { connect, failedToConnect } = watchedConnector(limits.connectTimeoutMs);
  // A long call is answered when it ends, hours later if need be: undici's own limits of 300 s must not cut it.
  const patient = { headersTimeout: 0, bodyTimeout: 0, connect } as const;
  const pool = new Pool(origin, { ...patient, connections: CONNECTIONS });
  const clients = new Set<Client>();

  async function exchange(dispatcher: Dispatcher, question: HttpQuestion, signal: AbortSignal) {
    try {
      const { statusCode, body } = await dispatcher.request({
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
      return { status: statusCode, text };
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
    async close() {
      await Promise.all([pool.destroy(), ...[...clients].map((client) => client.destroy())]);
    },
  };
}

/** Below the 16 calls that a node lets wait for its four RPC threads by default. */
const CONNECTIONS = 8;
const KEEP_ALIVE_PROBE_MS = 30_000;

/** A connector that remembers which errors came before anything could be sent. */
function watchedConnector(timeoutMs: number) {
  const failures = new WeakSet<object>();
  // Probes keep routers from forgetting a line that is silent for hours, and tell when the other end is gone.
  const plain = buildConnector({
    timeout: timeoutMs,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
  });
  const connect: buildConnector.connector = (options, callback) => {
    plain(options, (...outcome) => {
      if (outcome[0] !== null) failures.add(outcome[0]);
      callback(...outcome);
    });
  };
  return {
    connect,
    failedToConnect: (thrown: unknown) => thrown instanceof Error && failures.has(thrown),
  };
}

function isNotHttp(thrown: unknown): boolean {
  return thrown instanceof errors.HTTPParserError || thrown instanceof errors.HeadersOverflowError;
}
