/** The engine's HTTP side: who is let in, how much is read, and the status codes of a node. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { replaceFile } from '../../files/durableFile.ts';
import { readTextOrNull } from '../../files/openFile.ts';
import { readBoundedBody } from '../../http/boundedBody.ts';
import { arrivalLimits, boundStrangers, isLoopback } from '../../http/loopback.ts';
import { orNull } from '../../walletfile/bytes/once.ts';

/** A null body is a notification's: 204, nothing to say. */
export interface Reply {
  readonly status: number;
  readonly body: string | null;
}

interface ServerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The file for a fresh login, readable by its owner only. */
  readonly cookie: string;
  /** Accepted beside it. */
  readonly login: { readonly user: string; readonly password: string } | null;
  /** `wallet`: that of the path, null for the root path. `asker`: aborted when who asked has hung up. */
  readonly answer: (body: string, wallet: string | null, asker: AbortSignal) => Promise<Reply>;
  /** Told of a wrong password, with the address it came from. */
  readonly onWrongPassword: (from: string) => void;
}

/**
 * Writes the cookie and listens. Rejects with the system's error when the cookie cannot be written, or when the address
 * cannot be listened on: the cookie is gone then.
 */
export async function startServer(options: ServerOptions) {
  const credentials = makeCredentials(options);
  let underWay = 0;
  let closing = false;
  const server = createServer({ maxHeaderSize: 8192, ...arrivalLimits }, (request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  const strangers = boundStrangers(server);
  // The two long calls answer when they are done, and a client may keep its line for later.
  server.timeout = 0;
  server.keepAliveTimeout = 30_000;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asker = new AbortController();
    response.once('close', () => asker.abort());
    const reply = await replyTo(request, asker.signal);
    if (response.destroyed) return;
    if (closing) response.setHeader('connection', 'close');
    response.writeHead(reply.status, headersOf(reply)).end(reply.body ?? undefined);
  }

  async function replyTo(request: IncomingMessage, asker: AbortSignal): Promise<HttpReply> {
    if (!isLoopback(request.socket.remoteAddress ?? '')) return refusal(403);
    const wallet = walletOfPath(request.url ?? '');
    if (wallet === undefined) return refusal(404);
    if (request.method !== 'POST') return refusal(405, 'JSONRPC server handles only POST requests');
    if (!(await letIn(request))) return { ...refusal(401), headers: { 'www-authenticate': REALM } };
    strangers.accept(request);
    // Only now: the tries of strangers, each of which is held back for a while, take nobody's place.
    if (underWay === MOST_AT_ONCE) return refusal(503, 'Work queue depth exceeded');
    underWay += 1;
    try {
      const isLarge = Number(request.headers['content-length'] ?? 0) > MOST_BODY_BYTES;
      const body = isLarge ? null : await readBoundedBody(request, MOST_BODY_BYTES);
      // The rest of what is too large is not read: the line is of no more use.
      if (body === null) return { ...refusal(413), headers: { connection: 'close' } };
      return { ...(await options.answer(body, wallet, asker)), type: 'application/json' };
    } finally {
      underWay -= 1;
    }
  }

  async function letIn(request: IncomingMessage): Promise<boolean> {
    const { authorization } = request.headers;
    if (authorization === undefined) return false;
    if (credentials.accepts(authorization)) return true;
    options.onWrongPassword(`${request.socket.remoteAddress}:${request.socket.remotePort}`);
    // Makes trying passwords slow, as a node does.
    await wait(WRONG_PASSWORD_MILLISECONDS);
    return false;
  }

  await once(server.listen(options.port, options.host), 'listening').catch((error: unknown) => {
    credentials.remove();
    throw error;
  });
  // A connection that cannot be taken is nobody's yet.
  server.on('error', () => {});
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The engine has no port to listen on.');
  return {
    /** `http://127.0.0.1:18443` */
    url: urlOf(address, options.host),
    /** Removes the cookie file, unless another program has written its own there. */
    removeCookie: credentials.remove,
    /** Takes no new calls; ends when those under way are answered. */
    close: () =>
      new Promise<void>((resolve) => {
        closing = true;
        server.close(() => resolve());
        // Who sends half a request and waits does not hold the end up.
        setTimeout(() => server.closeAllConnections(), LONGEST_END_MILLISECONDS).unref();
      }),
  };
}

const LONGEST_END_MILLISECONDS = 10_000;
/** libevent's limit in a node: 32 MiB. */
const MOST_BODY_BYTES = 0x02000000;
/** A node's default for `-rpcworkqueue` since release 28. */
const MOST_AT_ONCE = 64;
const WRONG_PASSWORD_MILLISECONDS = 250;
const WALLET_PATH = '/wallet/';

/** undefined: a path that is none of ours. */
function walletOfPath(path: string): string | null | undefined {
  if (path === '/') return null;
  if (!path.startsWith(WALLET_PATH)) return undefined;
  return orNull(() => decodeURIComponent(path.slice(WALLET_PATH.length))) ?? undefined;
}

interface HttpReply extends Reply {
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const REALM = 'Basic realm="jsonrpc"';

function refusal(status: number, body = ''): HttpReply {
  return { status, body, type: 'text/html; charset=ISO-8859-1' };
}

function headersOf({ body, type, headers }: HttpReply): Record<string, string | number> {
  const ofBody = body === null ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) };
  return { ...headers, ...ofBody };
}

function urlOf({ port, address, family }: AddressInfo, host: string): string {
  const any = address === '0.0.0.0' || address === '::';
  const shown = any ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : host;
  return `http://${shown}:${port}`;
}

/** Who may call: the holder of the cookie file, or of the user and password that the engine was started with. */
function makeCredentials({ cookie: file, login }: ServerOptions) {
  const cookie = `__cookie__:${randomBytes(32).toString('hex')}`;
  replaceFile(file, new TextEncoder().encode(cookie));
  const accepted = [cookie, ...(login ? [`${login.user}:${login.password}`] : [])].map(digestOf);
  return {
    /** Whether the value of an `Authorization` header lets its sender in. Takes the same time for any value. */
    accepts: (authorization: string) => {
      const given = digestOf(userAndPassword(authorization));
      // No short cut: every secret is compared, and whole.
      return accepted.filter((digest) => timingSafeEqual(digest, given)).length > 0;
    },
    remove: () => {
      if (readTextOrNull(file) === cookie) rmSync(file, { force: true });
    },
  };
}

const BASIC = /^Basic +([A-Za-z0-9+/=]+) *$/i;

function userAndPassword(authorization: string): string {
  return Buffer.from(BASIC.exec(authorization)?.[1] ?? '', 'base64').toString('utf8');
}

/** Digests have one length, which comparing in constant time needs. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
