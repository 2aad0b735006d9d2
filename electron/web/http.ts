/**
 * The contract over loopback HTTP: the page's files, one route per request and a stream of events. Only the tab that
 * opened the one-time link gets an answer. Host, Origin and Sec-Fetch-Site keep other pages out.
 *
 * Messages are sealed with keys that only this tab and the app have (see `shared/model/seal.ts`), so that whoever takes
 * the port after the app ends can neither read nor send any. A header names the tab. A cookie would not do: browsers send
 * cookies to every port of this machine, which may be another user's server. `sessionStorage` belongs to one origin,
 * port included, and a page elsewhere may not send the header. The page's files are the same in every copy of the app,
 * so they lie below a folder with a secret name that no other page can load.
 *
 * The host `<random>.localhost` is new in each run; browsers resolve it to this machine by themselves (RFC 6761, 6.3).
 * Anything that a browser kept from an earlier server at this port, such as a service worker, belongs to another origin.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { MAX_PASTED_LENGTH } from '../../shared/contract.ts';
import {
  createMessageCipher,
  HEARTBEAT_MS,
  type MessageCipher,
  messagePurposes,
  NUMBER_HEADER,
  randomSecret,
  SEALED_TYPE,
  SESSION_STORAGE_KEY,
  type SessionCredentials,
  toBase64,
} from '../../shared/model/seal.ts';
import { parseJson } from '../../shared/model/shapes.ts';
import { noAccessText } from '../../shared/wording/lines.ts';
import type { Services } from '../backend/host.ts';
import { arrivalLimits, boundStrangers, listenOnLoopback } from '../http/loopback.ts';
import { pageFile, securityHeaders } from './page.ts';

/** The largest body, with a pasted text, whose characters take up to six bytes in JSON. */
const MAX_BODY_BYTES = 6 * MAX_PASTED_LENGTH + 100_000;
const CALL = 'call/';

export type HttpEntry = Awaited<ReturnType<typeof serveOverHttp>>;

/** The session for calls that a stream of events gives its tab. It ends with the stream. */
interface CallSession {
  seal: MessageCipher;
  /** The numbers of its calls so far. The app runs no call twice, even if somebody sends it again. */
  used: Set<string>;
}

export async function serveOverHttp(services: Services, pageFolder: string, port = 0) {
  const tabs = new Map<string, MessageCipher>();
  const callSessions = new Map<string, CallSession>();
  const folder = `/${randomSecret()}/`;
  let link: { readonly key: string; onOpened(): void } | null = null;
  let origin = '';

  const server = createServer(arrivalLimits, (request, response) => {
    handle(request, response).catch((thrown: unknown) => {
      if (response.headersSent) response.destroy();
      else if (thrown instanceof Refusal) refuse(response, thrown);
      else refuse(response, new Refusal(500, 'The app could not answer this.'));
    });
  });

  const strangers = boundStrangers(server);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A page that rebinds its own name to this address (DNS rebinding) still sends that name.
    if (request.headers.host !== new URL(origin).host) throw new Refusal(403, 'Unknown host.');
    const url = new URL(request.url ?? '/', origin);
    // Browsers request it by themselves. The page names its own icon.
    if (url.pathname === '/favicon.ico') return void response.writeHead(204, securityHeaders('')).end();
    const path = url.pathname.startsWith(folder) ? url.pathname.slice(folder.length) : null;
    if (path === null) throw new Refusal(403, noAccessText());
    if (request.method === 'POST' && path.startsWith(CALL)) {
      const session = authorize(callSessions, request);
      return call(session, decodeURIComponent(path.slice(CALL.length)), request, response);
    }
    if (request.method === 'POST' && path === 'events')
      return stream(authorize(tabs, request), request, response);
    if (request.method !== 'GET') throw new Refusal(405, 'Not allowed.');
    if (path === 'open') return open(url.searchParams.get('key') ?? '', response);
    refuseOtherPages(request);
    const file = await pageFile(pageFolder, `/${path}`);
    response.writeHead(file.status, file.headers).end(file.body);
  }

  /** Exchanges the key for a session. A script stores it for the page, so that the key is in no address any more. */
  async function open(key: string, response: ServerResponse): Promise<void> {
    if (link === null || !sameSecret(link.key, key)) throw new Refusal(403, noAccessText());
    const { onOpened } = link;
    link = null;
    const session = newSession();
    tabs.set(session.id, await createMessageCipher(session.key));
    const attribute = JSON.stringify(session).replaceAll('"', '&quot;');
    response.writeHead(200, {
      ...securityHeaders('', `'sha256-${createHash('sha256').update(STORE_SESSION).digest('base64')}'`),
      'content-type': 'text/html; charset=utf-8',
    });
    response.end(
      `<!doctype html><title>Wallet Ferry</title><script data-session="${attribute}">${STORE_SESSION}</script>`,
    );
    onOpened();
  }

  /** Finds the tab or session that sends the request. Throws Refusal if it is unknown. */
  function authorize<T>(known: ReadonlyMap<string, T>, request: IncomingMessage): T {
    const [, id = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    const sender = known.get(id);
    if (sender === undefined) throw new Refusal(403, noAccessText());
    refuseOtherPages(request);
    strangers.accept(request);
    return sender;
  }

  /** Refuses requests from other pages: checks the origin of writes and the site of reads. */
  function refuseOtherPages({ method, headers }: IncomingMessage): void {
    const site = headers['sec-fetch-site'];
    const isRead = method === 'GET';
    const isOurSite = site === undefined || site === 'same-origin' || (isRead && site === 'none');
    if (!isOurSite || (!isRead && headers.origin !== origin))
      throw new Refusal(403, 'Not from the app’s own page.');
  }

  async function call(
    { seal, used }: CallSession,
    name: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const closed = new AbortController();
    response.once('close', () => closed.abort());
    const number = String(request.headers[NUMBER_HEADER] ?? '');
    const text = await openBody(seal, messagePurposes.call(name, number), request);
    if (used.has(number)) throw new Refusal(409, 'This call was made already.');
    used.add(number);
    const answer = await services.call(name, parseJson(text), closed.signal);
    const sealed = await seal.encrypt(JSON.stringify(answer), messagePurposes.answer(number));
    if (response.destroyed) return;
    response.writeHead(200, { ...securityHeaders(''), 'content-type': SEALED_TYPE });
    response.end(sealed);
  }

  async function stream(
    tab: MessageCipher,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const nonce = await openBody(tab, messagePurposes.connection(), request);
    const session = newSession();
    const seal = await createMessageCipher(session.key);
    if (response.destroyed) return;
    callSessions.set(session.id, { seal, used: new Set() });
    response.writeHead(200, { ...securityHeaders(''), 'content-type': 'text/plain; charset=utf-8' });
    let count = 0;
    let written: Promise<unknown> = Promise.resolve();
    const write = (value: object) => {
      const sealed = tab.encrypt(JSON.stringify(value), messagePurposes.event(nonce, count++));
      // Write in the order of the numbers.
      written = Promise.all([sealed, written]).then(([line]) => response.write(`${toBase64(line)}\n`));
    };
    write(session);
    const unsubscribe = services.subscribe((name, value) => write({ name, value }));
    const beat = setInterval(() => response.write('\n'), HEARTBEAT_MS);
    response.on('close', () => {
      callSessions.delete(session.id);
      clearInterval(beat);
      unsubscribe();
    });
  }

  const listening = await listenOnLoopback(server, port);
  // Hexadecimal, because host names ignore case.
  origin = `http://${randomBytes(16).toString('hex')}.localhost:${listening.port}`;
  return {
    /** `http://<random>.localhost:<port>`, new in each run. */
    origin,
    /** The page's address: the origin and the folder with the secret name. */
    page: `${origin}${folder}`,
    /** Makes a link that opens one tab, once, and then calls `onOpened`. Earlier links stop working. */
    newLink(onOpened: () => void = () => {}): string {
      const key = randomSecret();
      link = { key, onOpened };
      return `${origin}${folder}open?key=${key}`;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await listening.close();
    },
  };
}

/** If the browser stores nothing for this page, the page itself says so. */
const STORE_SESSION = `try { sessionStorage.setItem('${SESSION_STORAGE_KEY}', document.currentScript.dataset.session); } catch {}
location.replace('./');`;

/** The reason to refuse a request, with its HTTP status. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    text: string,
  ) {
    super(text);
  }
}

function refuse(response: ServerResponse, { status, message }: Refusal): void {
  response.writeHead(status, { ...securityHeaders(''), 'content-type': 'text/plain; charset=utf-8' });
  response.end(message);
}

function newSession(): SessionCredentials {
  return { id: randomSecret(), key: randomSecret() };
}

function sameSecret(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Reads a sealed body. `purpose`: what it was sealed for. */
async function openBody(seal: MessageCipher, purpose: string, request: IncomingMessage): Promise<string> {
  if (request.headers['content-type'] !== SEALED_TYPE) throw new Refusal(415, 'Sealed bytes only.');
  const body = await readBody(request);
  return seal.decrypt(Uint8Array.from(body), purpose).catch(() => {
    throw new Refusal(403, 'Not sealed by the app’s own page.');
  });
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    // Read on for a while, so that the refusal arrives before the connection closes.
    if (size > 2 * MAX_BODY_BYTES) break;
    if (size <= MAX_BODY_BYTES) chunks.push(bytes);
  }
  if (size > MAX_BODY_BYTES) throw new Refusal(413, 'Too large.');
  return Buffer.concat(chunks);
}
