/** Work without a node: the offline engine, from its start to a migrated wallet with a new backup. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Route } from '@playwright/test';
import { isLiving } from '../../electron/files/lock/processLock.ts';
import {
  button,
  goTo,
  heading,
  holderOf,
  LONG,
  nameWallet,
  offlineOffer as offer,
  offlineFolder,
  openFile,
  planIsMade,
  prepareMigration,
  putOffline,
  run,
  saveBackups,
  shownPath,
  sidebar,
  startOfferedEngine,
  verdict,
  walletHeading,
  walletRow,
  workOffline,
} from '../app/steps.ts';
import { type App, expect, fixtureFile, fixturePassphrase, test } from '../app.ts';

/** The last known balances of the fixtures `legacy-imported` and `descriptor-hd`. */
const LEGACY_BALANCE = /7\.920\s000\s00/;
const BALANCE = /9\.300\s000\s00/;

test('restores and migrates a legacy backup without a node, and saves a new backup', async ({
  openApp,
  home,
}) => {
  const app = await openApp();
  const { page } = app;
  const start = button(offer(app), 'Work without a node');
  let place: unknown = null;
  const search = async (route: Route) => {
    place = await start.boundingBox();
    await expect(page.getByRole('main')).toContainText('Searching for nodes…');
    await route.continue();
  };
  await page.route('**/call/nodes.discover', search, { times: 1 });
  await goTo(app, 'Node');
  await expect(page.getByText('No node found on this computer')).toBeVisible();
  // A button that moves while the user presses it is not clicked.
  expect(await start.boundingBox()).toEqual(place);
  await expect(offer(app)).toContainText(shownPath(join(app.dataFolder, 'offline', 'main', 'wallets')));
  await workOffline(app);
  const backup = join(home, 'old-wallet.dat');
  copyFileSync(fixtureFile('legacy-imported'), backup);
  await openFile(app, backup);
  await planIsMade(app);
  await nameWallet(app, 'legacy-imported');
  await run(app, 'Migrate');
  await expect(verdict(app)).toContainText('Everything arrived', LONG);
  await expect(page.getByRole('main')).toContainText(LEGACY_BALANCE);
  await expect(page.getByRole('main')).toContainText('last seen');
  await expect(page.getByRole('group', { name: 'File', exact: true })).toContainText(
    shownPath(join(offlineFolder(app), 'legacy-imported', 'wallet.dat')),
  );
  const stick = join(home, 'stick');
  mkdirSync(stick);
  await saveBackups(app, stick);
  await expect(verdict(app)).toContainText('Safe and backed up', LONG);
  const [name = ''] = readdirSync(stick);
  const destination = join(stick, name);
  await expect(page.getByRole('main')).toContainText(shownPath(destination));
  await goTo(app, 'All wallets');
  await expect(walletRow(app, 'legacy-imported')).toContainText('Descriptor');
  await expect(walletRow(app, 'legacy-imported')).toContainText(LEGACY_BALANCE, LONG);

  const file = join(offlineFolder(app), 'legacy-imported', 'wallet.dat');
  expect(readFileSync(file).subarray(0, 15).toString()).toBe('SQLite format 3');
  expect(readFileSync(destination)).toEqual(readFileSync(file));
  expect(readFileSync(backup)).toEqual(readFileSync(fixtureFile('legacy-imported')));

  // Opened again, the old file leads to the new wallet.
  await openFile(app, backup);
  await expect(verdict(app)).toContainText('already migrated', LONG);
  await button(page, 'See the new wallet').click();
  await expect(walletHeading(page, 'legacy-imported')).toBeVisible();
  await expect(verdict(app)).toContainText('Safe and backed up');
  await expect(page.getByRole('list', { name: 'Files' })).toContainText(shownPath(backup));
});

test('migrates an encrypted wallet, shows everywhere that no node is used, and undoes the migration in one click', async ({
  openApp,
}) => {
  const app = await openApp();
  const { page } = app;
  const name = 'legacy-hd-encrypted';
  const file = putOffline(app, name);
  await workOffline(app);
  await expect(page.getByText('last known balances')).toBeVisible();
  await expect(sidebar(app)).toContainText('No node Regtest');
  await goTo(app, 'Node');
  const card = page.getByRole('region', { name: 'Node in use' });
  await expect(card).toContainText('Offline engine');
  await expect(card).toContainText(shownPath(offlineFolder(app)));
  for (const text of ['Pruned', 'Block filters', 'Synced']) await expect(card).not.toContainText(text);
  await goTo(app, 'All wallets');

  await prepareMigration(app, name, fixturePassphrase(name));
  await run(app, 'Migrate');
  await expect(verdict(app)).toContainText('Everything arrived', LONG);
  await page.getByText('Undo the migration').click();
  await button(page, 'Undo').click();
  await expect(verdict(app)).toContainText('Old wallet put back', LONG);
  await expect(page.getByRole('main')).toContainText(`${name} is now ${name} (migrated).`);
  const kept = page.getByRole('listitem', { name: 'Keep the old file' });
  await expect(kept.getByRole('group', { name: 'Backup', exact: true })).toContainText(`${name} (migrated)`);
  await goTo(app, 'All wallets');
  await expect(walletRow(app, name)).toContainText('Legacy');
  await expect(walletRow(app, `${name} (migrated)`)).toContainText('Descriptor');
  await expect(walletRow(app, `${name} (migrated)`)).toContainText('Encrypted');
  // The page of the migration mentions the undo, and the new place of the backup.
  await goTo(app, 'History');
  await button(page.getByRole('article', { name: `Migration: ${name}`, exact: true }), 'Open').click();
  await expect(page.getByText('Undone: the old wallet is back.')).toBeVisible();
  await page.getByText('The copies').click();
  await expect(page.getByRole('group', { name: 'The old wallet’s backup' })).toContainText(
    `${name} (migrated)`,
  );
  expect(readFileSync(file)).toEqual(readFileSync(fixtureFile(name)));
});

test('works in a chosen folder, unless another engine uses it', async ({ openApp, runEngine, home }) => {
  const engine = await runEngine(28, { savings: 'descriptor-hd' });
  const app = await openApp();
  await goTo(app, 'Node');
  await pickFolder(app, engine.walletsFolder);
  await expect(offer(app)).toContainText(shownPath(engine.walletsFolder));
  await startOfferedEngine(app);
  const alert = offer(app).getByRole('alert');
  await expect(alert).toContainText('already uses this wallets folder');
  await expect(alert).toContainText('No wallet was changed');
  await engine.stop();
  await workOffline(app);
  await expect(walletRow(app, 'savings')).toContainText('Descriptor');

  await goTo(app, 'Node');
  await button(offer(app), 'Use the app’s folder').waitFor({ state: 'detached' });
  await pickFolder(app, join(home, 'new place'));
  await workOffline(app);
  expect(existsSync(join(home, 'new place', '.wallet-ferry-engine.lock'))).toBe(true);
  await expect.poll(() => existsSync(join(engine.walletsFolder, '.wallet-ferry-engine.lock'))).toBe(false);
});

test('starts one engine, restarts it after a kill, and ends it when the user disconnects', async ({
  openApp,
}) => {
  const app = await openApp();
  const { page } = app;
  putOffline(app, 'descriptor-hd', 'savings');
  await goTo(app, 'Node');
  await offer(app).getByLabel('Network').selectOption('Regtest');
  await button(offer(app), 'Work without a node').evaluate((element: HTMLElement) => {
    for (let times = 0; times < 5; times += 1) element.click();
  });
  await expect(heading(page, 'All wallets')).toBeVisible();
  const log = readFileSync(join(offlineFolder(app), '..', 'debug.log'), 'utf8');
  expect(log.match(/Wallet Ferry engine started/g)).toHaveLength(1);

  await button(walletRow(app, 'savings'), 'Load').click();
  await expect(walletRow(app, 'savings')).toContainText(BALANCE, LONG);
  const killed = holderOf(offlineFolder(app));
  process.kill(killed, 'SIGKILL');
  const banner = page.getByRole('status', { name: 'Connection' });
  await expect(banner).toContainText('The offline engine has stopped.');
  await expect(banner).toContainText('Each wallet is unchanged or finished.');
  await button(banner, 'Start again').click();
  await expect(banner).not.toContainText('offline engine');
  await button(walletRow(app, 'savings'), 'Load').click();
  await expect(walletRow(app, 'savings')).toContainText(BALANCE, LONG);
  const second = holderOf(offlineFolder(app));
  expect(second).not.toBe(killed);

  await goTo(app, 'Node');
  await button(page.getByRole('main'), 'Disconnect').click();
  await expect.poll(() => isLiving(second, null)).toBe(false);
  expect(existsSync(join(offlineFolder(app), '.wallet-ferry-engine.lock'))).toBe(false);
});

/** Chooses a folder, which may be missing. */
async function pickFolder(app: App, path: string): Promise<void> {
  await app.pickFile(path, () => button(offer(app), 'Choose another folder…').click());
}
