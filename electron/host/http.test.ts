import { mkdtemp, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { connect as connectTo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventName } from '../../shared/contractNames.ts';
import type { Services } from '../services.ts';
import { type HttpEntry, serveOverHttp } from './http.ts';

interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

let entry: HttpEntry;
let calls: { name: string; input: unknown }[];
let listeners: Set<(name: EventName, value: unknown) => void>;

beforeEach(async () => {
  const pageFolder = await mkdtemp(join(tmpdir(), 'ferry-page-'));
  await writeFile(join(pageFolder, 'index.html'), '<meta name="csp-nonce" content="__NONCE__">');
  await writeFile(join(pageFolder, '..', 'outside.html'), 'secret');
  calls = [];
  listeners = new Set();
  const services: Services = {
    async call(name, input) {
      calls.push({ name, input });
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
  entry = await serveOverHttp(services, pageFolder);
});

afterEach(() => entry.close());

function send(
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const url = new URL(entry.origin);
    const request = httpRequest(
      {
        host: url.hostname,
        port: url.port,
        path,
        method: options.method ?? 'GET',
        headers: options.headers ?? {},
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

/** Follows a fresh link and gives the cookie header of the browser that did. */
async function letIn(): Promise<string> {
  const reply = await send(entry.newLink().slice(entry.origin.length));
  const cookie = reply.headers['set-cookie']?.[0] ?? '';
  expect(cookie).toMatch(/^ferry-\d+=[\w-]{43}; Path=\/[\w-]{43}\/; HttpOnly; SameSite=Strict$/);
  return cookie.split(';')[0] ?? '';
}

const json = (cookie: string, more: Record<string, string> = {}) => ({
  cookie,
  origin: entry.origin,
  'content-type': 'application/json',
  ...more,
});

describe('the browser entry', () => {
  it('lets the browser of the link in, once', async () => {
    const path = entry.newLink().slice(entry.origin.length);
    const first = await send(path);
    expect(first.headers['set-cookie']).toHaveLength(1);
    const second = await send(path);
    expect(second.status).toBe(403);
    expect(second.headers['set-cookie']).toBeUndefined();
    expect(second.body).toContain('Each link opens once');
  });

  it('answers calls of its own page', async () => {
    const cookie = await letIn();
    const reply = await send(inside('call/app.info'), {
      method: 'POST',
      headers: json(cookie),
      body: '{"a":1}',
    });
    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.body)).toEqual({ ok: true, value: { echo: { a: 1 } } });
    expect(calls).toEqual([{ name: 'app.info', input: { a: 1 } }]);
  });

  it.each([
    ['no cookie', (good: Record<string, string>) => ({ ...good, cookie: '' })],
    [
      'a made-up cookie',
      (good: Record<string, string>) => ({ ...good, cookie: `${good.cookie?.slice(0, -3)}abc` }),
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
    const cookie = await letIn();
    const reply = await send(inside('call/app.info'), {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(reply.status).toBe(403);
    expect(calls).toEqual([]);
  });

  it('takes JSON only, of a bounded size, by POST only', async () => {
    const cookie = await letIn();
    const form = json(cookie, { 'content-type': 'text/plain' });
    expect((await send(inside('call/app.info'), { method: 'POST', headers: form, body: '{}' })).status).toBe(
      415,
    );
    const large = { method: 'POST', headers: json(cookie), body: ' '.repeat(1_000_001) };
    expect((await send(inside('call/app.info'), large)).status).toBe(413);
    expect(
      (await send(inside('call/app.info'), { method: 'PUT', headers: json(cookie), body: '{}' })).status,
    ).toBe(405);
    expect(calls).toEqual([]);
  });

  it('serves the page with a strict policy and a nonce of its own each time', async () => {
    const cookie = await letIn();
    const nonces = new Set<string>();
    for (let load = 0; load < 2; load++) {
      const reply = await send(inside(''), { headers: { cookie } });
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
    const reply = await send(inside(path), { headers: { cookie: await letIn() } });
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.body).not.toContain('secret');
  });

  it('streams events to its page and to no other', async () => {
    const cookie = await letIn();
    expect(
      (await send(inside('events'), { headers: { cookie, 'sec-fetch-site': 'cross-site' } })).status,
    ).toBe(403);
    const received = new Promise<string>((resolve, reject) => {
      const request = httpRequest(`${entry.page}events`, { headers: { cookie } }, (response) => {
        response.setEncoding('utf8').on('data', (text: string) => {
          if (text.startsWith('event: hash')) {
            resolve(text);
            request.destroy();
          } else {
            for (const listener of listeners) listener('hash', { job: 'a\nb', done: 1, total: 2 });
          }
        });
      });
      request.on('error', reject).end();
    });
    expect(await received).toBe('event: hash\ndata: {"job":"a\\nb","done":1,"total":2}\n\n');
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
    expect(body).toContain('content="0;url=./"');
    expect(body).not.toContain(link.searchParams.get('key') ?? '');
    expect(new URL('./', link).href).toBe(entry.page);
  });

  it('gives the cookie to no other server of this machine: its path is a secret', async () => {
    const cookie = await letIn();
    const { pathname } = new URL(entry.page);
    expect(pathname).toMatch(/^\/[\w-]{43}\/$/);
    // Who has the cookie and not the path has nothing.
    for (const path of ['/', '/events', '/call/app.info', '/index.html', `${pathname.slice(0, -2)}x/`]) {
      const { status, body } = await send(path, { headers: json(cookie) });
      expect(status).toBe(403);
      expect(body).not.toContain(pathname.slice(1, -1));
    }
    // And who has the path and not the cookie neither.
    expect((await send(pathname)).status).toBe(403);
  });

  it('takes no session that another server has put into its cookie', async () => {
    const [name] = (await letIn()).split('=');
    for (const cookie of [
      `${name}=`,
      `${name}=${'A'.repeat(43)}`,
      `${name}=a; ${name}=b`,
      '__proto__=x',
      '=;=;',
    ]) {
      expect((await send(inside(''), { headers: { cookie } })).status).toBe(403);
    }
  });

  it('finds its own cookie among those that others have set for this machine', async () => {
    const own = await letIn();
    const cookie = `theme=dark; ferry-1=abc; ${own}; other="a;b"`;
    expect((await send(inside(''), { headers: { cookie } })).status).toBe(200);
  });

  it('speaks no other protocol', async () => {
    const cookie = await letIn();
    const { port } = new URL(entry.origin);
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
    const head = `Host: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nOrigin: http://evil.example\r\n\r\n`;
    for (const path of [inside('events'), inside('call/app.info'), inside('')]) {
      expect(await replyTo(`GET ${path} HTTP/1.1\r\n${head}`)).not.toContain('101 ');
    }
    expect(
      await replyTo(`CONNECT evil.example:443 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`),
    ).not.toContain(' 200 ');
    // A whole address in the place of the path leads nowhere else.
    expect(await replyTo(`GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)).toContain(
      ' 403 ',
    );
    expect(
      await replyTo(
        `GET ${inside('')} HTTP/1.1\r\nHost: evil.example\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\n\r\n`,
      ),
    ).not.toContain(' 200 ');
    expect(calls).toEqual([]);
  });

  it('lets words that mean something to JavaScript be words', async () => {
    const cookie = await letIn();
    const body = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    expect(
      (await send(inside('call/app.info'), { method: 'POST', headers: json(cookie), body })).status,
    ).toBe(200);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('asks the browser for no device and is shown in no frame', async () => {
    const { headers } = await send(inside(''), { headers: { cookie: await letIn() } });
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
