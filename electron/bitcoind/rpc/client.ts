/**
 * Calls one node over JSON-RPC and HTTP POST, and retries read-only calls. Loads undici only with
 * the first call, because it is large and slows the start.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { z } from 'zod/mini';
import { AppError } from '../../../shared/model/errors.ts';
import {
  authorityOf,
  isListenerOfOtherUser,
  type Listener,
  type NodeAddress,
} from '../../../shared/model/node.ts';
import { notSent } from '../../../shared/wording/findings/hints.ts';
import { say } from '../../../shared/wording/say.ts';
import { readBoundedBody, readBoundedJson } from '../../http/boundedBody.ts';
import type { Connections } from './connections.ts';
import {
  type Authorization,
  type Credentials,
  createLogin,
  type Peer,
  type ReadLogin,
} from './credentials.ts';
import {
  answerTooLargeError,
  cancelledError,
  connectionLostError,
  httpError,
  listenerHiddenError,
  listenerOfOtherUserError,
  notANodeError,
  notConnectedError,
  noWalletSupportError,
  rpcError,
  SlowToConnectError,
  timedOutError,
} from './rpcErrors.ts';
import type { NodeClient } from './session.ts';

export interface NodeClientOptions {
  readonly address: NodeAddress;
  readonly credentials: Credentials;
  /** Most bytes of one answer; `answer_too_large` beyond. Default 64 MB. */
  readonly maxAnswerBytes?: number;
  /** Default timeout of a call in milliseconds. Default 30,000. */
  readonly timeoutMs?: number;
  /** Milliseconds to connect. Default 10,000. */
  readonly connectTimeoutMs?: number;
  /** Milliseconds before each retry of a read-only call, also to a busy node. Empty: no retries. */
  readonly retryPausesMs?: readonly number[];
}

/**
 * A client of one node. Every failure of `call` is an AppError. After `cannot_connect`, nothing was sent. After
 * `connection_lost`, `timed_out`, `cancelled`, `not_a_node` and `answer_too_large`, the outcome of a call that changes something is
 * unknown. Throws AppError `bad_input` for an address that is no host name or IP address.
 */
export function createNodeClient(options: NodeClientOptions): NodeClient {
  const { address, connectTimeoutMs = CONNECT_TIMEOUT_MS } = options;
  const origin = originOf(address);
  const login = createLogin(options.credentials);
  let connections: Promise<Connections> | null = null;
  let closed = false;
  let listener: Listener | null = null;

  /** A login for one user's node must not go to another user of this machine. Root may listen in between. */
  function admit(peer: Peer): void {
    if (listener !== null) {
      if (peer.listener === null) throw listenerHiddenError(address);
      if (isListenerOfOtherUser(listener, peer.listener)) throw listenerOfOtherUserError(address);
    }
    listener = peer.listener;
  }

  async function openConnections(): Promise<Connections> {
    if (closed) throw notConnectedError();
    connections ??= import('./connections.ts').then(({ createConnections }) =>
      createConnections({ address, origin, connectTimeoutMs, admit }),
    );
    const now = await connections;
    if (closed) throw notConnectedError();
    return now;
  }

  return {
    address,
    call: callsOver(openConnections, login, options),
    async overOneConnection(work) {
      const single = (await openConnections()).single();
      const client: NodeClient = {
        address,
        call: callsOver(async () => single, login, { ...options, retryPausesMs: [] }),
        overOneConnection: (more) => more(client),
        listener: () => listener,
        close: () => single.close(),
      };
      try {
        return await work(client);
      } finally {
        await single.close();
      }
    },
    listener: () => listener,
    async close() {
      closed = true;
      await (await connections)?.close();
    },
  };
}

function callsOver(
  openConnections: () => Promise<Connections>,
  login: ReadLogin,
  options: NodeClientOptions,
): NodeClient['call'] {
  const { address } = options;
  const pauses = options.retryPausesMs ?? RETRY_PAUSES_MS;
  const busyPauses = options.retryPausesMs ? [] : BUSY_PAUSES_MS;
  let lastId = 0;
  let running = 0;

  async function ask(method: string, params: unknown, path: string, signal: AbortSignal): Promise<unknown> {
    lastId += 1;
    const id = lastId;
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const readOnly = isReadOnly(method);
    const post = async (login: Authorization) => {
      const headers = {
        'content-type': 'application/json',
        ...(login.header === null ? {} : { authorization: login.header }),
      };
      const request: HttpRequest = { path, method: 'POST', headers, body, signal };
      return (await openConnections()).use(login, readOnly, (over) => exchange(over, method, request));
    };

    // A node that restarts ends the calls that run. Until then, its cookie stays.
    const authorization = await login(readOnly && running > 1 ? 'latest' : undefined);
    const sentCredentials = authorization.header !== null;
    let answer = await post(authorization);
    if (answer.status === 401 && sentCredentials) {
      // A restarted node has a new cookie. The node did not run what it refused, so a retry is safe.
      const renewed = await login('afresh');
      if (renewed !== authorization) answer = await post(renewed);
    }
    return resultOf({ address, method, path, id, sentCredentials, readOnly }, answer);
  }

  /** Throws anything after `signal` aborts. */
  async function exchange(over: Dispatcher, method: string, request: HttpRequest): Promise<HttpAnswer> {
    try {
      const answer = await over.request(request);
      const text = await readBoundedBody(answer.body, options.maxAnswerBytes ?? MAX_ANSWER_BYTES);
      if (text === null) throw answerTooLargeError(method);
      const realm = answer.headers['www-authenticate'];
      return { status: answer.statusCode, text, realm: typeof realm === 'string' ? realm : null };
    } catch (thrown) {
      if (thrown instanceof AppError || request.signal.aborted) throw thrown;
      if (isNotHttp(thrown)) throw notANodeError(address, say('no HTTP'));
      throw connectionLostError(method, !isReadOnly(method));
    }
  }

  return async (
    method,
    params = [],
    { wallet, timeoutMs = options.timeoutMs ?? TIMEOUT_MS, signal } = {},
  ) => {
    const path = pathOf(wallet);
    const limit = startLimit(method, timeoutMs, signal);
    const waits = isReadOnly(method) ? [...pauses] : [];
    const busyWaits = isReadOnly(method) ? [...busyPauses] : [];
    try {
      for (;;) {
        try {
          limit.signal.throwIfAborted();
          running += 1;
          return await ask(method, params, path, limit.signal).finally(() => {
            running -= 1;
          });
        } catch (thrown) {
          if (!(thrown instanceof AppError)) limit.signal.throwIfAborted();
          const isBusy = thrown instanceof AppError && thrown.code === 'busy';
          const wait = waits.shift() ?? (isBusy ? busyWaits.shift() : undefined);
          if (limit.signal.aborted || wait === undefined || !isTransient(thrown)) throw thrown;
          await waitUnlessAborted(wait, limit.signal);
        }
      }
    } finally {
      limit.clear();
    }
  };
}

type HttpRequest = Dispatcher.RequestOptions & { readonly signal: AbortSignal };

/** Matches undici's errors by name, because undici is not loaded here. */
function isNotHttp(thrown: unknown): boolean {
  return thrown instanceof Error && ['HTTPParserError', 'HeadersOverflowError'].includes(thrown.name);
}

const RETRY_PAUSES_MS = [150, 500] as const;
/** Further ones for a node whose work queue is full, such as with a list of a thousand wallets beside another client. */
const BUSY_PAUSES_MS = [1000, 2000, 4000] as const;
const MAX_ANSWER_BYTES = 64_000_000;
const CONNECT_TIMEOUT_MS = 10_000;
const TIMEOUT_MS = 30_000;

const READ_ONLY_METHODS: ReadonlySet<string> = new Set([
  'getbalances',
  'getblockchaininfo',
  'getblockhash',
  'getchainstates',
  'getblockheader',
  'getindexinfo',
  'getnetworkinfo',
  'getrpcinfo',
  'getwalletinfo',
  'listwalletdir',
  'listwallets',
  'uptime',
]);

/** Whether the client knows that the method changes nothing. It retries only these. */
export function isReadOnly(method: string): boolean {
  return READ_ONLY_METHODS.has(method);
}

/** Failures that may pass in a moment. */
function isTransient(thrown: unknown): boolean {
  if (!(thrown instanceof AppError) || thrown instanceof SlowToConnectError) return false;
  return thrown.code === 'cannot_connect' || thrown.code === 'connection_lost' || thrown.code === 'busy';
}

function originOf(address: NodeAddress): string {
  const origin = `${address.tls ? 'https' : 'http'}://${authorityOf(address)}`;
  const url = URL.canParse(origin) ? new URL(origin) : null;
  // A "host" with a slash or an @ would lead to another machine than the one shown.
  if (url === null || url.username !== '' || url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new AppError(
      'bad_input',
      say('Not a host name or IP address.'),
      say('Enter only the host, such as node.local.'),
    );
  }
  return url.origin;
}

/** A wallet's name is one path segment, whatever it contains; the node decodes it. */
function pathOf(wallet: string | undefined): string {
  if (wallet === undefined) return '/';
  try {
    return `/wallet/${encodeURIComponent(wallet)}`;
  } catch {
    throw new AppError('name_invalid', say('No unpaired surrogates.'), notSent(say('Choose another name.')));
  }
}

/**
 * Combines the caller's signal with a time limit for the whole call, retries included. The reason is an AppError for
 * whichever came first. `AbortSignal.timeout` would let the process exit during the call.
 */
function startLimit(method: string, timeoutMs: number | null, signal: AbortSignal | undefined) {
  const changes = !isReadOnly(method);
  const controller = new AbortController();
  const stop = () => controller.abort(cancelledError(changes));
  const giveUp = () => controller.abort(timedOutError(method, changes));
  const timer = timeoutMs === null ? undefined : setTimeout(giveUp, timeoutMs);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    },
  };
}

interface SentCall {
  readonly address: NodeAddress;
  readonly method: string;
  readonly path: string;
  readonly id: number;
  readonly sentCredentials: boolean;
  /** Whether the method changes nothing. */
  readonly readOnly: boolean;
}

interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  readonly realm: string | null;
}

/**
 * Returns the result, and throws an AppError for every other answer. Releases before 28 answer as JSON-RPC 1.0, with
 * both `result` and `error`, and errors have HTTP status 500 or 404. From 28 on errors have status 200.
 */
function resultOf(call: SentCall, { status, text, realm }: HttpAnswer): unknown {
  if (status === 401 && !call.sentCredentials && realm !== NODE_REALM) {
    throw notANodeError(call.address, say('another kind of login'));
  }
  const refusal = httpError(call.method, status, call.sentCredentials);
  if (refusal !== null && !(status === 503 && !call.readOnly && isPage(text))) throw refusal;
  const json = readBoundedJson(text);
  if (json.is === 'too-many') throw answerTooLargeError(call.method);
  if (json.is === 'too-deep') {
    throw notANodeError(call.address, say('JSON nested too deep'));
  }
  if (json.is === 'not-json') {
    // A node built without wallets does not have this path.
    if (status === 404 && call.path.startsWith('/wallet/')) throw noWalletSupportError();
    throw notANodeError(call.address, say('HTTP {status} without JSON', { status }));
  }
  const parsed = answerShape.safeParse(json.value);
  if (!parsed.success) throw notANodeError(call.address, say('no JSON-RPC'));
  const { error, id, result } = parsed.data;
  // The answer to an unreadable request has the id null.
  const isUnreadable = error && id === null;
  if (id !== call.id && !isUnreadable) throw notANodeError(call.address, say('answer to another call'));
  if (error) throw rpcError(call.method, error.code, error.message);
  if (status !== 200 || result === undefined) {
    throw notANodeError(call.address, say('HTTP {status} without result or error', { status }));
  }
  return result;
}

/** `WWW_AUTH_HEADER_DATA` of `src/httprpc.cpp`. */
const NODE_REALM = 'Basic realm="jsonrpc"';

const answerShape = z.looseObject({
  result: z.optional(z.unknown()),
  error: z.nullish(z.looseObject({ code: z.int(), message: z.string() })),
  id: z.optional(z.union([z.number(), z.string(), z.null()])),
});

/** A busy node answers in plain text. A page comes from a proxy, which may have forwarded the call. */
function isPage(text: string): boolean {
  return text.trimStart().startsWith('<');
}

/** Waits until the time is over or the signal aborts; resolves either way. Does not keep the process alive. */
export function waitUnlessAborted(milliseconds: number, signal: AbortSignal): Promise<void> {
  return wait(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
}
