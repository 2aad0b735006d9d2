/**
 * The contract over loopback HTTP: the page's files, one route per operation and a stream of events. Only the tab that
 * opened the one-time link gets an answer; Host, Origin and Sec-Fetch-Site keep other pages out.
 *
 * The session is a header and no cookie. Cookies do not know ports: the browser gives them to any server of this
 * machine, which may be another user's. What the page keeps in its `sessionStorage` is for its origin alone, port
 * included, and a page elsewhere could send the header only with our leave, which it never gets. The page's files, the
 * same in every copy of the app, are below a folder with a secret name, so that no other page loads any of it.
 *
 * The host is one that never was: `<random>.localhost`, which browsers take to this machine without asking anyone (RFC
 * 6761, 6.3). What another user served at this port before, and a browser kept for it, such as a service worker that
 * would answer in our place, belongs to another origin.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { BEAT_MS, notLetIn, SESSION_KEY, type Session } from '../../../shared/letIn.ts';
import { parseJson } from '../../../shared/parseJson.ts';
import { arrivalLimits, boundStrangers } from '../../http/boundStrangers.ts';
import { listenOnLoopback } from '../../http/listenOnLoopback.ts';
import type { Services } from '../host.ts';
import { pageFile, securityHeaders } from './page.ts';

/** A passphrase, a path and a name fit many times over. */
const MAX_BODY_BYTES = 1_000_000;
const CALL = 'call/';

export interface HttpEntry {
  /** `http://<random>.localhost:<port>`, another one in each run. */
  origin: string;
  /** The address of the page: the origin, and the folder with a secret name. */
  page: string;
  /** A new link that lets one tab in, once, and then tells. Those made before it open nothing any more. */
  newLink(onOpened?: () => void): string;
  close(): Promise<void>;
}

export async function serveOverHttp(services: Services, pageFolder: string, port = 0): Promise<HttpEntry> {
  const sessions: Session[] = [];
  const folder = `/${secret()}/`;
  let link: { readonly key: string; onOpened(): void } | null = null;
  let origin = '';

  const server = createServer(arrivalLimits, (request, response) => {
    handle(request, response).catch(() => {
      if (!response.headersSent) refuse(response, 500, 'The app could not answer this.');
      else response.destroy();
    });
  });

  const strangers = boundStrangers(server);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A page elsewhere that rebinds its name to this address still sends its own name; the address is none of ours.
    if (request.headers.host !== new URL(origin).host) {
      refuse(response, 403, 'Unknown host.');
      return;
    }
    const url = new URL(request.url ?? '/', origin);
    // Browsers ask for it by themselves; the page names its own icon.
    if (url.pathname === '/favicon.ico') {
      response.writeHead(204, securityHeaders('')).end();
      return;
    }
    const path = url.pathname.startsWith(folder) ? url.pathname.slice(folder.length) : null;
    if (path === null) {
      refuse(response, 403, notLetIn());
      return;
    }
    if (request.method === 'POST' && path.startsWith(CALL)) {
      if (!mayAsk(request, response)) return;
      await call(decodeURIComponent(path.slice(CALL.length)), request, response);
      return;
    }
    if (request.method !== 'GET') {
      refuse(response, 405, 'Not allowed.');
      return;
    }
    if (path === 'open') {
      open(url.searchParams.get('key') ?? '', response);
      return;
    }
    if (!fromOurPage(request)) {
      refuse(response, 403, NOT_OUR_PAGE);
      return;
    }
    if (path === 'events') {
      const session = mayAsk(request, response);
      if (session) stream(session, response);
      return;
    }
    const file = await pageFile(pageFolder, `/${path}`);
    response.writeHead(file.status, file.headers).end(file.body);
  }

  /** Exchanges the key for a session, which a script leaves to the page: then the key is in no address any more. */
  function open(key: string, response: ServerResponse): void {
    if (link === null || !sameSecret(link.key, key)) {
      refuse(response, 403, notLetIn());
      return;
    }
    const { onOpened } = link;
    link = null;
    const session = { page: secret(), app: secret() };
    sessions.push(session);
    const given = JSON.stringify(session).replaceAll('"', '&quot;');
    response.writeHead(200, {
      ...securityHeaders('', `'sha256-${createHash('sha256').update(LET_IN).digest('base64')}'`),
      'content-type': 'text/html; charset=utf-8',
    });
    response.end(
      `<!doctype html><title>Wallet Ferry</title><script data-session="${given}">${LET_IN}</script>`,
    );
    onOpened();
  }

  /** The session of who asks for more than a file; null where that was refused. */
  function mayAsk(request: IncomingMessage, response: ServerResponse): Session | null {
    const session = sessionOf(request);
    if (session === null) refuse(response, 403, notLetIn());
    else if (!fromOurPage(request)) refuse(response, 403, NOT_OUR_PAGE);
    else {
      strangers.letIn(request);
      return session;
    }
    return null;
  }

  function sessionOf({ headers }: IncomingMessage): Session | null {
    const given = headers.authorization ?? '';
    return sessions.find(({ page }) => sameSecret(`Bearer ${page}`, given)) ?? null;
  }

  /** Requests of the page itself, or of the person at the browser: its origin on writes, its site on reads. */
  function fromOurPage({ method, headers }: IncomingMessage): boolean {
    const site = headers['sec-fetch-site'];
    if (method === 'GET') return site === undefined || site === 'same-origin' || site === 'none';
    return headers.origin === origin && (site === undefined || site === 'same-origin');
  }

  async function call(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers['content-type'] !== 'application/json') {
      refuse(response, 415, 'JSON only.');
      return;
    }
    const body = await readBody(request);
    if (body === null) {
      refuse(response, 413, 'Too large.');
      return;
    }
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const answer = await services.call(name, parseJson(body.toString('utf8')), gone.signal);
    if (response.destroyed) return;
    response.writeHead(200, { ...securityHeaders(''), 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(answer));
  }

  function stream(session: Session, response: ServerResponse): void {
    response.writeHead(200, {
      ...securityHeaders(''),
      'content-type': 'application/x-ndjson; charset=utf-8',
    });
    const write = (line: object) => response.write(`${JSON.stringify(line)}\n`);
    write({ app: session.app });
    const unsubscribe = services.subscribe((name, value) => write({ name, value }));
    const beat = setInterval(() => response.write('\n'), BEAT_MS);
    response.on('close', () => {
      clearInterval(beat);
      unsubscribe();
    });
  }

  const listening = await listenOnLoopback(server, port);
  // Hexadecimal, because names of hosts do not tell capital letters.
  origin = `http://${randomBytes(16).toString('hex')}.localhost:${listening.port}`;
  return {
    origin,
    page: `${origin}${folder}`,
    newLink(onOpened = () => {}) {
      const key = secret();
      link = { key, onOpened };
      return `${origin}${folder}open?key=${key}`;
    },
    async close() {
      server.closeAllConnections();
      await listening.close();
    },
  };
}

const NOT_OUR_PAGE = 'Not from the app’s own page.';

/** Where the browser keeps nothing for this page, that says so. */
const LET_IN = `try { sessionStorage.setItem('${SESSION_KEY}', document.currentScript.dataset.session); } catch {}
location.replace('./');`;

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...securityHeaders(''), 'content-type': 'text/plain; charset=utf-8' });
  response.end(text);
}

function secret(): string {
  return randomBytes(32).toString('base64url');
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
