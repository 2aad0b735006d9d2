import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { connect as connectTo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EventName } from '../../../shared/contractNames.ts';
import { type Session, sessionShape } from '../../../shared/letIn.ts';
import type { Services } from '../host.ts';
import { type HttpEntry, serveOverHttp } from './http.ts';

interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

let entry: HttpEntry;
let calls: { name: string; input: unknown }[];
let askers: AbortSignal[];
let listeners: Set<(name: EventName, value: unknown) => void>;

beforeEach(async () => {
  calls = [];
  askers = [];
  listeners = new Set();
  entry = await serveOverHttp(servicesThatEcho(), await pageFolder());
});

async function pageFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ferry-page-'));
  await writeFile(join(folder, 'index.html'), '<meta name="csp-nonce" content="__NONCE__">');
  await writeFile(join(folder, '..', 'outside.html'), 'secret');
  return folder;
}

function servicesThatEcho(): Services {
  return {
    async call(name, input, asker) {
      calls.push({ name, input });
      if (asker) askers.push(asker);
      if (name === 'wallet.inspect')
        await new Promise((resolve) => asker?.addEventListener('abort', resolve));
      return { ok: true, value: { echo: input } };
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    running: () => ({ all: 0, inEngine: 0 }),
    openFile() {},
    showPlace() {},
    async close() {},
  };
}

afterEach(() => entry.close());

/** The address, and the host that a browser would ask for there: not every system knows names below `localhost`. */
function door() {
  const { host, port } = new URL(entry.origin);
  return { host: '127.0.0.1', port, headers: { host } };
}

function send(
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        ...door(),
        path,
        method: options.method ?? 'GET',
        headers: { ...door().headers, ...options.headers },
      },
      (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        );
      },
    );
    request.on('error', reject);
    request.end(options.body);
  });
}

/** A path below the folder with the secret name, where everything is. */
const inside = (path: string) => `${new URL(entry.page).pathname}${path}`;

/** Follows a fresh link and gives the session that its page leaves to the app's own. */
async function letIn(): Promise<Session> {
  return sessionIn(await send(entry.newLink().slice(entry.origin.length)));
}

function sessionIn({ body }: Reply): Session {
  const given = /data-session="([^"]+)"/.exec(body)?.[1] ?? '';
  return sessionShape.parse(JSON.parse(given.replaceAll('&quot;', '"')));
}

const json = ({ page }: Session, more: Record<string, string> = {}) => ({
  authorization: `Bearer ${page}`,
  origin: entry.origin,
  'content-type': 'application/json',
  ...more,
});

describe('the browser entry', () => {
  it('lets the tab of the link in, once, and tells that it did', async () => {
    let opened = 0;
    const link = entry.newLink(() => {
      opened += 1;
    });
    const path = link.slice(entry.origin.length);
    expect((await send(`${path}x`)).status).toBe(403);
    expect(opened).toBe(0);
    const { page, app } = sessionIn(await send(path));
    expect(page).toMatch(/^[\w-]{43}$/);
    expect(app).toMatch(/^[\w-]{43}$/);
    expect(page).not.toBe(app);
    const second = await send(path);
    expect(second.status).toBe(403);
    expect(second.body).toContain('Each link opens once');
    expect(second.body).not.toContain('data-session');
    expect(opened).toBe(1);
  });

  it('has a host of its own in each run, which nothing was ever kept for', async () => {
    const other = await serveOverHttp(servicesThatEcho(), await pageFolder());
    const [first, second] = [new URL(entry.page), new URL(other.page)];
    for (const { hostname } of [first, second]) expect(hostname).toMatch(/^[0-9a-f]{32}\.localhost$/);
    expect(first.hostname).not.toBe(second.hostname);
    const link = new URL(entry.newLink());
    expect(link.origin).toBe(first.origin);
    for (const host of [
      `127.0.0.1:${first.port}`,
      `localhost:${first.port}`,
      `[::1]:${first.port}`,
      `${second.hostname}:${first.port}`,
      `x.${first.host}`,
      first.hostname,
    ]) {
      const { status, body } = await send(link.pathname + link.search, { headers: { host } });
      expect([host, status]).toEqual([host, 403]);
      expect(body).not.toContain('data-session');
    }
    expect((await send(link.pathname + link.search)).status).toBe(200);
    await other.close();
  });

  it('sets no cookie, which the browser would give to every server of this machine', async () => {
    const opened = await send(entry.newLink().slice(entry.origin.length));
    const asked = { method: 'POST', headers: json(sessionIn(opened)), body: '{}' };
    for (const reply of [opened, await send(inside('')), await send(inside('call/app.info'), asked)]) {
      expect(reply.status).toBe(200);
      expect(reply.headers['set-cookie']).toBeUndefined();
    }
  });

  it('runs no script on the page of the link but the one that leaves the session', async () => {
    const { headers, body } = await send(entry.newLink().slice(entry.origin.length));
    const script = /<script [^>]*>([^<]*)<\/script>/.exec(body)?.[1] ?? '';
    const hash = createHash('sha256').update(script).digest('base64');
    expect(headers['content-security-policy']).toContain(`script-src 'sha256-${hash}';`);
    expect(body.match(/<script/g)).toHaveLength(1);
  });

  it('answers calls of its own page', async () => {
    const session = await letIn();
    const reply = await send(inside('call/app.info'), {
      method: 'POST',
      headers: json(session),
      body: '{"a":1}',
    });
    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.body)).toEqual({ ok: true, value: { echo: { a: 1 } } });
    expect(calls).toEqual([{ name: 'app.info', input: { a: 1 } }]);
  });

  it.each([
    ['no session', (good: Record<string, string>) => ({ ...good, authorization: '' })],
    [
      'a made-up session',
      (good: Record<string, string>) => ({
        ...good,
        authorization: `${good.authorization?.slice(0, -3)}abc`,
      }),
    ],
    [
      'the session in a cookie',
      ({ authorization = '', ...good }: Record<string, string>) => ({ ...good, cookie: authorization }),
    ],
    [
      'the address as its host',
      (good: Record<string, string>) => ({ ...good, host: `127.0.0.1:${new URL(entry.origin).port}` }),
    ],
    ['another host name', (good: Record<string, string>) => ({ ...good, host: 'evil.example' })],
    ['another origin', (good: Record<string, string>) => ({ ...good, origin: 'http://evil.example' })],
    ['another site', (good: Record<string, string>) => ({ ...good, 'sec-fetch-site': 'cross-site' })],
    [
      'another port of this machine',
      (good: Record<string, string>) => ({ ...good, 'sec-fetch-site': 'same-site' }),
    ],
  ])('refuses a call with %s', async (_, spoil) => {
    const headers = spoil(json(await letIn()));
    const reply = await send(inside('call/app.info'), { method: 'POST', headers, body: '{}' });
    expect(reply.status).toBe(403);
    expect(calls).toEqual([]);
  });

  it('refuses a call without an origin, as a form or a link would make', async () => {
    const session = await letIn();
    const reply = await send(inside('call/app.info'), {
      method: 'POST',
      headers: { authorization: `Bearer ${session.page}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(reply.status).toBe(403);
    expect(calls).toEqual([]);
  });

  it('takes JSON only, of a bounded size, by POST only', async () => {
    const session = await letIn();
    const form = json(session, { 'content-type': 'text/plain' });
    expect((await send(inside('call/app.info'), { method: 'POST', headers: form, body: '{}' })).status).toBe(
      415,
    );
    const large = { method: 'POST', headers: json(session), body: ' '.repeat(1_000_001) };
    expect((await send(inside('call/app.info'), large)).status).toBe(413);
    expect(
      (await send(inside('call/app.info'), { method: 'PUT', headers: json(session), body: '{}' })).status,
    ).toBe(405);
    expect(calls).toEqual([]);
  });

  it('serves the page with a strict policy and a nonce of its own each time', async () => {
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
    const session = await letIn();
    const { authorization } = json(session);
    for (const headers of [{ authorization, 'sec-fetch-site': 'cross-site' }, {}]) {
      expect((await send(inside('events'), { headers })).status).toBe(403);
    }
    const received = new Promise<string[]>((resolve, reject) => {
      const request = httpRequest(
        { ...door(), path: inside('events'), headers: { ...door().headers, authorization } },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (piece: string) => {
            if (text === '') {
              for (const listener of listeners) listener('hash', { job: 'a\nb', done: 1, total: 2 });
            }
            text += piece;
            if (text.split('\n').length < 3) return;
            resolve(text.split('\n'));
            request.destroy();
          });
        },
      );
      request.on('error', reject).end();
    });
    expect(await received).toEqual([
      // First of all the app proves itself: what took its port over could not.
      JSON.stringify({ app: session.app }),
      JSON.stringify({ name: 'hash', value: { job: 'a\nb', done: 1, total: 2 } }),
      '',
    ]);
  });

  it('keeps the proof of the app to the stream', async () => {
    const session = await letIn();
    const called = await send(inside('call/app.info'), {
      method: 'POST',
      headers: json(session),
      body: '{}',
    });
    expect(JSON.stringify([called.headers, called.body])).not.toContain(session.app);
  });

  it('voids a link when the next one is made', async () => {
    const first = entry.newLink().slice(entry.origin.length);
    const second = entry.newLink().slice(entry.origin.length);
    expect((await send(first)).status).toBe(403);
    expect((await send(second)).status).toBe(200);
  });

  it('leaves no trace of a link: no referrer, no cache, no place in the address of the page', async () => {
    const link = new URL(entry.newLink());
    const { headers, body } = await send(link.pathname + link.search);
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
    expect(body).toContain("location.replace('./')");
    expect(body).not.toContain(link.searchParams.get('key') ?? '');
    expect(new URL('./', link).href).toBe(entry.page);
  });

  it('is below a folder with a secret name, and tells it to nobody', async () => {
    const session = await letIn();
    const { pathname } = new URL(entry.page);
    expect(pathname).toMatch(/^\/[\w-]{43}\/$/);
    // Who has the session and not the path has nothing.
    for (const path of ['/', '/events', '/call/app.info', '/index.html', `${pathname.slice(0, -2)}x/`]) {
      const { status, body } = await send(path, { headers: json(session) });
      expect(status).toBe(403);
      expect(body).not.toContain(pathname.slice(1, -1));
    }
  });

  it('gives its files to no page of another site or port that has learnt the path', async () => {
    for (const site of ['cross-site', 'same-site']) {
      for (const path of ['', 'index.html', 'language.json', 'events']) {
        expect((await send(inside(path), { headers: { 'sec-fetch-site': site } })).status).toBe(403);
      }
    }
    expect((await send(inside(''), { headers: { 'sec-fetch-site': 'none' } })).status).toBe(200);
  });

  it('gives no leave to a page elsewhere that asks whether it may send the header', async () => {
    const asked = await send(inside('call/app.info'), {
      method: 'OPTIONS',
      headers: {
        origin: 'http://127.0.0.1:1',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    });
    expect(asked.status).toBe(405);
    expect(Object.keys(asked.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('speaks no other protocol', async () => {
    const session = await letIn();
    const { host, port } = new URL(entry.origin);
    const replyTo = (start: string) =>
      new Promise<string>((resolve) => {
        const line = connectTo(Number(port), '127.0.0.1', () => line.write(start));
        let text = '';
        line.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
          if (text.includes('\r\n\r\n')) line.destroy();
        });
        line.on('error', () => {});
        line.on('close', () => resolve(text));
      });
    const head = `Host: ${host}\r\nAuthorization: Bearer ${session.page}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nOrigin: http://evil.example\r\n\r\n`;
    for (const path of [inside('events'), inside('call/app.info'), inside('')]) {
      expect(await replyTo(`GET ${path} HTTP/1.1\r\n${head}`)).not.toContain('101 ');
    }
    expect(await replyTo(`CONNECT evil.example:443 HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).not.toContain(
      ' 200 ',
    );
    // A whole address in the place of the path leads nowhere else.
    expect(await replyTo(`GET http://evil.example/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).toContain(' 403 ');
    expect(
      await replyTo(
        `GET ${inside('')} HTTP/1.1\r\nHost: evil.example\r\nHost: ${host}\r\nAuthorization: Bearer ${session.page}\r\n\r\n`,
      ),
    ).not.toContain(' 200 ');
    expect(calls).toEqual([]);
  });

  it('holds few of the connections that strangers make, and goes on for its page', async () => {
    const session = await letIn();
    const { authorization } = json(session);
    const stream = httpRequest({
      ...door(),
      path: inside('events'),
      headers: { ...door().headers, authorization },
    }).end();
    const [events] = await once(stream, 'response');
    const { port, host: hostname } = door();
    const flood = Array.from({ length: 400 }, () => {
      const line = connectTo(Number(port), hostname, () => line.write('GET / HTTP/1.1\r\nHost: '));
      line.on('error', () => {});
      return line;
    });
    await expect.poll(() => flood.filter(({ closed }) => !closed).length).toBe(128);
    const asked = { method: 'POST', headers: json(session), body: '{}' };
    expect((await send(inside('call/app.info'), asked)).status).toBe(200);
    // The page's stream, older than all of them, is there still.
    const heard = once(events.setEncoding('utf8'), 'data');
    for (const listener of listeners) listener('hash', { job: 'a', done: 1, total: 2 });
    expect(String(await heard)).toContain('"app"');
    expect(events.destroyed).toBe(false);
    for (const line of flood) line.destroy();
    stream.destroy();
  });

  it('tells of a browser that waits for its answer no more, so that work on a file ends with it', async () => {
    const headers = json(await letIn());
    const path = inside('call/wallet.inspect');
    const request = httpRequest({
      ...door(),
      path,
      method: 'POST',
      headers: { ...door().headers, ...headers },
    });
    request.on('error', () => undefined);
    request.end('{}');
    await vi.waitUntil(() => askers.length > 0);
    const gone = new Promise((resolve) => askers[0]?.addEventListener('abort', resolve));
    expect(askers[0]?.aborted).toBe(false);
    request.destroy();
    await gone;
  });

  it('lets words that mean something to JavaScript be words', async () => {
    const session = await letIn();
    const body = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    expect(
      (await send(inside('call/app.info'), { method: 'POST', headers: json(session), body })).status,
    ).toBe(200);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('asks the browser for no device and is shown in no frame', async () => {
    const { headers } = await send(inside(''));
    const policy = String(headers['permissions-policy']);
    for (const feature of [
      'camera',
      'microphone',
      'geolocation',
      'usb',
      'serial',
      'hid',
      'bluetooth',
      'clipboard-read',
    ]) {
      expect(policy).toContain(`${feature}=()`);
    }
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
  });
});
