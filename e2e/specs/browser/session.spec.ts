/** The session of the browser entry's tab. `electron/web/http.test.ts` tests every request that the entry refuses. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { SESSION_STORAGE_KEY, sessionCredentialsShape } from '../../../shared/model/seal.ts';
import type { App } from '../../app/app.ts';
import { heading } from '../../app/steps.ts';
import { expect, test } from '../../app.ts';

// SECURITY.md: A page in the same browser
test('gives the session to one tab, keeps it over a reload, and stores the link nowhere', async ({
  openApp,
}) => {
  const app = await openApp({ ownProcess: true });
  const { page } = app;
  const link = new URL(app.http?.link ?? '');
  const secret = link.searchParams.get('key') ?? '';
  expect(secret).not.toBe('');
  await expect(heading(page, 'Bring an old Bitcoin Core wallet up to date')).toBeVisible();
  const stored = await page.evaluate(() =>
    JSON.stringify([document.referrer, localStorage, sessionStorage, history.state]),
  );
  expect(stored).not.toContain(secret);
  const session = await page.evaluate((key) => sessionStorage.getItem(key), SESSION_STORAGE_KEY);
  const { id, key } = sessionCredentialsShape.parse(JSON.parse(session ?? ''));

  await test.step('answers this machine only', () => answersHereOnly(app));
  await page.reload();
  await expect(heading(page, 'Bring an old Bitcoin Core wallet up to date')).toBeVisible();
  expect(await page.context().cookies()).toEqual([]);
  expect(page.url()).toBe(new URL('.', link).href);
  for (const one of [id, key, secret]) expect(page.url()).not.toContain(one);

  const second = await page.context().newPage();
  await second.goto(page.url());
  await expect(second.getByText('This link was used.')).toBeVisible();
  expect(await second.evaluate(() => sessionStorage.length)).toBe(0);
  const again = await second.goto(link.href);
  expect(again?.status()).toBe(403);
  await expect(second.getByText('This link was used')).toBeVisible();
  await second.close();
  await page.goBack().catch(() => null);
  expect(page.url()).not.toContain(secret);
});

async function answersHereOnly(app: App): Promise<void> {
  const { port } = new URL(app.http?.origin ?? '');
  const addresses = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4');
  for (const { address } of addresses) {
    const tried = once(connect(Number(port), address), 'connect');
    await expect(tried).rejects.toThrow(/ECONNREFUSED|EHOSTUNREACH|ETIMEDOUT/);
  }
}
