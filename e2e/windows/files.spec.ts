/** Files on Windows: drives, reserved names, long paths, and read-only files. */
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  button,
  goToFolder,
  LONG,
  nameField,
  nameWallet,
  offlineFolder,
  openFile,
  openTab,
  planIsMade,
  run,
  verdict,
  workOffline,
} from '../app/steps.ts';
import { userFolders } from '../app/windows.ts';
import { connectThere, expect, fixtureFile, test } from './windowsTest.ts';

test('finds the node of %LOCALAPPDATA%, whose bitcoin.conf has a byte order mark and CRLF line ends', async ({
  openOnWindows,
  startNodeThere,
  home,
}) => {
  const dataFolder = join(userFolders(home).local, 'Bitcoin');
  const port = await startNodeThere('30.0', dataFolder);
  // As Notepad saves it. A node also reads the mark as part of the first name.
  const lines = ['\ufeffserver=1', 'regtest=1', '', '[regtest]', `rpcport=${port}`, ''];
  writeFileSync(join(dataFolder, 'bitcoin.conf'), lines.join('\r\n'));
  const app = await openOnWindows();
  await connectThere(app, port);
});

test('shows the drives, and refuses names that Windows reserves or changes', async ({
  openOnWindows,
  windows,
  home,
}) => {
  const wallet = join(home, 'wallet.dat');
  copyFileSync(fixtureFile('descriptor-hd'), wallet);
  const deep = join(home, ...Array.from({ length: 6 }, (_, at) => `${at} ${'long '.repeat(11)}name`));
  mkdirSync(deep, { recursive: true });
  const app = await openOnWindows();
  const { page } = app;
  await openFile(app, wallet);
  await openTab(app, 'Export');
  await button(page.getByRole('form', { name: 'Export' }), 'Export…').click();
  const dialog = page.getByRole('dialog');
  await expect(button(dialog, 'C:')).toBeVisible(LONG);
  if (windows.otherDisk !== null) await expect(button(dialog, 'D:')).toBeVisible();
  await goToFolder(dialog, '\\\\server.invalid\\share');
  await expect(dialog.getByRole('alert')).toContainText('Path to another machine.', LONG);
  await goToFolder(dialog, windows.toWindowsPath(deep));
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  const name = dialog.getByLabel('File name');
  for (const [typed, message] of [
    ['CON', 'Reserved by Windows.'],
    ['aux.json', 'Reserved by Windows.'],
    ['list:hidden', 'No <>:"|?* on Windows.'],
    ['list. ', 'No final dot or space on Windows.'],
  ] as const) {
    await name.fill(typed);
    await expect(dialog).toContainText(message);
    await expect(button(dialog, 'Save here')).toBeDisabled();
  }
  await name.fill('list.json');
  await button(dialog, 'Save here').click();
  const exported = page.getByRole('form', { name: 'Export' }).getByRole('status').first();
  await expect(exported).toContainText('Exported: 8 descriptors', LONG);
  const saved = readFileSync(join(deep, 'list.json'), 'utf8');
  expect(JSON.parse(saved)).toHaveLength(8);

  // On Windows this is the same file.
  await button(page.getByRole('form', { name: 'Export' }), 'Export…').click();
  await goToFolder(dialog, windows.toWindowsPath(deep));
  await name.fill('LIST.JSON');
  await button(dialog, 'Save here').click();
  await expect(page.getByRole('main')).toContainText('already exists', LONG);
  expect(readdirSync(deep)).toEqual(['list.json']);
  expect(readFileSync(join(deep, 'list.json'), 'utf8')).toBe(saved);
});

test('restores a read-only backup to a writable wallet', async ({ openOnWindows, home }) => {
  const backup = join(home, 'backup.dat');
  copyFileSync(fixtureFile('descriptor-hd'), backup);
  chmodSync(backup, 0o444);
  const app = await openOnWindows();
  await workOffline(app);
  await openFile(app, backup);
  await planIsMade(app);
  await nameWallet(app, 'Back');
  await run(app, 'Restore');
  await expect(verdict(app)).toContainText('Everything arrived.', LONG);
  const wallets = offlineFolder(app);
  writeFileSync(join(wallets, 'Back', 'wallet.dat'), readFileSync(backup));

  // Windows ignores case in the names of folders.
  await openFile(app, backup);
  await planIsMade(app);
  const card = app.page.getByRole('main');
  await (await nameField(app)).fill('BACK');
  await expect(card).toContainText('“BACK” already exists.');
  expect(readdirSync(wallets)).toContain('Back');
  expect(readdirSync(wallets)).not.toContain('BACK');
});
