/** A page of another server on this machine, in the very browser that was let in: what it can send, and what it learns. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from '../../app.ts';

test('gets neither the cookie nor an answer, though it know every address', async ({ openApp }) => {
  const app = await openApp();
  const target = new URL('.', app.http?.link ?? '').href;
  const given: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    given.push(request.headers.cookie);
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Recipes</title>');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;

  const stranger = await app.page.context().newPage();
  await stranger.goto(origin);
  const outcome = await stranger.evaluate(async (page) => {
    const call = `${page}call/engine.start`;
    const body = JSON.stringify({ walletsFolder: null, network: 'regtest' });
    const sent = (init: RequestInit) =>
      fetch(call, { method: 'POST', body, credentials: 'include', ...init }).then(
        (response) => (response.type === 'opaque' ? 'unread' : `read ${response.status}`),
        () => 'refused',
      );
    const heard = (url: string) =>
      new Promise((resolve) => {
        const stream = new EventSource(url, { withCredentials: true });
        stream.onopen = () => resolve('open');
        stream.onerror = () => resolve('refused');
      });
    const socket = (url: string) =>
      new Promise((resolve) => {
        const line = new WebSocket(url.replace('http:', 'ws:'));
        line.onopen = () => resolve('open');
        line.onerror = () => resolve('refused');
      });
    const form = document.createElement('form');
    form.method = 'post';
    form.action = call;
    form.enctype = 'text/plain';
    form.target = 'hidden';
    const field = document.createElement('input');
    field.name = body;
    form.append(field);
    const frame = document.createElement('iframe');
    frame.name = 'hidden';
    document.body.append(frame, form);
    const framed = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    form.submit();
    await framed;
    const script = document.createElement('script');
    script.src = `${page}language.json`;
    const loaded = new Promise((resolve) => {
      script.onload = () => resolve('loaded');
      script.onerror = () => resolve('refused');
    });
    document.body.append(script);
    return {
      json: await sent({ headers: { 'content-type': 'application/json' } }),
      plain: await sent({ mode: 'no-cors' }),
      page: await fetch(page, { credentials: 'include' }).then(
        () => 'read',
        () => 'refused',
      ),
      events: await heard(`${page}events`),
      socket: await socket(`${page}events`),
      script: await loaded,
    };
  }, target);
  expect(outcome).toEqual({
    json: 'refused',
    plain: 'refused',
    page: 'refused',
    events: 'refused',
    socket: 'refused',
    script: 'refused',
  });
  // It goes to its own server all the time, as a page of the same site: the cookie is not among what that is given.
  await stranger.reload();
  expect(given.length).toBeGreaterThan(1);
  expect(given.filter((cookie) => cookie !== undefined)).toEqual([]);
  expect(existsSync(join(app.dataFolder, 'offline'))).toBe(false);
  await stranger.close();
  server.close();
});

test('leaves nothing of the link behind in the browser', async ({ openApp }) => {
  const app = await openApp();
  const key = new URL(app.http?.link ?? '').searchParams.get('key') ?? '';
  expect(key).not.toBe('');
  expect(app.page.url()).not.toContain(key);
  const kept = await app.page.evaluate(() =>
    JSON.stringify([document.referrer, localStorage, sessionStorage, history.state]),
  );
  expect(kept).not.toContain(key);
  await app.page.goBack().catch(() => null);
  expect(app.page.url()).not.toContain(key);
});
