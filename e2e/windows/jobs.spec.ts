/** Jobs in the browser entry on Windows, on nodes that run there, and without a node. */
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  button,
  copyPath,
  goTo,
  LONG,
  nameField,
  nameWallet,
  offlineFolder,
  openFile,
  planIsMade,
  prepareMigration,
  putOffline,
  run,
  saveBackups,
  verdict,
  walletRow,
  workOffline,
} from '../app/steps.ts';
import { userFolders } from '../app/windows.ts';
import { connectThere, expect, fixtureFile, fixturePassphrase, nodeThere, test } from './windowsTest.ts';

const ENCRYPTED = 'legacy-hd-encrypted';
const DONE = 'Everything arrived';

test('finds the nodes of %APPDATA% and %LOCALAPPDATA%, and restores and migrates on one', async ({
  openOnWindows,
  startNodeThere,
  home,
  windows,
}) => {
  const dataFolder = join(userFolders(home).roaming, 'Bitcoin');
  const port = await startNodeThere('31.0', dataFolder, { wallets: { savings: 'descriptor-hd' } });
  const local = join(userFolders(home).local, 'Bitcoin');
  const localPort = await startNodeThere('30.0', local);
  // As Notepad saves it: with a byte order mark, which a node also reads as part of the first name, and CRLF line ends.
  const lines = ['\ufeffserver=1', 'regtest=1', '', '[regtest]', `rpcport=${localPort}`, ''];
  writeFileSync(join(local, 'bitcoin.conf'), lines.join('\r\n'));
  const file = join(home, 'old backup.dat');
  copyFileSync(fixtureFile('legacy-watchonly'), file);
  const app = await openOnWindows();
  await goTo(app, 'Node');
  await expect(nodeThere(app, localPort)).toContainText('30.0', LONG);
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

test('migrates an encrypted wallet without a node, backs it up on another disk, undoes it, and restores a read-only file', async ({
  openOnWindows,
  windows,
  home,
}) => {
  const app = await openOnWindows();
  const { page } = app;
  const file = putOffline(app, ENCRYPTED);
  await workOffline(app);
  await prepareMigration(app, ENCRYPTED, fixturePassphrase(ENCRYPTED));
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
  await expect(verdict(app)).toContainText('Old wallet put back', LONG);
  await goTo(app, 'All wallets');
  await expect(walletRow(app, ENCRYPTED)).toContainText('Legacy');
  await expect(walletRow(app, `${ENCRYPTED} (migrated)`)).toContainText('Descriptor');

  const readOnly = join(home, 'backup.dat');
  copyFileSync(fixtureFile('descriptor-hd'), readOnly);
  chmodSync(readOnly, 0o444);
  await openFile(app, readOnly);
  await planIsMade(app);
  await nameWallet(app, 'Back');
  await run(app, 'Restore');
  await expect(verdict(app)).toContainText('Everything arrived.', LONG);
  const wallets = offlineFolder(app);
  // The new wallet can be written.
  writeFileSync(join(wallets, 'Back', 'wallet.dat'), readFileSync(readOnly));
  // Windows ignores case in the names of folders.
  await openFile(app, readOnly);
  await page.getByText('Start again').click();
  await planIsMade(app);
  await (await nameField(app)).fill('BACK');
  await expect(page.getByRole('main')).toContainText('“BACK” already exists.');
  expect(readdirSync(wallets)).toContain('Back');
  expect(readdirSync(wallets)).not.toContain('BACK');
});
