/** Whom the browser entry lets in: the one tab that followed the link, from the app's own page. */
import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { SESSION_KEY, sessionShape } from '../../../shared/letIn.ts';
import type { App } from '../../app/app.ts';
import { heading } from '../../app/steps.ts';
import { expect, test } from '../../app.ts';

interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** With any header, which `fetch` would not allow. */
function send(
  url: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string>; body?: string },
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    // Each on a connection of its own: one that the app has closed would fail the next.
    const { host, port, pathname, search } = new URL(url);
    const asked = { host: '127.0.0.1', port, path: pathname + search, method, agent: false };
    const sent = request({ ...asked, headers: { host, ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
      // The event stream has no end.
      if (String(response.headers['content-type']).startsWith('application/x-ndjson')) {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: '' });
        response.destroy();
      }
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The page's own session and the headers that its browser sends with a call. */
async function ownHeaders(app: App): Promise<Record<string, string>> {
  const kept = await app.page.evaluate((key) => sessionStorage.getItem(key), SESSION_KEY);
  return {
    authorization: `Bearer ${sessionShape.parse(JSON.parse(kept ?? '')).page}`,
    origin: originOf(app),
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/json',
  };
}

function originOf(app: App): string {
  if (!app.http) throw new Error('This entry has no address.');
  return app.http.origin;
}

/** Below the folder with the secret name, where everything is. */
function pageOf(app: App): string {
  if (!app.http) throw new Error('This entry has no address.');
  return new URL('.', app.http.link).href;
}

function callInfo(app: App, headers: Record<string, string>, body = '{}'): Promise<Reply> {
  return send(`${pageOf(app)}call/app.info`, { method: 'POST', headers, body });
}

test('lets its own page call', async ({ openApp }) => {
  const app = await openApp();
  const { status, body } = await callInfo(app, await ownHeaders(app));
  expect(status).toBe(200);
  expect(JSON.parse(body)).toMatchObject({ ok: true, value: { entry: 'browser' } });
});

test('refuses who has no session, or another', async ({ openApp }) => {
  const app = await openApp();
  const { authorization = '', ...others } = await ownHeaders(app);
  for (const headers of [others, { ...others, authorization: `${authorization.slice(0, -1)}~` }]) {
    expect((await callInfo(app, headers)).status).toBe(403);
    expect((await send(`${pageOf(app)}events`, { headers })).status).toBe(403);
  }
  for (const path of ['/', '/events', '/call/app.info', '/index.html', '/assets/']) {
    expect((await send(originOf(app) + path, { headers: { ...others, authorization } })).status).toBe(403);
  }
});

test('refuses a name that was rebound to its address', async ({ openApp }) => {
  const app = await openApp();
  const headers = await ownHeaders(app);
  const { port } = new URL(originOf(app));
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    `localhost:${port}`,
    '127.0.0.1',
    `127.0.0.1:${port}`,
  ]) {
    expect((await callInfo(app, { ...headers, host })).status).toBeGreaterThanOrEqual(400);
    expect((await send(pageOf(app), { headers: { ...headers, host } })).status).toBeGreaterThanOrEqual(400);
  }
});

test('refuses calls that begin on another page', async ({ openApp }) => {
  const app = await openApp();
  const headers = await ownHeaders(app);
  const { origin: _, ...withoutOrigin } = headers;
  for (const foreign of [
    { ...headers, origin: 'https://evil.example' },
    { ...headers, origin: 'null' },
    { ...headers, origin: originOf(app).replace(/\d+$/, '1') },
    withoutOrigin,
    { ...headers, 'sec-fetch-site': 'cross-site' },
    { ...headers, 'sec-fetch-site': 'same-site' },
    { ...headers, 'sec-fetch-site': 'none' },
  ]) {
    expect((await callInfo(app, foreign)).status).toBe(403);
  }
  const stream = await send(`${pageOf(app)}events`, {
    headers: { ...headers, 'sec-fetch-site': 'cross-site' },
  });
  expect(stream.status).toBe(403);
});

test('refuses what no page of ours sends', async ({ openApp }) => {
  const app = await openApp();
  const headers = await ownHeaders(app);
  expect((await callInfo(app, { ...headers, 'content-type': 'text/plain' })).status).toBe(415);
  expect(
    (await callInfo(app, { ...headers, 'content-type': 'application/x-www-form-urlencoded' })).status,
  ).toBe(415);
  const flood = await callInfo(app, headers, JSON.stringify({ x: 'y'.repeat(5_000_000) }));
  expect(flood.status).toBe(413);
  for (const method of ['PUT', 'DELETE', 'OPTIONS']) {
    expect((await send(`${pageOf(app)}call/app.info`, { method, headers })).status).toBe(405);
  }
  expect((await send(`${pageOf(app)}call/app.info`, { headers })).status).toBe(404);
  const broken = await callInfo(app, headers, '{"half":');
  expect(JSON.parse(broken.body)).toMatchObject({ ok: false, error: { code: 'bad_input' } });
});

test('serves nothing but the page', async ({ openApp }) => {
  const app = await openApp();
  const headers = await ownHeaders(app);
  for (const path of [
    '../package.json',
    '%2e%2e/main/serve.cjs',
    '..%2fmain%2fserve.cjs',
    '..%5cmain%5cserve.cjs',
    '.env',
    'assets/aux.js',
    'con.html',
    `${'a'.repeat(9000)}.js`,
    '%00',
    '%',
  ]) {
    expect((await send(pageOf(app) + path, { headers })).status).not.toBe(200);
  }
});

test('opens each link once', async ({ openApp, sharedBrowser }) => {
  const app = await openApp();
  const link = app.http?.link ?? '';
  const again = await send(link, {});
  expect(again.status).toBe(403);
  expect(again.body).toContain('Each link opens once');
  const other = await (await sharedBrowser()).newContext();
  const page = await other.newPage();
  const response = await page.goto(link);
  expect(response?.status()).toBe(403);
  await other.close();
});

test('keeps the session to the tab and its origin, through a reload, and sets no cookie', async ({
  openApp,
}) => {
  const app = await openApp();
  const { page } = app;
  await expect(heading(page, 'Connect to a node')).toBeVisible();
  const { authorization = '' } = await ownHeaders(app);
  await page.reload();
  await expect(heading(page, 'Connect to a node')).toBeVisible();
  expect(await page.context().cookies()).toEqual([]);
  expect(page.url()).toBe(pageOf(app));
  expect(page.url()).not.toContain(authorization.slice('Bearer '.length));

  const second = await page.context().newPage();
  await second.goto(page.url());
  await expect(second.getByText('this tab was not let in')).toBeVisible();
  expect(await second.evaluate(() => sessionStorage.length)).toBe(0);
  await second.close();
});

test('listens on this machine only', async ({ openApp }) => {
  const app = await openApp();
  const { port } = new URL(originOf(app));
  const addresses = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4');
  for (const { address } of addresses) {
    const tried = once(connect(Number(port), address), 'connect');
    await expect(tried).rejects.toThrow(/ECONNREFUSED|EHOSTUNREACH|ETIMEDOUT/);
  }
});
