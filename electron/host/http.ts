/**
 * The contract over loopback HTTP: the page's files, one route per operation and a stream of events. Only the
 * browser that opened the one-time link gets in; Host, Origin and Sec-Fetch-Site keep other pages out.
 *
 * All of it is below a folder with a secret name, and the cookie is for that folder alone. Cookies do not know ports:
 * for `/` the browser would give it to any server on this machine that a page of the browser comes from.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseJson } from '../../shared/parseJson.ts';
import { say } from '../../shared/say.ts';
import type { Services } from '../services.ts';
import { pageFile, securityHeaders } from './page.ts';

/** A passphrase, a path and a name fit many times over. */
const MAX_BODY_BYTES = 1_000_000;
const LOOPBACK = '127.0.0.1';
const CALL = 'call/';

export interface HttpEntry {
  /** `http://127.0.0.1:<port>` */
  origin: string;
  /** The address of the page: the origin, and the folder with a secret name. */
  page: string;
  /** A new link that lets one browser in, once. Those made before it open nothing any more. */
  newLink(): string;
  close(): Promise<void>;
}

export async function serveOverHttp(services: Services, pageFolder: string, port = 0): Promise<HttpEntry> {
  const sessions = new Set<string>();
  const folder = `/${secret()}/`;
  let link: string | null = null;
  let origin = '';
  let cookieName = '';

  const server = createServer((request, response) => {
    handle(request, response).catch(() => {
      if (!response.headersSent) refuse(response, 500, 'The app could not answer this.');
      else response.destroy();
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A page elsewhere that rebinds its name to this address still sends its own name.
    if (request.headers.host !== new URL(origin).host) {
      refuse(response, 403, 'Unknown host.');
      return;
    }
    const url = new URL(request.url ?? '/', origin);
    // Browsers ask for it by themselves, without the cookie too; the page names its own icon.
    if (url.pathname === '/favicon.ico') {
      response.writeHead(204, securityHeaders('')).end();
      return;
    }
    const path = url.pathname.startsWith(folder) ? url.pathname.slice(folder.length) : null;
    if (path === 'open') {
      open(url, request, response);
      return;
    }
    if (path === null || !hasSession(request)) {
      refuse(response, 403, NOT_LET_IN);
      return;
    }
    if (request.method === 'POST' && path.startsWith(CALL)) {
      await call(decodeURIComponent(path.slice(CALL.length)), request, response);
      return;
    }
    if (request.method !== 'GET') {
      refuse(response, 405, 'Not allowed.');
      return;
    }
    if (path === 'events') {
      stream(request, response);
      return;
    }
    const file = await pageFile(pageFolder, `/${path}`);
    response.writeHead(file.status, file.headers).end(file.body);
  }

  function open(url: URL, request: IncomingMessage, response: ServerResponse): void {
    const key = url.searchParams.get('key') ?? '';
    if (request.method !== 'GET') {
      refuse(response, 405, 'Not allowed.');
      return;
    }
    if (link === null || !sameSecret(link, key)) {
      // The same browser following the link again is in already.
      if (hasSession(request)) {
        redirect(response);
        return;
      }
      refuse(response, 403, NOT_LET_IN);
      return;
    }
    link = null;
    const session = secret();
    sessions.add(session);
    redirect(response, `${cookieName}=${session}; Path=${folder}; HttpOnly; SameSite=Strict`);
  }

  function redirect(response: ServerResponse, cookie?: string): void {
    // A page that moves on by itself, not a 303: a SameSite=Strict cookie is not sent on a redirect that
    // another program's link began.
    const body = '<!doctype html><meta http-equiv="refresh" content="0;url=./"><title>Wallet Ferry</title>';
    const headers = { ...securityHeaders(''), 'content-type': 'text/html; charset=utf-8' };
    response.writeHead(200, cookie ? { ...headers, 'set-cookie': cookie } : headers).end(body);
  }

  function hasSession(request: IncomingMessage): boolean {
    const given = cookieValue(request.headers.cookie, cookieName);
    return given !== null && [...sessions].some((session) => sameSecret(session, given));
  }

  /** Requests of the page itself only: its origin on writes, its site on reads. */
  function fromOurPage(request: IncomingMessage): boolean {
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin') return false;
    return request.method === 'GET' || request.headers.origin === origin;
  }

  async function call(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!fromOurPage(request)) {
      refuse(response, 403, 'Not from the app’s own page.');
      return;
    }
    if (request.headers['content-type'] !== 'application/json') {
      refuse(response, 415, 'JSON only.');
      return;
    }
    const body = await readBody(request);
    if (body === null) {
      refuse(response, 413, 'Too large.');
      return;
    }
    const answer = await services.call(name, parseJson(body.toString('utf8')));
    if (response.destroyed) return;
    response.writeHead(200, { ...securityHeaders(''), 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(answer));
  }

  function stream(request: IncomingMessage, response: ServerResponse): void {
    if (!fromOurPage(request)) {
      refuse(response, 403, 'Not from the app’s own page.');
      return;
    }
    response.writeHead(200, { ...securityHeaders(''), 'content-type': 'text/event-stream; charset=utf-8' });
    response.write(': open\n\n');
    const unsubscribe = services.subscribe((name, value) => {
      response.write(`event: ${name}\ndata: ${JSON.stringify(value)}\n\n`);
    });
    response.on('close', unsubscribe);
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port to listen on.');
  origin = `http://${LOOPBACK}:${address.port}`;
  // Cookies do not know ports: the name keeps two instances of the app apart.
  cookieName = `ferry-${address.port}`;
  return {
    origin,
    page: `${origin}${folder}`,
    newLink() {
      link = secret();
      return `${origin}${folder}open?key=${link}`;
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const NOT_LET_IN = say(
  'This page belongs to Wallet Ferry, and this browser was not let in. Each link opens once: press Enter where the app was started for a new one.',
);

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...securityHeaders(''), 'content-type': 'text/plain; charset=utf-8' });
  response.end(text);
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

function cookieValue(header: string | undefined, name: string): string | null {
  for (const part of (header ?? '').split(';')) {
    const [key, value] = part.trim().split('=');
    if (key === name && value) return value;
  }
  return null;
}

function sameSecret(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The whole body, or null when it is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    // Read on to a point, so that the refusal arrives before the line is cut.
    if (size > 16 * MAX_BODY_BYTES) return null;
    if (size <= MAX_BODY_BYTES) chunks.push(bytes);
  }
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks) : null;
}
