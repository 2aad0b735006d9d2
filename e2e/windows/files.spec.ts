/** Files on Windows: drives, reserved names, long paths, and folders of other users. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OTHERS_MAY_READ } from '../../shared/wording/findings/hints.ts';
import {
  button,
  goToFolder,
  LONG,
  openFile,
  openTab,
  openWallet,
  planIsMade,
  putOffline,
  saveBackups,
  workOffline,
} from '../app/steps.ts';
import { expect, fixtureFile, test } from './windowsTest.ts';

// SECURITY.md: Other users, on Windows, outside your own folders
test('shows the drives, refuses names that Windows reserves or changes, and says where other users may read keys', async ({
  openOnWindows,
  windows,
  home,
  outside,
}) => {
  const wallet = join(home, 'wallet.dat');
  copyFileSync(fixtureFile('descriptor-hd'), wallet);
  const deep = join(home, ...Array.from({ length: 6 }, (_, at) => `${at} ${'long '.repeat(11)}name`));
  mkdirSync(deep, { recursive: true });
  const app = await openOnWindows();
  const { page } = app;
  putOffline(app, 'descriptor-hd', 'savings');
  await workOffline(app);
  await openFile(app, wallet);
  await openTab(app, 'Export');
  await button(page.getByRole('form', { name: 'Export' }), 'Export…').click();
  const dialog = page.getByRole('dialog');
  await expect(button(dialog, 'C:')).toBeVisible(LONG);
  if (windows.otherDisk !== null) await expect(button(dialog, 'D:')).toBeVisible();
  await goToFolder(dialog, '\\\\server.invalid\\share');
  await expect(dialog.getByRole('alert')).toContainText('On another machine.', LONG);
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

  const form = page.getByRole('form', { name: 'Export' });
  for (const [folder, isOutside] of [
    [home, false],
    [outside, true],
  ] as const) {
    await form.getByLabel('With private keys').check();
    await form.getByLabel('I understand').check();
    await app.pickFile(join(folder, 'keys.json'), () => button(form, 'Export…').click());
    await expect(exported).toContainText('Exported: 8 descriptors', LONG);
    await expect(exported.getByText(OTHERS_MAY_READ)).toHaveCount(isOutside ? 1 : 0);
    await form.getByLabel('Public keys only').check();
  }
  await openWallet(app, 'savings');
  await saveBackups(app, outside);
  await expect(page.getByRole('main').getByText(OTHERS_MAY_READ)).toHaveCount(1, LONG);
  await openFile(app, wallet);
  await planIsMade(app);
  await expect(page.getByRole('main').getByText(OTHERS_MAY_READ)).toHaveCount(0);
});
