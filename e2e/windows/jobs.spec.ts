/** Jobs in the browser entry on Windows, on nodes that run there, and without a node. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OTHERS_MAY_READ } from '../../shared/wording/findings/hints.ts';
import {
  button,
  copyPath,
  goTo,
  LONG,
  nameWallet,
  openDetails,
  openFile,
  openTab,
  planIsMade,
  prepareMigration,
  putOffline,
  run,
  saveBackups,
  verdict,
  walletAction,
  walletRow,
  workOffline,
} from '../app/steps.ts';
import { userFolders } from '../app/windows.ts';
import { connectThere, expect, fixtureFile, fixturePassphrase, test } from './windowsTest.ts';

const ENCRYPTED = 'legacy-hd-encrypted';
const DONE = 'Everything arrived';

test('finds the node of %APPDATA%, and restores and migrates on it', async ({
  openOnWindows,
  startNodeThere,
  home,
  windows,
}) => {
  const dataFolder = join(userFolders(home).roaming, 'Bitcoin');
  const port = await startNodeThere('31.0', dataFolder, { wallets: { savings: 'descriptor-hd' } });
  const file = join(home, 'old backup.dat');
  copyFileSync(fixtureFile('legacy-watchonly'), file);
  const app = await openOnWindows();
  await connectThere(app, port);
  await openFile(app, file);
  await planIsMade(app);
  await nameWallet(app, 'old one');
  await run(app, 'Migrate');
  await expect(verdict(app)).toContainText(DONE, LONG);
  const wallets = join(dataFolder, 'regtest', 'wallets');
  expect(readdirSync(wallets)).toEqual(expect.arrayContaining(['old one', 'old one_watchonly', 'savings']));
  expect(await copyPath(app, 'The old wallet’s backup')).toContain(windows.toWindowsPath(wallets));
  expect(readFileSync(file)).toEqual(readFileSync(fixtureFile('legacy-watchonly')));
});

test('migrates an encrypted wallet without a node, backs it up on another disk, and undoes it', async ({
  openOnWindows,
  windows,
  home,
}) => {
  const app = await openOnWindows();
  const { page } = app;
  const file = putOffline(app, ENCRYPTED);
  await workOffline(app);
  await prepareMigration(app, ENCRYPTED, fixturePassphrase(ENCRYPTED));
  await openDetails(app);
  await button(page, 'Rehearse').click();
  await expect(page.getByRole('list', { name: 'Rehearsed wallets' })).toBeVisible(LONG);
  await run(app, 'Migrate');
  await expect(verdict(app)).toContainText(DONE, LONG);
  const stick = join(windows.otherDisk ?? home, 'stick');
  mkdirSync(stick, { recursive: true });
  await saveBackups(app, stick);
  await expect(verdict(app)).toContainText('Safe and backed up', LONG);
  const [backup = ''] = readdirSync(stick);
  await expect(page.getByRole('main')).toContainText(windows.toWindowsPath(join(stick, backup)));
  expect(readFileSync(join(stick, backup))).toEqual(readFileSync(file));
  await page.getByText('Undo the migration').click();
  await button(page, 'Undo').click();
  await expect(verdict(app)).toContainText('Now migrate it', LONG);
  await goTo(app, 'All wallets');
  await expect(walletRow(app, ENCRYPTED)).toContainText('Legacy');
  await expect(walletRow(app, `${ENCRYPTED} (migrated)`)).toContainText('Descriptor');
});

// SECURITY.md: Other users, on Windows, outside your own folders
test('says where it saves keys that other users may be able to read, and nowhere else', async ({
  openOnWindows,
  home,
  outside,
}) => {
  const file = join(home, 'descriptor.dat');
  copyFileSync(fixtureFile('descriptor-hd'), file);
  const app = await openOnWindows();
  const { page } = app;
  putOffline(app, 'descriptor-hd', 'savings');
  await workOffline(app);
  await openFile(app, file);
  await openTab(app, 'Export');
  const form = page.getByRole('form', { name: 'Export' });
  const done = form.getByRole('status').first();
  for (const [folder, isOutside] of [
    [home, false],
    [outside, true],
  ] as const) {
    await form.getByLabel('With private keys').check();
    await form.getByLabel('I understand').check();
    await app.pickFile(join(folder, 'keys.json'), () => button(form, 'Export…').click());
    await expect(done).toContainText('Exported: 8 descriptors', LONG);
    await expect(done.getByText(OTHERS_MAY_READ)).toHaveCount(isOutside ? 1 : 0);
    await form.getByLabel('Public keys only').check();
  }

  await goTo(app, 'All wallets');
  for (const [folder, isOutside] of [
    [home, false],
    [outside, true],
  ] as const) {
    await walletAction(app, 'savings', 'Open');
    const outside = Number(isOutside);
    await saveBackups(app, folder);
    await expect
      .poll(() => readdirSync(folder).filter((name) => name.startsWith('savings')), LONG)
      .toHaveLength(1);
    await expect(page.getByRole('main').getByText(OTHERS_MAY_READ)).toHaveCount(outside, LONG);
    await goTo(app, 'All wallets');
  }

  await openFile(app, file);
  await planIsMade(app);
  await expect(page.getByRole('main').getByText(OTHERS_MAY_READ)).toHaveCount(0);
});

test('rescues a wallet with a damaged page', async ({ openOnWindows, home }) => {
  const file = join(home, 'wallet.dat');
  const bytes = Buffer.from(readFileSync(fixtureFile('legacy-hd')));
  bytes.fill(0, 5 * 4096, 6 * 4096);
  writeFileSync(file, bytes);
  const app = await openOnWindows();
  const { page } = app;
  await openFile(app, file);
  await button(page.getByRole('main'), 'Rescue').click();
  await planIsMade(app);
  await nameWallet(app, 'saved');
  await run(app, 'Rescue');
  const saved = page.getByRole('region', { name: 'Rescued', exact: true });
  await expect(saved).toContainText(/Saved\s*\d+ private keys/, LONG);
  expect(readFileSync(file).equals(bytes)).toBe(true);
});
