/** Another program changes, replaces or removes a file while its page is open: the page says what is known now. */
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  actionCard,
  button,
  LONG,
  openFile,
  openWallet,
  planIsMade,
  putOffline,
  run,
  sidebar,
  verdict,
  workOffline,
} from '../app/steps.ts';
import { type App, expect, fixtureFile, test } from '../app.ts';

/** What the system tells the page when the user comes back to its window. */
const comeBack = ({ page }: App) => page.evaluate(() => window.dispatchEvent(new Event('focus')));

test('takes everything back that it said of a file that is gone, until it is there again', async ({
  openApp,
  home,
}) => {
  const file = join(home, 'savings.dat');
  copyFileSync(fixtureFile('legacy-hd'), file);
  const app = await openApp();
  const { page } = app;
  const main = page.getByRole('main');
  const entry = sidebar(app).getByRole('button', { name: 'savings.dat' });
  await openFile(app, file);
  await planIsMade(app);
  await expect(verdict(app)).toContainText('Safe.');
  await expect(page.getByRole('list', { name: 'Steps' })).toContainText('Your file');
  await expect(entry).toContainText('8.599');

  renameSync(file, `${file}.moved`);
  await comeBack(app);
  await expect(page.getByRole('alert')).toContainText('Nothing is at ~/savings.dat.');
  await expect(main).not.toContainText(/Safe|8\.599|Your file/);
  await expect(actionCard(app)).toHaveCount(0);
  await expect(entry).toContainText('Not readable');

  renameSync(`${file}.moved`, file);
  await button(main, 'Try again').click();
  await expect(verdict(app)).toContainText('Safe.');
  await expect(entry).toContainText('8.599');
  await expect(button(actionCard(app), 'Migrate')).not.toHaveAttribute('aria-disabled', LONG);
});

test('shows the wallet that took the place of another, and plans with it', async ({ openApp, home }) => {
  const file = join(home, 'savings.dat');
  copyFileSync(fixtureFile('legacy-hd'), file);
  const app = await openApp();
  await openFile(app, file);
  await expect(verdict(app)).toContainText('Bitcoin Core 30 and later cannot open it');
  const other = join(home, 'other.dat');
  copyFileSync(fixtureFile('legacy-imported'), other);
  await openFile(app, other);
  await expect(verdict(app)).toContainText('Safe.');
  await openFile(app, file);
  await expect(verdict(app)).toContainText('Safe.');
  copyFileSync(fixtureFile('descriptor-hd'), file);
  rmSync(other);
  await comeBack(app);
  await expect(sidebar(app).getByRole('button', { name: 'other.dat' })).toContainText('Not readable');
  await expect(verdict(app)).toContainText('Any current Bitcoin Core can open it.');
  await run(app, 'Restore');
  await expect(verdict(app)).toContainText('Everything arrived', LONG);
});

test('shows a wallet that another program added, and says that one is no longer where it was', async ({
  openApp,
}) => {
  const app = await openApp();
  const { page } = app;
  const folder = dirname(putOffline(app, 'legacy-hd', 'savings'));
  await workOffline(app);
  await expect(sidebar(app).getByRole('button', { name: 'savings' })).toBeVisible();
  putOffline(app, 'legacy-imported', 'later');
  await comeBack(app);
  await expect(sidebar(app).getByRole('button', { name: 'later' })).toBeVisible();
  await openWallet(app, 'savings');
  await planIsMade(app);
  await expect(verdict(app)).toContainText('Safe.');
  rmSync(folder, { recursive: true });
  await run(app, 'Migrate');
  // Another alert says that the file cannot be read, once the page has tried.
  await expect(page.getByRole('alert').filter({ hasText: 'No such wallet here' })).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText('Safe.');
});
