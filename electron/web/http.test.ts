import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { connect as connectTo, createServer as createNetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EventName } from '../../shared/contract.ts';
import { DEFAULT_SETTINGS, MAX_PASTED_LENGTH } from '../../shared/contract.ts';
import { NUMBER_HEADER, type SessionCredentials, sessionCredentialsShape } from '../../shared/model/seal.ts';
import type { Services } from '../backend/host.ts';
import { listen } from '../http/loopback.ts';
import { type HttpEntry, serveOverHttp } from './http.ts';
import { openTabClient, type Reply, type TabClient } from './testing/tabClient.ts';

let pageFolder: string;
let entry: HttpEntry;
let calls: { name: string; input: unknown }[];
let signals: AbortSignal[];
let listeners: Set<(name: EventName, value: unknown) => void>;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ferry-page-'));
  pageFolder = join(folder, 'page');
  await mkdir(pageFolder);
  await writeFile(join(pageFolder, 'index.html'), '<meta name="csp-nonce" content="__NONCE__">');
  await writeFile(join(folder, 'outside.html'), 'secret');
  return () => rm(folder, { recursive: true });
});

beforeEach(async () => {
  calls = [];
  signals = [];
  listeners = new Set();
  entry = await serveOverHttp(servicesThatEcho(), pageFolder);
});

function servicesThatEcho(): Services {
  return {
    async call(name, input, signal) {
      calls.push({ name, input });
      if (signal) signals.push(signal);
      if (name === 'wallet.inspect')
        await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      return { ok: true, value: { echo: input } };
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    settings: () => DEFAULT_SETTINGS,
    running: () => [],
    waits: () => false,
    openFile() {},
    showRoute() {},
    async close() {},
  };
}

afterEach(() => entry.close());

/** Connects to 127.0.0.1 and sends the entry's host, because some systems cannot resolve names below `localhost`. */
function address() {
  const { host, port } = new URL(entry.origin);
  return { host: '127.0.0.1', port, headers: { host } };
}

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

async function send(path: string, { method = 'GET', headers, body }: Sent = {}): Promise<Reply> {
  const request = httpRequest({ ...address(), path, method, headers: { ...address().headers, ...headers } });
  const [response] = await once(request.end(body), 'response');
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

/** A path below the folder with the secret name. */
const inside = (path: string) => `${new URL(entry.page).pathname}${path}`;

/** Opens a new link and reads the session from its page. */
async function openLink(): Promise<SessionCredentials> {
  return sessionIn(await send(entry.newLink().slice(entry.origin.length)));
}

function sessionIn({ body }: Reply): SessionCredentials {
  const attribute = /data-session="([^"]+)"/.exec(body)?.[1] ?? '';
  return sessionCredentialsShape.parse(JSON.parse(attribute.replaceAll('&quot;', '"')));
}

/** Opens a link and connects a tab. */
async function openTab(): Promise<TabClient> {
  const tab = await openTabClient(entry.page, await openLink());
  ends.push(tab.end);
  return tab;
}

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

describe('the browser entry', () => {
  it('opens a link in one tab, once, and reports it', async () => {
    const opened = vi.fn();
    const path = entry.newLink(opened).slice(entry.origin.length);
    expect((await send(`${path}x`)).status).toBe(403);
    expect(opened).not.toHaveBeenCalled();
    const { id, key } = sessionIn(await send(path));
    expect(id).toMatch(/^[\w-]{43}$/);
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(id).not.toBe(key);
    const second = await send(path);
    expect(second.status).toBe(403);
    expect(second.body).toContain('This link was used');
    expect(second.body).not.toContain('data-session');
    expect(opened).toHaveBeenCalledOnce();
  });

  // SECURITY.md: A page in the same browser
  it('has a new host in each run, for which a browser has stored nothing', async () => {
    const other = await serveOverHttp(servicesThatEcho(), pageFolder);
    const [first, second] = [new URL(entry.page), new URL(other.page)];
    for (const { hostname } of [first, second]) expect(hostname).toMatch(/^[0-9a-f]{32}\.localhost$/);
    expect(first.hostname).not.toBe(second.hostname);
    const link = new URL(entry.newLink());
    expect(link.origin).toBe(first.origin);
    const names = ['127.0.0.1', 'localhost', '[::1]', second.hostname, `x.${first.hostname}`];
    for (const host of [...names.map((name) => `${name}:${first.port}`), first.hostname]) {
      const { status, body } = await send(link.pathname + link.search, { headers: { host } });
      expect([host, status]).toEqual([host, 403]);
      expect(body).not.toContain('data-session');
    }
    expect((await send(link.pathname + link.search)).status).toBe(200);
    await other.close();
  });

  // SECURITY.md: A page in the same browser
  it('sets no cookie, which the browser would send to every server of this machine', async () => {
    const opened = await send(entry.newLink().slice(entry.origin.length));
    const tab = await openTabClient(entry.page, sessionIn(opened));
    ends.push(tab.end);
    for (const reply of [opened, await send(inside('')), await tab.call('app.info', '{}')]) {
      expect(reply.status).toBe(200);
      expect(reply.headers['set-cookie']).toBeUndefined();
    }
  });

  it('runs no script on the link’s page except the one that stores the session', async () => {
    const { headers, body } = await send(entry.newLink().slice(entry.origin.length));
    const script = /<script [^>]*>([^<]*)<\/script>/.exec(body)?.[1] ?? '';
    const hash = createHash('sha256').update(script).digest('base64');
    expect(headers['content-security-policy']).toContain(`script-src 'sha256-${hash}';`);
    expect(body.match(/<script/g)).toHaveLength(1);
  });

  it('answers calls from its own page', async () => {
    const reply = await (await openTab()).call('app.info', '{"a":1}');
    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.body)).toEqual({ ok: true, value: { echo: { a: 1 } } });
    expect(calls).toEqual([{ name: 'app.info', input: { a: 1 } }]);
  });

  it.each<[string, (good: Record<string, string>) => Record<string, string>]>([
    ['no session', () => ({ authorization: '' })],
    [
      'an invented session',
      ({ authorization = '' }) => ({ authorization: `${authorization.slice(0, -3)}abc` }),
    ],
    ['the session in a cookie', ({ authorization = '' }) => ({ authorization: '', cookie: authorization })],
    ['the address as its host', () => ({ host: `127.0.0.1:${new URL(entry.origin).port}` })],
    ['another host name', () => ({ host: 'evil.example' })],
    ['no origin, as a form or a link would send it', () => ({ origin: '' })],
    ['another origin', () => ({ origin: 'http://evil.example' })],
    ['another site', () => ({ 'sec-fetch-site': 'cross-site' })],
    ['another port of this machine', () => ({ 'sec-fetch-site': 'same-site' })],
  ])('refuses a call with %s', async (_, change) => {
    const tab = await openTab();
    const reply = await tab.call('app.info', '{}', { headers: change(tab.headers()) });
    expect(reply.status).toBe(403);
    expect(calls).toEqual([]);
  });

  it('accepts only sealed bytes of a limited size, by POST', async () => {
    const tab = await openTab();
    for (const type of ['application/json', 'text/plain']) {
      const form = { 'content-type': type };
      expect((await tab.call('app.info', '{}', { headers: form })).status).toBe(415);
    }
    expect((await tab.call('app.info', ' '.repeat(6 * MAX_PASTED_LENGTH + 100_001))).status).toBe(413);
    for (const method of ['PUT', 'DELETE', 'OPTIONS']) {
      const request = { method, headers: tab.headers() };
      expect((await send(inside('call/app.info'), request)).status).toBe(405);
    }
    expect(calls).toEqual([]);
  });

  // SECURITY.md: A page in the same browser
  it('refuses a call that its page did not seal, or sealed for another call', async () => {
    const tab = await openTab();
    const plain = { method: 'POST', headers: tab.headers(), body: '{}' };
    expect((await send(inside('call/app.info'), plain)).status).toBe(403);
    // For another request, and by another tab.
    expect((await tab.call('app.info', '{}', { as: 'app.other' })).status).toBe(403);
    const { authorization = '' } = (await openTab()).headers();
    expect((await tab.call('app.info', '{}', { headers: { authorization } })).status).toBe(403);
    expect(calls).toEqual([]);
    expect((await tab.call('app.info', '{}')).status).toBe(200);
  });

  // SECURITY.md: A page in the same browser
  it('runs no call twice, whoever sends it again', async () => {
    const tab = await openTab();
    const again = { [NUMBER_HEADER]: '7' };
    expect((await tab.call('app.info', '{}', { headers: again })).status).toBe(200);
    expect((await tab.call('app.info', '{}', { headers: again })).status).toBe(409);
    expect(calls).toHaveLength(1);
    tab.end();
    // Nor after the tab has closed.
    await expect.poll(async () => (await tab.call('app.info', '{}')).status).toBe(403);
  });

  // SECURITY.md: A page in the same browser
  it('sends neither inputs nor answers in the clear', async () => {
    const sent: Buffer[] = [];
    const wire = createNetServer((socket) => {
      const upstream = connectTo(Number(new URL(entry.origin).port), '127.0.0.1');
      for (const end of [socket, upstream]) {
        end.on('data', (piece) => sent.push(piece));
        end.on('error', () => {});
      }
      socket.pipe(upstream).pipe(socket);
    });
    const { port } = await listen(wire);
    const session = await openLink();
    const page = new URL(entry.page);
    const { host } = page;
    page.port = String(port);
    const tab = await openTabClient(page.href, session, host);
    for (const listener of listeners) listener('openFile', { path: '/a-secret-path' });
    const { body } = await tab.call('wallet.try', '{"passphrase":"a-secret-phrase"}');
    expect(body).toContain('a-secret-phrase');
    await expect.poll(() => tab.events).toHaveLength(1);
    tab.end();
    wire.close();
    const traffic = Buffer.concat(sent).toString('latin1');
    expect(traffic).toContain('call/wallet.try');
    for (const secret of ['a-secret-phrase', 'passphrase', session.key])
      expect(traffic).not.toContain(secret);
    expect(tab.sealedLines).toHaveLength(2);
    for (const text of tab.sealedLines)
      expect(Buffer.from(text, 'base64').toString('latin1')).not.toContain('a-secret-path');
  });

  it('serves the page with a strict policy and a new nonce each time', async () => {
    const nonces = new Set<string>();
    for (let load = 0; load < 2; load++) {
      const reply = await send(inside(''));
      const policy = String(reply.headers['content-security-policy']);
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain('unsafe');
      expect(reply.body).toBe(`<meta name="csp-nonce" content="${nonce}">`);
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(2);
  });

  // SECURITY.md: A page in the same browser
  it.each([
    'x/../../outside.html',
    '%2e%2e/outside.html',
    '..%2foutside.html',
    '..%5coutside.html',
    '%2Foutside.html',
    '%E0%A4%A',
    'index.html%00.png',
    'index.html::$DATA',
    'index.html%20',
    'aux.html',
    'assets/CON.js',
    'com1.html',
    `${'x'.repeat(5000)}.html`,
    `${'x/'.repeat(200)}y.html`,
  ])('serves nothing outside the page folder: %s', async (path) => {
    const reply = await send(inside(path));
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.body).not.toContain('secret');
  });

  it('streams events to its page and to no other', async () => {
    const session = await openLink();
    await expect(openTabClient(entry.page, { ...session, id: `${session.id}x` })).rejects.toThrow('403');
    // The tab's name without its key is not enough.
    await expect(openTabClient(entry.page, { ...session, key: session.id })).rejects.toThrow('403');
    const authorization = `Bearer ${session.id}`;
    for (const headers of [{ authorization, 'sec-fetch-site': 'cross-site' }, {}]) {
      expect((await send(inside('events'), { method: 'POST', headers })).status).toBe(403);
    }
    expect(listeners.size).toBe(0);
    const tab = await openTabClient(entry.page, session);
    ends.push(tab.end);
    for (const path of ['/a\nb', '/c']) for (const listener of listeners) listener('openFile', { path });
    const received = () => tab.events.map((text) => JSON.parse(text));
    const events = ['/a\nb', '/c'].map((path) => ({ name: 'openFile', value: { path } }));
    await expect.poll(received).toEqual(events);
  });

  it('voids a link when it makes the next one', async () => {
    const first = entry.newLink().slice(entry.origin.length);
    const second = entry.newLink().slice(entry.origin.length);
    expect((await send(first)).status).toBe(403);
    expect((await send(second)).status).toBe(200);
  });

  // SECURITY.md: A page in the same browser
  it('leaves no trace of a link in the referrer, the cache or the page’s address', async () => {
    const link = new URL(entry.newLink());
    const { headers, body } = await send(link.pathname + link.search);
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
    expect(body).toContain("location.replace('./')");
    expect(body).not.toContain(link.searchParams.get('key') ?? '');
    expect(new URL('./', link).href).toBe(entry.page);
  });

  // SECURITY.md: A page in the same browser
  it('lies below a folder with a secret name, and shows the name to nobody', async () => {
    const { authorization = '' } = (await openTab()).headers();
    const { pathname } = new URL(entry.page);
    expect(pathname).toMatch(/^\/[\w-]{43}\/$/);
    // The session without the path is not enough.
    for (const path of ['/', '/events', '/call/app.info', '/index.html', `${pathname.slice(0, -2)}x/`]) {
      const { status, body } = await send(path, { headers: { authorization } });
      expect(status).toBe(403);
      expect(body).not.toContain(pathname.slice(1, -1));
    }
  });

  it('refuses its files to pages of other sites and ports that know the path', async () => {
    const statusOf = async (path: string, site: string) =>
      (await send(inside(path), { headers: { 'sec-fetch-site': site } })).status;
    for (const site of ['cross-site', 'same-site'])
      for (const path of ['', 'index.html', 'language.json', 'events'])
        expect(await statusOf(path, site)).toBe(403);
    expect(await statusOf('', 'none')).toBe(200);
  });

  // SECURITY.md: A page in the same browser
  it('lets no other page send the header (CORS preflight)', async () => {
    const headers = {
      origin: 'http://127.0.0.1:1',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    };
    const reply = await send(inside('call/app.info'), { method: 'OPTIONS', headers });
    expect(reply.status).toBe(405);
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  // SECURITY.md: A page in the same browser
  it('speaks no other protocol', async () => {
    const { authorization } = (await openTab()).headers();
    const { host, port } = new URL(entry.origin);
    const replyTo = (start: string) =>
      new Promise<string>((resolve) => {
        const socket = connectTo(Number(port), '127.0.0.1', () => socket.write(start));
        let text = '';
        socket.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
          if (text.includes('\r\n\r\n')) socket.destroy();
        });
        socket.on('error', () => {});
        socket.on('close', () => resolve(text));
      });
    const head = `Host: ${host}\r\nAuthorization: ${authorization}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nOrigin: http://evil.example\r\n\r\n`;
    for (const path of [inside('events'), inside('call/app.info'), inside('')]) {
      expect(await replyTo(`GET ${path} HTTP/1.1\r\n${head}`)).not.toContain('101 ');
    }
    const tunnel = `CONNECT evil.example:443 HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    expect(await replyTo(tunnel)).not.toContain(' 200 ');
    // A full URL instead of a path leads nowhere else.
    expect(await replyTo(`GET http://evil.example/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).toContain(' 403 ');
    const hosts = `Host: evil.example\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\n\r\n`;
    expect(await replyTo(`GET ${inside('')} HTTP/1.1\r\n${hosts}`)).not.toContain(' 200 ');
    expect(calls).toEqual([]);
  });

  // SECURITY.md: A flood of connections
  it('keeps few connections of strangers, and still serves its page', async () => {
    const tab = await openTab();
    const { port, host: hostname } = address();
    const flood = Array.from({ length: 400 }, () => {
      const stranger = connectTo(Number(port), hostname, () => stranger.write('GET / HTTP/1.1\r\nHost: '));
      stranger.on('error', () => {});
      return stranger;
    });
    await expect.poll(() => flood.filter(({ closed }) => !closed).length).toBe(128);
    expect((await tab.call('app.info', '{}')).status).toBe(200);
    // The page's stream is older than all of these, and is still open.
    for (const listener of listeners) listener('openFile', { path: '/a' });
    await expect.poll(() => tab.events).toHaveLength(1);
    for (const stranger of flood) stranger.destroy();
  });

  // SECURITY.md: A hostile wallet file
  it('aborts a call when the browser leaves, which ends its work on a file', async () => {
    const tab = await openTab();
    const leaving = new AbortController();
    const call = tab.call('wallet.inspect', '{}', { signal: leaving.signal });
    call.catch(() => {});
    await vi.waitUntil(() => signals.length > 0);
    const gone = new Promise((resolve) => signals[0]?.addEventListener('abort', resolve));
    expect(signals[0]?.aborted).toBe(false);
    leaving.abort();
    await gone;
  });

  it('treats names such as __proto__ as plain data', async () => {
    const body = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    expect((await (await openTab()).call('app.info', body)).status).toBe(200);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('requests no device and refuses to be framed', async () => {
    const { headers } = await send(inside(''));
    const policy = String(headers['permissions-policy']);
    const features = 'camera microphone geolocation usb serial hid bluetooth clipboard-read';
    for (const feature of features.split(' ')) expect(policy).toContain(`${feature}=()`);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    const strict = { 'cross-origin-opener-policy': 'same-origin', 'x-content-type-options': 'nosniff' };
    expect(headers).toMatchObject(strict);
  });
});
