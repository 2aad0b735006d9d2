/**
 * The contract over loopback HTTP: the page's files, one route per request and a stream of events. Only the tab that
 * opened the one-time link gets an answer; Host, Origin and Sec-Fetch-Site keep other pages out.
 *
 * What crosses is sealed with keys that only this tab and the app have (see `shared/model/seal.ts`): who has the port after the
 * app's end is told nothing and can say nothing. The name of the tab is a header and no cookie. Cookies do not know ports: the browser gives them to any server of this
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
import { parseJson } from '../../shared/model/parseJson.ts';
import {
  about,
  BEAT_MS,
  NUMBER_HEADER,
  randomSecret,
  SEALED_TYPE,
  SESSION_KEY,
  type Seal,
  type SealedWith,
  sealWith,
  toBase64,
} from '../../shared/model/seal.ts';
import { noAccess } from '../../shared/wording/lines.ts';
import { catalogue, speak, spoken } from '../../shared/wording/say.ts';
import type { Services } from '../backend/host.ts';
import { arrivalLimits, boundStrangers } from '../http/boundStrangers.ts';
import { listenOnLoopback } from '../http/loopback.ts';
import { pageFile, securityHeaders } from './page.ts';

/** A passphrase, a path and a name fit many times over. */
const MAX_BODY_BYTES = 1_000_000;
const CALL = 'call/';

export type HttpEntry = Awaited<ReturnType<typeof serveOverHttp>>;

/** What one opened stream of events gave its tab for calls; it ends with the stream. */
interface CallLine {
  seal: Seal;
  /** The numbers of its calls: none is done twice, whoever sends it again. */
  used: Set<string>;
}

export async function serveOverHttp(services: Services, pageFolder: string, port = 0) {
  const tabs = new Map<string, Seal>();
  const lines = new Map<string, CallLine>();
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
    // A page elsewhere that rebinds its name to this address still sends its own name; the address is none of ours.
    if (request.headers.host !== new URL(origin).host) throw new Refusal(403, 'Unknown host.');
    const url = new URL(request.url ?? '/', origin);
    // Browsers ask for it by themselves; the page names its own icon.
    if (url.pathname === '/favicon.ico') return void response.writeHead(204, securityHeaders('')).end();
    const path = url.pathname.startsWith(folder) ? url.pathname.slice(folder.length) : null;
    if (path === null) throw new Refusal(403, noAccess());
    if (request.method === 'POST' && path.startsWith(CALL)) {
      const line = mayAsk(lines, request);
      return call(line, decodeURIComponent(path.slice(CALL.length)), request, response);
    }
    if (request.method === 'POST' && path === 'events')
      return stream(mayAsk(tabs, request), request, response);
    if (request.method !== 'GET') throw new Refusal(405, 'Not allowed.');
    if (path === 'open') return open(url.searchParams.get('key') ?? '', response);
    refuseOtherPages(request);
    // What is made here is read there: its dates are those of the page.
    const languages = request.headers['accept-language'];
    if (path === '' && languages) speak(spoken().language, catalogue(), tagsIn(languages));
    const file = await pageFile(pageFolder, `/${path}`);
    response.writeHead(file.status, file.headers).end(file.body);
  }

  /** Exchanges the key for a session, which a script leaves to the page: then the key is in no address any more. */
  async function open(key: string, response: ServerResponse): Promise<void> {
    if (link === null || !sameSecret(link.key, key)) throw new Refusal(403, noAccess());
    const { onOpened } = link;
    link = null;
    const session = newSession();
    tabs.set(session.id, await sealWith(session.key));
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

  /** What is known of who asks for more than a file. */
  function mayAsk<T>(known: ReadonlyMap<string, T>, request: IncomingMessage): T {
    const [, id = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    const asker = known.get(id);
    if (asker === undefined) throw new Refusal(403, noAccess());
    refuseOtherPages(request);
    strangers.letIn(request);
    return asker;
  }

  /** All but requests of the page itself, or of the person at the browser: its origin on writes, its site on reads. */
  function refuseOtherPages({ method, headers }: IncomingMessage): void {
    const site = headers['sec-fetch-site'];
    const isRead = method === 'GET';
    const isOurSite = site === undefined || site === 'same-origin' || (isRead && site === 'none');
    if (!isOurSite || (!isRead && headers.origin !== origin))
      throw new Refusal(403, 'Not from the app’s own page.');
  }

  async function call(
    { seal, used }: CallLine,
    name: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const number = String(request.headers[NUMBER_HEADER] ?? '');
    const text = await openBody(seal, about.call(name, number), request);
    if (used.has(number)) throw new Refusal(409, 'This call was made already.');
    used.add(number);
    const answer = await services.call(name, parseJson(text), gone.signal);
    const sealed = await seal.close(JSON.stringify(answer), about.answer(number));
    if (response.destroyed) return;
    response.writeHead(200, { ...securityHeaders(''), 'content-type': SEALED_TYPE });
    response.end(sealed);
  }

  async function stream(tab: Seal, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const word = await openBody(tab, about.line(), request);
    const given = newSession();
    const seal = await sealWith(given.key);
    if (response.destroyed) return;
    lines.set(given.id, { seal, used: new Set() });
    response.writeHead(200, { ...securityHeaders(''), 'content-type': 'text/plain; charset=utf-8' });
    let count = 0;
    let written: Promise<unknown> = Promise.resolve();
    const write = (value: object) => {
      const sealed = tab.close(JSON.stringify(value), about.event(word, count++));
      // In the order of their numbers.
      written = Promise.all([sealed, written]).then(([line]) => response.write(`${toBase64(line)}\n`));
    };
    write(given);
    const unsubscribe = services.subscribe((name, value) => write({ name, value }));
    const beat = setInterval(() => response.write('\n'), BEAT_MS);
    response.on('close', () => {
      lines.delete(given.id);
      clearInterval(beat);
      unsubscribe();
    });
  }

  const listening = await listenOnLoopback(server, port);
  // Hexadecimal, because names of hosts do not tell capital letters.
  origin = `http://${randomBytes(16).toString('hex')}.localhost:${listening.port}`;
  return {
    /** `http://<random>.localhost:<port>`, another one in each run. */
    origin,
    /** The address of the page: the origin, and the folder with a secret name. */
    page: `${origin}${folder}`,
    /** A new link that lets one tab in, once, and then tells. Those made before it open nothing any more. */
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

/** Where the browser keeps nothing for this page, that says so. */
const LET_IN = `try { sessionStorage.setItem('${SESSION_KEY}', document.currentScript.dataset.session); } catch {}
location.replace('./');`;

/** Why a request is not answered, and the status that says so. */
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

/** BCP 47, the best first, as browsers send them: `en-US,en;q=0.9`. */
function tagsIn(languages: string): string[] {
  return languages.split(',').flatMap((entry) => entry.split(';')[0]?.trim() || []);
}

function newSession(): SealedWith {
  return { id: randomSecret(), key: randomSecret() };
}

function sameSecret(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The text of a sealed body. */
async function openBody(seal: Seal, words: string, request: IncomingMessage): Promise<string> {
  if (request.headers['content-type'] !== SEALED_TYPE) throw new Refusal(415, 'Sealed bytes only.');
  const body = await readBody(request);
  return seal.open(Uint8Array.from(body), words).catch(() => {
    throw new Refusal(403, 'Not sealed by the app’s own page.');
  });
}

/** The whole body. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    // Read on to a point, so that the refusal arrives before the line is cut.
    if (size > 16 * MAX_BODY_BYTES) break;
    if (size <= MAX_BODY_BYTES) chunks.push(bytes);
  }
  if (size > MAX_BODY_BYTES) throw new Refusal(413, 'Too large.');
  return Buffer.concat(chunks);
}
