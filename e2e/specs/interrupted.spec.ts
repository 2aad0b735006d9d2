/** A migration that the node did not finish: the app shows the remaining copies, and puts the wallet back. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeInterrupted } from '../../electron/jobs/testing/interruptedStates.ts';
import { makeSqlite } from '../../electron/walletfile/database/walletDatabase.ts';
import { readEntries } from '../../electron/walletfile/inspect/identifyWallet.ts';
import type { App } from '../app/app.ts';
import {
  actionCard,
  button,
  goTo,
  LONG,
  openFile,
  run,
  shownPath,
  sidebar,
  startMigration,
  verdict,
  walletRow,
} from '../app/steps.ts';
import { expect, fixtureFile, test } from '../app.ts';
import type { TestNode } from '../testNode/testNode.ts';

// `electron/jobs/putBack.test.ts` covers each state that a killed node leaves, and `rescue.test.ts` the rescue.
test('offers to rescue an interrupted wallet without a whole copy, and puts another back without a node', async ({
  openApp,
  home,
}) => {
  const app = await openApp();
  const noCopy = writeInterrupted(join(home, 'no copy', 'wallets'), 'descriptors-half');
  rmSync(noCopy.backup);
  await openFile(app, noCopy.file);
  await expect(app.page.getByRole('alert')).toContainText('No whole copy was found.');
  await expect(button(actionCard(app), 'Rescue')).not.toHaveAttribute('aria-disabled', 'true', LONG);

  const alert = app.page.getByRole('alert');
  // This file is no longer a database.
  const other = writeInterrupted(join(home, 'other', 'wallets'), 'format');
  await openFile(app, other.file);
  await expect(alert).toContainText('The old wallet is whole.');
  await expect(alert).toContainText(shownPath(other.backup));
  await expect(button(actionCard(app), 'Put it back')).toBeVisible();
  await button(sidebar(app), 'Home').click();

  const { file, backup } = writeInterrupted(join(home, 'data', 'wallets'), 'descriptors-half');
  const [half, whole] = [readFileSync(file), readFileSync(backup)];
  await openFile(app, file);
  await expect(alert).toContainText('The old wallet is whole.');
  await expect(alert).toContainText(shownPath(backup));
  const copies = app.page.getByRole('list', { name: 'Whole copies' });
  await expect(copies).toContainText(shownPath(backup));
  await expect(alert.getByRole('button')).toHaveCount(0);
  await expect(verdict(app)).toHaveText('Interrupted. Your coins are safe.');
  await run(app, 'Put it back');
  await expect(verdict(app)).toContainText('Everything arrived', LONG);
  expect(readFileSync(file).equals(half)).toBe(true);
  expect(readFileSync(backup).equals(whole)).toBe(true);
});

test('says that a migration was interrupted, and puts the wallet back', async ({ openConnected }) => {
  const { app, node, page } = await openConnected('31.0', { holdAt: 'Migrating wallet storage' });
  await killMidway(app, node);
  await expect(verdict(app)).toContainText('Interrupted', LONG);
  const alert = page.getByRole('alert');
  await expect(verdict(app)).toHaveText('Interrupted. Your coins are safe.');
  await expect(alert).toContainText('The old wallet is whole.');
  await expect(alert).toContainText('.legacy.bak');
  // As the copy has it.
  await expect(page.getByRole('main')).toContainText('8.599\u2009971\u200980');
  await node.restart();
  await expect(button(page, 'Put the old wallet back')).toBeVisible();
  await goTo(app, 'All wallets');
  await expect(walletRow(app, 'legacy-hd')).toContainText('Interrupted');
  await button(walletRow(app, 'legacy-hd'), 'Put it back').click();
  await expect(actionCard(app)).toContainText(shownPath(join(node.walletsFolder, 'legacy-hd.interrupted-')));
  await button(actionCard(app), 'Put it back').click();
  await node.untilPaused();
  node.resume();
  await expect(verdict(app)).toContainText('Everything arrived', LONG);
  await expect(page.getByText(shownPath(join(node.walletsFolder, 'legacy-hd.interrupted-')))).toBeVisible();
  await goTo(app, 'All wallets');
  const half = readdirSync(node.walletsFolder).find((name) => name.startsWith('legacy-hd.interrupted-'));
  const aside = walletRow(app, half ?? '');
  await expect(aside).toContainText('Restored as “legacy-hd”.');
  await expect(button(aside, 'Put it back')).toHaveCount(0);
  const entry = sidebar(app)
    .getByRole('button')
    .filter({ hasText: half ?? '' });
  await expect(entry).toContainText('Kept, not in use');
  await entry.click();
  await expect(verdict(app)).toHaveText('Nothing to do here.');
  await goTo(app, 'History');
  const migrations = page.getByRole('article', { name: 'Migration: legacy-hd' });
  await button(migrations.filter({ hasText: 'Interrupted' }), 'Open').click();
  await expect(verdict(app)).toHaveText('Interrupted. The wallet is whole again.');
});

test('notices that another program put the wallet back', async ({ openConnected }) => {
  const { app, node, page } = await openConnected('31.0', { holdAt: 'Migrating wallet storage' });
  const folder = await killMidway(app, node);
  await node.restart();
  await expect(button(page, 'Put the old wallet back')).toBeVisible();
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  copyFileSync(fixtureFile('legacy-hd'), join(folder, 'wallet.dat'));
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(verdict(app)).toHaveText('Interrupted. The wallet is whole again.', LONG);
});

test('puts a wallet back without its node, which may not start with it', async ({ openConnected }) => {
  const { app, node, page } = await openConnected('31.0', { holdAt: 'Migrating wallet storage' });
  await killMidway(app, node);
  await expect(verdict(app)).toContainText('Interrupted', LONG);
  await expect(button(page, 'Put the old wallet back')).toHaveCount(0);
  await button(page, 'Work without a node').click();
  await run(app, 'Put it back');
  await expect(verdict(app)).toContainText('Everything arrived', LONG);
  const names = readdirSync(node.walletsFolder);
  expect(names).toContainEqual(expect.stringContaining('legacy-hd.interrupted-'));
});

/** Migrates “legacy-hd”, kills the node once its backup is there, and leaves what a real node left. Returns the wallet's folder. */
async function killMidway(app: App, node: TestNode): Promise<string> {
  await startMigration(app, 'legacy-hd');
  const backups = () => readdirSync(node.walletsFolder).filter((name) => name.endsWith('.legacy.bak'));
  await expect.poll(backups).toHaveLength(1);
  const folder = join(node.walletsFolder, 'legacy-hd');
  const { records } = await readEntries(readFileSync(fixtureFile('legacy-hd')));
  writeFileSync(join(folder, 'wallet.dat'), makeSqlite(records, 'regtest'));
  await node.kill();
  return folder;
}
