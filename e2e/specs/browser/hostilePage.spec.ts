/** A page of another server on this machine, in the same browser as the app: what it can send, and what it learns. */
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { listen } from '../../../electron/http/loopback.ts';
import { SESSION_STORAGE_KEY, sessionCredentialsShape } from '../../../shared/model/seal.ts';
import { connectAsTab } from '../../app/callFromPage.ts';
import { startServing } from '../../app/startServing.ts';
import { button, goTo, heading } from '../../app/steps.ts';
import { expect, test } from '../../app.ts';

// SECURITY.md: A page in the same browser
test('another site gets no session and no answer, even if it knows every address and the session', async ({
  openApp,
}) => {
  const app = await openApp({ ownProcess: true });
  const target = new URL('.', app.http?.link ?? '').href;
  const secrets: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    secrets.push(request.headers.cookie ?? request.headers.authorization);
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Recipes</title>');
  });
  const origin = `http://127.0.0.1:${(await listen(server)).port}/`;

  const stranger = await app.page.context().newPage();
  await stranger.goto(origin);
  // The page even gets the session, which it could not get by itself. It still cannot send it.
  const session = await app.page.evaluate((key) => sessionStorage.getItem(key), SESSION_STORAGE_KEY);
  const authorization = `Bearer ${sessionCredentialsShape.parse(JSON.parse(session ?? '')).id}`;
  const outcome = await stranger.evaluate(
    async ([page, authorization]) => {
      const call = `${page}call/engine.start`;
      const body = JSON.stringify({ walletsFolder: null, network: 'regtest' });
      const sent = (init: RequestInit) =>
        fetch(call, { method: 'POST', body, credentials: 'include', ...init }).then(
          (response) => (response.type === 'opaque' ? 'unread' : `read ${response.status}`),
          () => 'refused',
        );
      const subscribed = (url: string) =>
        new Promise((resolve) => {
          const stream = new EventSource(url, { withCredentials: true });
          stream.onopen = () => resolve('open');
          stream.onerror = () => resolve('refused');
        });
      const socket = (url: string) =>
        new Promise((resolve) => {
          const connection = new WebSocket(url.replace('http:', 'ws:'));
          connection.onopen = () => resolve('open');
          connection.onerror = () => resolve('refused');
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
        stored: sessionStorage.length,
        json: await sent({ headers: { 'content-type': 'application/json' } }),
        session: await sent({ headers: { 'content-type': 'application/json', authorization } }),
        events: await sent({ method: 'GET', body: null, headers: { authorization } }),
        plain: await sent({ mode: 'no-cors' }),
        page: await fetch(page, { credentials: 'include' }).then(
          () => 'read',
          () => 'refused',
        ),
        stream: await subscribed(`${page}events`),
        socket: await socket(`${page}events`),
        script: await loaded,
      };
    },
    [target, authorization] as const,
  );
  expect(outcome).toEqual({
    stored: 0,
    session: 'refused',
    stream: 'refused',
    json: 'refused',
    plain: 'refused',
    page: 'refused',
    events: 'refused',
    socket: 'refused',
    script: 'refused',
  });
  // To the browser, both servers are the same site. The page's own server must get no secret of the app.
  await stranger.reload();
  expect(secrets.length).toBeGreaterThan(1);
  expect(secrets.filter((secret) => secret !== undefined)).toEqual([]);
  expect(existsSync(join(app.dataFolder, 'offline'))).toBe(false);
  await stranger.close();
  server.close();
});

// SECURITY.md: A page in the same browser
test('a service worker left at the app’s port gets neither the link nor the session', async ({
  home,
  sharedBrowser,
}) => {
  const before = createServer(({ url = '' }, response) => {
    if (url === '/worker.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(`
        addEventListener('install', () => skipWaiting());
        addEventListener('activate', (event) => event.waitUntil(clients.claim()));
        addEventListener('fetch', (event) => event.respondWith(new Response('taken')));`);
    } else response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
  });
  const { port } = await listen(before);
  const context = await (await sharedBrowser()).newContext();
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/worker.js');
    await navigator.serviceWorker.ready;
  });
  // From now on the worker answers every request to this address, without a server.
  before.closeAllConnections();
  await new Promise((resolve) => before.close(resolve));
  await page.goto(`http://127.0.0.1:${port}/anything`);
  await expect(page.getByText('taken')).toBeVisible();

  const { child, output } = startServing({ home, dataFolder: join(home, 'ferry-data'), port });
  await expect.poll(output).toContain('"link"');
  const { link } = JSON.parse(output());
  expect(new URL(link).port).toBe(String(port));
  await page.goto(link);
  await expect(heading(page, 'Bring an old Bitcoin Core wallet up to date')).toBeVisible();
  expect(await page.evaluate(() => navigator.serviceWorker.getRegistrations())).toEqual([]);
  await context.close();
  child.kill('SIGTERM');
  await once(child, 'close');
});

// SECURITY.md: A page in the same browser
test('a page whose app has ended runs no code from the port’s next owner, and sends it no call and no secret', async ({
  openApp,
}) => {
  const app = await openApp({ ownProcess: true });
  const { page } = app;
  const built = readdirSync(join(import.meta.dirname, '../../../out/renderer/assets')).filter((name) =>
    /\.(?:js|css)$/.test(name),
  );
  expect(built.length).toBeGreaterThan(2);
  const loaded = () => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  const missing = async () => {
    const names = await loaded();
    return built.filter((name) => !names.some((one) => one.endsWith(`/assets/${name}`)));
  };
  await expect.poll(missing).toEqual([]);
  // The browser repeats unanswered requests by itself, so wait for the answers.
  await expect.poll(loaded).toContainEqual(expect.stringMatching(/\/call\/files\.recent$/));
  await expect(heading(page, 'Bring an old Bitcoin Core wallet up to date')).toBeVisible();
  await goTo(app, 'Node');
  await expect(button(page, 'Search again')).not.toHaveAttribute('aria-busy');
  const session = await page.evaluate((key) => sessionStorage.getItem(key), SESSION_STORAGE_KEY);
  const { id, key } = sessionCredentialsShape.parse(JSON.parse(session ?? ''));
  const connection = await connectAsTab(page);
  app.expectTrouble(/net::ERR/);
  await app.stopServing();

  const requested: string[] = [];
  const received: string[] = [];
  const responses: ServerResponse[] = [];
  // Answers with code, with the session, with nothing useful, and with what the app itself sent to this tab before.
  let answer = 'document.title = "taken"';
  const server = createServer(async (request, response) => {
    requested.push((request.url ?? '').split('/').slice(2).join('/'));
    received.push(JSON.stringify(request.headers));
    for await (const piece of request) received.push(piece.toString('latin1'));
    response.writeHead(200, { 'content-type': 'text/javascript' });
    response.write(`${answer}\n`);
    responses.push(response);
  });
  await listen(server, Number(new URL(app.http?.origin ?? '').port));
  await expect.poll(() => requested.length).toBeGreaterThan(0);
  await expect(page.getByText('Wallet Ferry does not answer').first()).toBeVisible();
  for (answer of [JSON.stringify({ id, key }), 'none', ...connection.sealedLines]) {
    for (const response of responses.splice(0)) response.destroy();
    await expect.poll(() => responses.length).toBeGreaterThan(0);
    for (const to of ['Home', 'Settings', 'History'] as const) await goTo(app, to);
  }
  expect(connection.sealedLines.length).toBeGreaterThan(0);
  expect(new Set(requested)).toEqual(new Set(['events']));
  expect(await page.title()).not.toContain('taken');
  expect(received.join('\n')).toContain(id);
  expect(received.join('\n')).not.toContain(key);
  server.closeAllConnections();
  server.close();
});
