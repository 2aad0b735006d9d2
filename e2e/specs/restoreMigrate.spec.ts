/** A legacy backup on a release that cannot load legacy wallets: one job restores and migrates it. */
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashesBelow } from '../app/filesBelow.ts';
import {
  actionCard,
  button,
  chooseBackup,
  connect,
  goTo,
  LONG,
  nameField,
  nameWallet,
  openDetails,
  pathIn,
  planIsMade,
  run,
  shownPath,
  tryButton,
  typePassphrase,
  verdict,
  walletRow,
} from '../app/steps.ts';
import { type App, expect, type FixtureName, fixtureFile, fixturePassphrase, test } from '../app.ts';

const DONE = 'Everything arrived';
const ENCRYPTED = 'legacy-hd-encrypted';
const WRONG = 'wrong passphrase';

/** Copies the fixture to a backup file. Returns its path. */
function backupOf(fixture: FixtureName, home: string): string {
  const file = join(home, 'old backup.dat');
  copyFileSync(fixtureFile(fixture), file);
  return file;
}

/** Opens a backup, and names its new wallet. */
async function openAndName(app: App, file: string, name: string): Promise<void> {
  await chooseBackup(app, file);
  await nameWallet(app, name);
}

const passphraseField = ({ page }: App) => page.getByLabel('Passphrase', { exact: true });

// `e2e/services/jobs.test.ts` does the same on 30.0.
test('restores and migrates a legacy backup, and can restore its safety copy', async ({
  openApp,
  startNode,
  home,
}) => {
  const node = await startNode('31.0', { wallets: { savings: 'descriptor-hd' } });
  const before = hashesBelow(node.walletsFolder);
  const file = backupOf('legacy-watchonly', home);
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await openAndName(app, file, 'old one');
  await expect(page.getByRole('list', { name: 'Wallets after migration' }).getByRole('listitem')).toHaveCount(
    2,
  );
  await expect(page.getByText('Options', { exact: true })).toHaveCount(0);
  await openDetails(app);
  await expect(page.getByRole('region', { name: 'What it creates' }).getByRole('listitem')).toHaveText([
    /old one.*Main wallet/,
    /old one_watchonly.*Watch-only wallet/,
  ]);
  const copies = page.getByRole('region', { name: 'Copies' });
  await expect(copies).toContainText('The app copies the file first.');
  await expect(
    copies.getByText(shownPath(join(node.walletsFolder, 'old one')), { exact: true }),
  ).toBeVisible();
  await expect(page.getByText('migratewallet wallet_name="old one"', { exact: true })).toBeVisible();
  expect(hashesBelow(node.walletsFolder)).toEqual(before);
  await run(app, 'Migrate');

  await expect(verdict(app)).toContainText(DONE, LONG);
  await expect(page.getByRole('list', { name: 'New wallets' }).getByRole('listitem')).toHaveText([
    /old one/,
    /old one_watchonly/,
  ]);
  expect(readFileSync(file)).toEqual(readFileSync(fixtureFile('legacy-watchonly')));
  expect(hashesBelow(node.walletsFolder)).toMatchObject(before);
  expect(node.countCalls('restorewallet')).toBe(0);
  expect(node.countCalls('migratewallet')).toBe(1);
  await goTo(app, 'All wallets');
  await expect(walletRow(app, 'old one')).toContainText('Descriptor');
  await expect(walletRow(app, 'old one_watchonly')).toContainText('Watch-only');

  // The safety copy can be restored like any other backup.
  await goTo(app, 'History');
  const copy = page.getByRole('list', { name: 'Safety copies' }).getByRole('listitem').first();
  await copy.getByText('Details').click();
  const path = await pathIn(copy.locator('code').first());
  expect(readFileSync(path)).toEqual(readFileSync(fixtureFile('legacy-watchonly')));
  await button(copy, 'Restore').click();
  await planIsMade(app);
  await expect(page.getByTitle(path)).toBeVisible();
  await nameWallet(app, 'once more');
  await expect(button(actionCard(app), 'Migrate')).not.toHaveAttribute('aria-disabled');
});

test('tries the passphrase before it places a file, and keeps the entered name', async ({
  openApp,
  startNode,
  home,
}) => {
  const node = await startNode('31.0', { wallets: { savings: 'descriptor-hd' } });
  const before = hashesBelow(node.walletsFolder);
  const file = backupOf(ENCRYPTED, home);
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await openAndName(app, file, 'old one');
  await expect(button(page, 'Migrate')).toHaveAccessibleDescription('Type the passphrase.');
  await typePassphrase(app, WRONG);
  await expect(page.getByRole('alert')).toContainText('Wrong passphrase');
  await expect(passphraseField(app)).toHaveAttribute('aria-invalid', 'true');
  await expect(passphraseField(app)).toHaveValue(WRONG);
  await expect(button(page, 'Migrate')).toHaveAttribute('aria-disabled', 'true');
  await expect(button(page, 'Migrate')).toHaveAccessibleDescription('Wrong passphrase');
  await tryButton(page, 'Migrate');
  await expect(await nameField(app)).toHaveValue('old one');
  expect(hashesBelow(node.walletsFolder)).toEqual(before);
  expect(node.countCalls('migratewallet')).toBe(0);

  await typePassphrase(app, fixturePassphrase(ENCRYPTED));
  await openDetails(app);
  await expect(
    page.getByText('migratewallet wallet_name="old one" passphrase="•••"', { exact: true }),
  ).toBeVisible();
  await run(app, 'Migrate');
  await expect(verdict(app)).toContainText(DONE, LONG);
  expect(readFileSync(file)).toEqual(readFileSync(fixtureFile(ENCRYPTED)));
  expect(hashesBelow(node.walletsFolder)).toMatchObject(before);
  await goTo(app, 'All wallets');
  await expect(walletRow(app, 'old one')).toContainText('Encrypted');
});
