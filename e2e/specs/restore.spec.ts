/** Bringing a backup back: the whole way, and all that can be wrong with the file or the name. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  actionCard,
  button,
  chooseBackup,
  connect,
  goTo,
  nameField,
  nameWallet,
  openDetails,
  openOptions,
  openWallet,
  planIsMade,
  run,
  startRestore,
  tryButton,
  verdict,
  walletRow,
} from '../app/steps.ts';
import { expect, fixtureFile, test } from '../app.ts';

const THIN = '\u2009';
/** What the fixture `descriptor-hd` holds. */
const BALANCE = `9.300${THIN}000${THIN}00\u00a0rBTC`;

// `e2e/services/jobs.test.ts` restores on every release and compares the files.
test('restores a descriptor backup on release 31.0', async ({ openApp, startNode }) => {
  const node = await startNode('31.0', { rescan: { shares: [0.42], ms: 100 } });
  const app = await openApp();
  await connect(app, node);
  const file = join(node.backupsFolder, 'descriptor.bak');
  await chooseBackup(app, file);
  await openDetails(app);
  const hash = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  await expect(app.page.getByText(hash)).toBeVisible();
  await nameWallet(app, 'brought back');
  await openOptions(app);
  await app.page.getByLabel('Load it when the node starts').selectOption('Yes');
  await expect(
    app.page.getByText(`restorewallet wallet_name="brought back" backup_file="${file}" load_on_startup=true`),
  ).toBeVisible();
  await run(app, 'Restore');
  await expect(verdict(app)).toContainText('Wallet restored');
  await expect(app.page.getByRole('main').getByText(BALANCE)).toBeVisible();
  await goTo(app, 'All wallets');
  const row = walletRow(app, 'brought back');
  await expect(row).toContainText('Descriptor');
  await expect(row).toContainText('Loaded');
  await expect(row).toContainText(BALANCE);
});

test('shows every warning of the node word for word', async ({ openApp, startNode }) => {
  const words = ['First line\nsecond line', '<b>not bold</b> \u202Eesrever', 'Third '.repeat(80).trim()];
  const node = await startNode('31.0', { restoreWarnings: words });
  const app = await openApp();
  await connect(app, node);
  await startRestore(app, join(node.backupsFolder, 'descriptor.bak'), 'warned');
  const warnings = app.page.getByRole('list', { name: 'Node warnings' }).getByRole('listitem');
  await expect(warnings).toHaveCount(3);
  await expect(warnings.nth(0)).toHaveText(words[0] ?? '');
  await expect(warnings.nth(1)).toContainText('<b>not bold</b>');
  await expect(warnings.nth(1)).toContainText('U+202E');
  await expect(warnings.nth(2)).toHaveText(words[2] ?? '');
});

test('says while typing that a name is taken or invalid', async ({ openApp, startNode }) => {
  const node = await startNode('31.0');
  const app = await openApp();
  await connect(app, node);
  await chooseBackup(app, join(node.backupsFolder, 'descriptor.bak'));
  const name = await nameField(app);
  await expect(name).toHaveValue('descriptor');
  await name.fill('saving');
  await planIsMade(app);
  await expect(app.page.getByRole('alert')).toHaveCount(0);
  await name.pressSequentially('s');
  await expect(app.page.getByRole('alert')).toHaveText('This name is already taken.');
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await tryButton(app.page, 'Restore');
  await expect(name).toBeVisible();
  await name.fill('../savings');
  await expect(app.page.getByRole('alert')).toContainText('wallets folder');
  await name.fill('');
  await expect(app.page.getByRole('alert')).toHaveText('Give the wallet a name.');
  await name.fill('savings 2');
  await expect(app.page.getByRole('alert')).toHaveCount(0);
  expect(node.countCalls('restorewallet')).toBe(0);
});

test('stops if the backup disappears, and restores it once it is back', async ({
  openApp,
  startNode,
  home,
}) => {
  const node = await startNode('31.0');
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  const file = join(home, 'fleeting.dat');
  await copyFile(fixtureFile('descriptor-hd'), file);
  await chooseBackup(app, file);
  await rm(file);
  await run(app, 'Restore');
  await expect(page.getByRole('alert')).toContainText('Something changed');
  await expect(page.getByRole('alert')).toContainText('Nothing was sent.');
  await expect(page.getByRole('list', { name: 'Warnings' })).toContainText(
    `Stop: There is nothing at ${file}.`,
  );
  await expect(button(page, 'Restore')).toHaveAttribute('aria-disabled', 'true');
  expect(existsSync(join(node.walletsFolder, 'fleeting'))).toBe(false);
  await copyFile(fixtureFile('descriptor-hd'), file);
  await button(page, 'Check again').click();
  await run(app, 'Restore');
  await expect(verdict(app)).toContainText('Wallet restored');
});

test('keeps the answers through other pages and a reload, but not for another file', async ({
  openApp,
  startNode,
}) => {
  const node = await startNode('31.0', { wallets: {} });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  const atStart = page.getByLabel('Load it when the node starts');
  await chooseBackup(app, join(node.backupsFolder, 'descriptor.bak'));
  await nameWallet(app, 'mine');
  await openOptions(app);
  await atStart.selectOption('Yes');
  await planIsMade(app);
  await goTo(app, 'History');
  await openWallet(app, 'descriptor.bak');
  await expect(await nameField(app)).toHaveValue('mine');
  await openOptions(app);
  await expect(atStart).toHaveValue('true');
  await page.reload();
  await planIsMade(app);
  await expect(await nameField(app)).toHaveValue('mine');
  await openOptions(app);
  await expect(atStart).toHaveValue('true');

  await chooseBackup(app, join(node.backupsFolder, 'encrypted.bak'));
  await expect(await nameField(app)).toHaveValue('encrypted');
  await openOptions(app);
  await expect(atStart).toHaveValue('null');
});

test('starts one restore if the button is pressed five times', async ({ openApp, startNode }) => {
  const node = await startNode('31.0');
  const app = await openApp();
  await connect(app, node);
  await chooseBackup(app, join(node.backupsFolder, 'descriptor.bak'));
  await button(actionCard(app), 'Restore').evaluate((element: HTMLElement) => {
    for (let times = 0; times < 5; times += 1) element.click();
  });
  await expect(verdict(app)).toContainText('Wallet restored');
  expect(node.countCalls('restorewallet')).toBe(1);
  await goTo(app, 'History');
  await expect(app.page.getByRole('list', { name: 'Jobs' }).getByRole('article')).toHaveCount(1);
});

// SECURITY.md: Another user of this computer
test('restores no other file than the one that was shown, and shows what is there now', async ({
  openApp,
  startNode,
  home,
}) => {
  const node = await startNode('28.1');
  const file = join(home, 'backup.dat');
  const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
  await copyFile(fixtureFile('descriptor-hd'), file);
  const shown = hashOf(file);
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await chooseBackup(app, file);
  await openDetails(app);
  await expect(page.getByText(shown)).toBeVisible();
  await copyFile(fixtureFile('descriptor-encrypted'), file);
  await run(app, 'Restore');
  await expect(page.getByRole('alert')).toContainText('The backup is not the file that was shown');
  await expect(page.getByRole('alert')).toContainText(hashOf(file));
  expect(node.countCalls('restorewallet')).toBe(0);

  // The user has seen by now what it is.
  await button(page, 'Check again').click();
  await expect(page.getByText(hashOf(file), { exact: true })).toBeVisible();
  await run(app, 'Restore');
  await expect(verdict(app)).toContainText('Wallet restored');
  expect(node.countCalls('restorewallet')).toBe(1);
});
