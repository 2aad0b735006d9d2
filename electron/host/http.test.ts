import { mkdtemp, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventName } from '../../shared/contract.ts';
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

/** Follows a fresh link and gives the cookie header of the browser that did. */
async function letIn(): Promise<string> {
  const reply = await send(entry.newLink().slice(entry.origin.length));
  const cookie = reply.headers['set-cookie']?.[0] ?? '';
  expect(cookie).toMatch(/^ferry-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
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
    const reply = await send('/call/app.info', { method: 'POST', headers: json(cookie), body: '{"a":1}' });
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
    const reply = await send('/call/app.info', { method: 'POST', headers, body: '{}' });
    expect(reply.status).toBe(403);
    expect(calls).toEqual([]);
  });

  it('refuses a call without an origin, as a form or a link would make', async () => {
    const cookie = await letIn();
    const reply = await send('/call/app.info', {
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
    expect((await send('/call/app.info', { method: 'POST', headers: form, body: '{}' })).status).toBe(415);
    const large = { method: 'POST', headers: json(cookie), body: ' '.repeat(1_000_001) };
    expect((await send('/call/app.info', large)).status).toBe(413);
    expect((await send('/call/app.info', { method: 'PUT', headers: json(cookie), body: '{}' })).status).toBe(
      405,
    );
    expect(calls).toEqual([]);
  });

  it('serves the page with a strict policy and a nonce of its own each time', async () => {
    const cookie = await letIn();
    const nonces = new Set<string>();
    for (let load = 0; load < 2; load++) {
      const reply = await send('/', { headers: { cookie } });
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
    '/../outside.html',
    '/%2e%2e/outside.html',
    '/..%2foutside.html',
    '/%E0%A4%A',
    '/index.html%00.png',
  ])('serves nothing outside the page folder: %s', async (path) => {
    const reply = await send(path, { headers: { cookie: await letIn() } });
    expect(reply.status).toBe(404);
    expect(reply.body).not.toContain('secret');
  });

  it('streams events to its page and to no other', async () => {
    const cookie = await letIn();
    expect((await send('/events', { headers: { cookie, 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
    const received = new Promise<string>((resolve, reject) => {
      const request = httpRequest(`${entry.origin}/events`, { headers: { cookie } }, (response) => {
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
});
