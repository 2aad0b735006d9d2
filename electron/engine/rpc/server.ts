/** The engine's HTTP server: logins, limits, and the status codes of a node. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { isLoopback } from '../../../shared/model/node.ts';
import { replaceFile } from '../../files/durableFile.ts';
import { readTextOrNull } from '../../files/openFile.ts';
import { readBoundedBytes } from '../../http/boundedBody.ts';
import { arrivalLimits, boundStrangers, listen } from '../../http/loopback.ts';

/** `body`: null for status 204. */
export interface Reply {
  readonly status: number;
  readonly body: string | null;
}

interface ServerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The file for a new login, which only its owner can read. */
  readonly cookie: string;
  /** A second login. */
  readonly login: { readonly user: string; readonly password: string } | null;
  /** `wallet`: of the path; null for the root path. `caller`: aborts when the client closes its connection. */
  readonly answer: (body: Uint8Array, wallet: string | null, caller: AbortSignal) => Promise<Reply>;
  /** Called for each wrong password, with the client's address. */
  readonly onWrongPassword: (from: string) => void;
}

/**
 * Writes the cookie and listens. Throws the system's error if it cannot write the cookie, or cannot listen at the
 * address, and leaves no cookie then.
 */
export async function startServer(options: ServerOptions) {
  const credentials = makeCredentials(options);
  let running = 0;
  let closing = false;
  const server = createServer({ maxHeaderSize: 8192, ...arrivalLimits }, (request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  const strangers = boundStrangers(server);
  // The two long calls may take hours, and a client may keep its connection.
  server.timeout = 0;
  server.keepAliveTimeout = 30_000;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const caller = new AbortController();
    response.once('close', () => caller.abort());
    const reply = await replyTo(request, caller.signal);
    if (response.destroyed) return;
    if (closing) response.setHeader('connection', 'close');
    response.writeHead(reply.status, headersOf(reply)).end(reply.body ?? undefined);
  }

  async function replyTo(request: IncomingMessage, caller: AbortSignal): Promise<HttpReply> {
    if (!isLoopback(request.socket.remoteAddress ?? '')) return refusal(403);
    const wallet = walletOfPath(request.url ?? '');
    if (wallet === undefined) return refusal(404);
    if (request.method !== 'POST') return refusal(405, 'JSONRPC server handles only POST requests');
    if (!(await isLoggedIn(request))) return { ...refusal(401), headers: { 'www-authenticate': REALM } };
    strangers.accept(request);
    const isLarge = Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES;
    const body = isLarge ? null : await readBoundedBytes(request, MAX_BODY_BYTES);
    // The rest of the body is not read, so the connection cannot be used again.
    if (body === null) return { ...refusal(413), headers: { connection: 'close' } };
    // As in a node, neither delayed logins nor incomplete requests count.
    if (running === MAX_AT_ONCE) return refusal(503, 'Work queue depth exceeded');
    running += 1;
    try {
      return { ...(await options.answer(body, wallet, caller)), type: 'application/json' };
    } finally {
      running -= 1;
    }
  }

  async function isLoggedIn(request: IncomingMessage): Promise<boolean> {
    const { authorization } = request.headers;
    if (authorization === undefined) return false;
    if (credentials.accepts(authorization)) return true;
    options.onWrongPassword(`${request.socket.remoteAddress}:${request.socket.remotePort}`);
    // Slows down guesses, as a node does.
    await wait(WRONG_PASSWORD_MS);
    return false;
  }

  const address = await listen(server, options.port, options.host).catch((error: unknown) => {
    credentials.remove();
    throw error;
  });
  // A connection that cannot be accepted has no caller yet.
  server.on('error', () => {});
  return {
    /** `http://127.0.0.1:18443` */
    url: urlOf(address, options.host),
    /** Removes the cookie file, unless another program has written its own there. */
    removeCookie: credentials.remove,
    /** Refuses new calls. Resolves when the running ones are answered. */
    close: () =>
      new Promise<void>((resolve) => {
        closing = true;
        server.close(() => resolve());
        // A client that sends half a request must not delay the end.
        setTimeout(() => server.closeAllConnections(), MAX_END_MS).unref();
      }),
  };
}

const MAX_END_MS = 10_000;
/** libevent's limit in a node: 32 MiB. */
const MAX_BODY_BYTES = 0x02000000;
/** A node's default for `-rpcworkqueue` since release 28. */
const MAX_AT_ONCE = 64;
const WRONG_PASSWORD_MS = 250;
const WALLET_PATH = '/wallet/';

/** Null for the root path; undefined for an unknown path. */
function walletOfPath(path: string): string | null | undefined {
  if (path === '/') return null;
  if (!path.startsWith(WALLET_PATH)) return undefined;
  // As in a node: a percent sign that begins no escape stands for itself, and bytes need no escape.
  const bytes = path
    .slice(WALLET_PATH.length)
    .replace(/%([0-9a-f]{2})/gi, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
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
  const hostInUrl = any ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : host;
  return `http://${hostInUrl}:${port}`;
}

/** The accepted logins: the cookie, and the user and password of the command line. */
function makeCredentials({ cookie: file, login }: ServerOptions) {
  const cookie = `__cookie__:${randomBytes(32).toString('hex')}`;
  replaceFile(file, new TextEncoder().encode(cookie));
  const accepted = [cookie, ...(login ? [`${login.user}:${login.password}`] : [])].map(digestOf);
  return {
    /** Checks the value of an `Authorization` header. Takes the same time for any value. */
    accepts: (authorization: string) => {
      const digestOfLogin = digestOf(userAndPassword(authorization));
      // `filter` compares every secret; `some` would end at the first match.
      return accepted.filter((digest) => timingSafeEqual(digest, digestOfLogin)).length > 0;
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

/** A digest, because a comparison in constant time needs equal lengths. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
