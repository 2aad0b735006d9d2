/** Calls one node over JSON-RPC: asks again where that is safe, never where it is not. */
import { AppError } from '../../../shared/errors.ts';
import type { Listener, NodeAddress } from '../../../shared/node.ts';
import { isOfOtherUser } from '../../../shared/nodeIdentity.ts';
import { say } from '../../../shared/text/say.ts';
import { type Credentials, type CredentialsProvider, createCredentialsProvider } from './credentials.ts';
import { type Authorization, createHttpLine, type HttpLine, type Peer } from './httpLine.ts';
import { cancelled, nobodyKnown, SlowToConnectError, takenOver, timedOut } from './lineErrors.ts';
import { pause } from './pause.ts';
import { resultOf } from './rpcAnswer.ts';
import type { CallOptions, NodeClient } from './session.ts';

export interface NodeClientOptions {
  readonly address: NodeAddress;
  readonly credentials: Credentials;
  /** Bytes of one answer, `answer_too_large` beyond. Default 64 MB. */
  readonly maxAnswerBytes?: number;
  /** Milliseconds for a call that does not say. Default 30,000. */
  readonly timeoutMs?: number;
  /** Milliseconds until a connection must stand. Default 10,000. */
  readonly connectTimeoutMs?: number;
  /** Milliseconds to wait before each further try of a call that changes nothing. Empty: one try. */
  readonly retryPausesMs?: readonly number[];
}

/**
 * A client of one node. Every failure of `call` is an AppError. Only `cannot_connect`, and what the node itself
 * answered, mean that a call that changes something was not carried out; after `connection_lost`, `timed_out`,
 * `cancelled`, `not_a_node` and `answer_too_large` its outcome is open.
 * Throws AppError `bad_input` for an address that is no host name or IP address.
 */
export function createNodeClient(options: NodeClientOptions): NodeClient {
  const { address } = options;
  const login = createCredentialsProvider(options.credentials);
  let listener: Listener | null = null;

  /** The login that one user's node was given is for no other user of this machine; the system's own may be in between. */
  function admit(peer: Peer): void {
    if (listener !== null) {
      if (peer.listener === null) throw nobodyKnown(address);
      if (isOfOtherUser(listener, peer.listener)) throw takenOver(address);
    }
    listener = peer.listener;
  }

  const line = createHttpLine(address, {
    maxAnswerBytes: options.maxAnswerBytes ?? MAX_ANSWER_BYTES,
    connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    admit,
  });
  return {
    ...callsOver(line, login, options),
    async overOneLine(work) {
      const single = await line.single();
      const client: NodeClient = {
        ...callsOver(single, login, { ...options, retryPausesMs: [] }),
        overOneLine: (more) => more(client),
        listener: () => listener,
      };
      try {
        return await work(client);
      } finally {
        await client.close();
      }
    },
    listener: () => listener,
  };
}

function callsOver(
  line: HttpLine,
  login: CredentialsProvider,
  options: NodeClientOptions,
): Pick<NodeClient, 'address' | 'call' | 'close'> {
  const { address } = options;
  const pauses = options.retryPausesMs ?? RETRY_PAUSES_MS;
  let lastId = 0;

  async function ask(method: string, params: unknown, path: string, signal: AbortSignal): Promise<unknown> {
    lastId += 1;
    const id = lastId;
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const readOnly = changesNothing.has(method);
    const post = (authorization: Authorization) =>
      line.post({ method, path, body, authorization, readOnly }, signal);

    const authorization = await login.authorization();
    const sentCredentials = authorization.header !== null;
    let answer = await post(authorization);
    if (answer.status === 401 && sentCredentials) {
      // A node that was started anew has a new cookie. What it refused it did not do, so asking again is safe.
      const renewed = await login.authorization();
      if (renewed !== authorization) answer = await post(renewed);
    }
    return resultOf({ address, method, path, id, sentCredentials, readOnly }, answer);
  }

  return {
    address,
    async call(method, params = [], callOptions = {}) {
      const path = pathOf(callOptions.wallet);
      const limit = startLimit(callOptions, options.timeoutMs ?? TIMEOUT_MS);
      const waits = changesNothing.has(method) ? [...pauses] : [];
      try {
        for (;;) {
          try {
            limit.signal.throwIfAborted();
            return await ask(method, params, path, limit.signal);
          } catch (thrown) {
            const wait = waits.shift();
            if (limit.signal.aborted || wait === undefined || !isTransient(thrown)) throw thrown;
            await pause(wait, limit.signal);
          }
        }
      } catch (thrown) {
        if (thrown instanceof AppError) throw thrown;
        const changes = !changesNothing.has(method);
        if (limit.endedBy() === 'time') throw timedOut(method, changes);
        if (limit.endedBy() === 'caller') throw cancelled(method, changes);
        throw thrown;
      } finally {
        limit.clear();
      }
    },
    close: () => line.close(),
  };
}

const RETRY_PAUSES_MS = [150, 500] as const;
const MAX_ANSWER_BYTES = 64_000_000;
const CONNECT_TIMEOUT_MS = 10_000;
const TIMEOUT_MS = 30_000;

/** The only methods that are asked again by themselves. */
const changesNothing: ReadonlySet<string> = new Set([
  'getbalances',
  'getblock',
  'getblockchaininfo',
  'getblockcount',
  'getblockhash',
  'getblockheader',
  'getindexinfo',
  'getnetworkinfo',
  'getrpcinfo',
  'getwalletinfo',
  'help',
  'listdescriptors',
  'listlabels',
  'listwalletdir',
  'listwallets',
  'uptime',
]);

/** Failures that may be over in a moment. */
function isTransient(thrown: unknown): boolean {
  if (!(thrown instanceof AppError) || thrown instanceof SlowToConnectError) return false;
  return thrown.code === 'cannot_connect' || thrown.code === 'connection_lost' || thrown.code === 'busy';
}

/** A wallet's name is one segment, whatever is in it; the node decodes it. */
function pathOf(wallet: string | undefined): string {
  if (wallet === undefined) return '/';
  try {
    return `/wallet/${encodeURIComponent(wallet)}`;
  } catch {
    throw new AppError(
      'name_invalid',
      say('The wallet’s name holds half a character.'),
      say('Nothing was sent. Choose another name.'),
    );
  }
}

/** One signal for the caller's wish to stop and for the time limit of the whole call, further tries included. */
function startLimit(options: CallOptions, byDefault: number) {
  const timeoutMs = options.timeoutMs === undefined ? byDefault : options.timeoutMs;
  const controller = new AbortController();
  let by: 'time' | 'caller' | null = null;
  const end = (who: 'time' | 'caller') => {
    by ??= who;
    controller.abort();
  };
  const stop = () => end('caller');
  const timer = timeoutMs === null ? undefined : setTimeout(() => end('time'), timeoutMs);
  if (options.signal?.aborted) stop();
  options.signal?.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    endedBy: () => by,
    clear() {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', stop);
    },
  };
}
