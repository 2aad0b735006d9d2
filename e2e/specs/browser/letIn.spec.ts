/** Whom the browser entry lets in: the one tab that followed the link, from the app's own page. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { requestAt } from '../../../electron/web/testing/tabClient.ts';
import { SESSION_KEY, sealedWithShape } from '../../../shared/model/seal.ts';
import type { App } from '../../app/app.ts';
import { lineOfTab } from '../../app/callFromPage.ts';
import { heading } from '../../app/steps.ts';
import { expect, test } from '../../app.ts';

/** With any header, which `fetch` would not allow. */
async function send(
  url: string,
  options: { method?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; body: string }> {
  const [response] = await once(requestAt(url, options).end(), 'response');
  let body = '';
  for await (const piece of response.setEncoding('utf8')) body += piece;
  return { status: response.statusCode ?? 0, body };
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

// SECURITY.md: A page in the same browser
test('answers its own page alone', async ({ openApp }) => {
  const app = await openApp({ ownProcess: true });
  await test.step('lets its own page call', () => letsOwnPageCall(app));
  await test.step('refuses who has no session, or another', () => refusesOtherSessions(app));
  await test.step('refuses a name that was rebound to its address', () => refusesReboundNames(app));
  await test.step('refuses calls that begin on another page', () => refusesOtherPages(app));
  await test.step('refuses what no page of ours sends', () => refusesOtherShapes(app));
  await test.step('serves nothing but the page', () => servesThePageOnly(app));
  await test.step('listens on this machine only', () => listensHereOnly(app));
});

async function letsOwnPageCall(app: App): Promise<void> {
  const line = await lineOfTab(app.page);
  const { status, body } = await line.call('app.info', '{}');
  expect(status).toBe(200);
  expect(JSON.parse(body)).toMatchObject({ ok: true, value: { entry: 'browser' } });
  line.end();
}

async function refusesOtherSessions(app: App): Promise<void> {
  const line = await lineOfTab(app.page);
  const { authorization = '', ...others } = line.headers();
  for (const other of ['', `${authorization.slice(0, -1)}~`]) {
    expect((await line.call('app.info', '{}', { headers: { authorization: other } })).status).toBe(403);
    const headers = { ...others, authorization: other };
    expect((await send(`${pageOf(app)}events`, { method: 'POST', headers })).status).toBe(403);
  }
  for (const path of ['/', '/events', '/call/app.info', '/index.html', '/assets/']) {
    expect((await send(originOf(app) + path, { headers: { ...others, authorization } })).status).toBe(403);
  }
  line.end();
}

async function refusesReboundNames(app: App): Promise<void> {
  const line = await lineOfTab(app.page);
  const { port } = new URL(originOf(app));
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    `localhost:${port}`,
    '127.0.0.1',
    `127.0.0.1:${port}`,
  ]) {
    expect((await line.call('app.info', '{}', { headers: { host } })).status).toBeGreaterThanOrEqual(400);
    const headers = { ...line.headers(), host };
    expect((await send(pageOf(app), { headers })).status).toBeGreaterThanOrEqual(400);
  }
  line.end();
}

async function refusesOtherPages(app: App): Promise<void> {
  const line = await lineOfTab(app.page);
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: originOf(app).replace(/\d+$/, '1') },
    { origin: '' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ]) {
    expect((await line.call('app.info', '{}', { headers })).status).toBe(403);
  }
  expect((await line.call('app.info', '{}')).status).toBe(200);
  line.end();
}

async function refusesOtherShapes(app: App): Promise<void> {
  const line = await lineOfTab(app.page);
  for (const type of ['text/plain', 'application/json', 'application/x-www-form-urlencoded']) {
    expect((await line.call('app.info', '{}', { headers: { 'content-type': type } })).status).toBe(415);
  }
  const flood = await line.call('app.info', JSON.stringify({ x: 'y'.repeat(5_000_000) }));
  expect(flood.status).toBe(413);
  const headers = line.headers();
  for (const method of ['PUT', 'DELETE', 'OPTIONS']) {
    expect((await send(`${pageOf(app)}call/app.info`, { method, headers })).status).toBe(405);
  }
  expect((await send(`${pageOf(app)}call/app.info`, { headers })).status).toBe(404);
  const broken = await line.call('app.info', '{"half":');
  expect(JSON.parse(broken.body)).toMatchObject({ ok: false, error: { code: 'bad_input' } });
  line.end();
}

async function servesThePageOnly(app: App): Promise<void> {
  const line = await lineOfTab(app.page);
  const headers = line.headers();
  line.end();
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
}

// SECURITY.md: A page in the same browser
test('opens each link once', async ({ openApp, sharedBrowser }) => {
  const app = await openApp({ ownProcess: true });
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

// SECURITY.md: A page in the same browser
test('keeps the session to the tab and its origin, through a reload, and sets no cookie', async ({
  openApp,
}) => {
  const app = await openApp({ ownProcess: true });
  const { page } = app;
  await expect(heading(page, 'Bring an old Bitcoin Core wallet up to date')).toBeVisible();
  const kept = await page.evaluate((key) => sessionStorage.getItem(key), SESSION_KEY);
  const { id, key } = sealedWithShape.parse(JSON.parse(kept ?? ''));
  await page.reload();
  await expect(heading(page, 'Bring an old Bitcoin Core wallet up to date')).toBeVisible();
  expect(await page.context().cookies()).toEqual([]);
  expect(page.url()).toBe(pageOf(app));
  for (const secret of [id, key]) expect(page.url()).not.toContain(secret);

  const second = await page.context().newPage();
  await second.goto(page.url());
  await expect(second.getByText('This tab has no access.')).toBeVisible();
  expect(await second.evaluate(() => sessionStorage.length)).toBe(0);
  await second.close();
});

async function listensHereOnly(app: App): Promise<void> {
  const { port } = new URL(originOf(app));
  const addresses = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4');
  for (const { address } of addresses) {
    const tried = once(connect(Number(port), address), 'connect');
    await expect(tried).rejects.toThrow(/ECONNREFUSED|EHOSTUNREACH|ETIMEDOUT/);
  }
}
