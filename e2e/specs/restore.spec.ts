/** Restores from the file to the new wallet, and what can be wrong with the file or the name. */
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  actionCard,
  button,
  chooseBackup,
  goTo,
  nameField,
  nameWallet,
  openDetails,
  openOptions,
  planIsMade,
  run,
  shownPath,
  verdict,
  walletRow,
} from '../app/steps.ts';
import { expect, fixtureFile, test } from '../app.ts';
import { sha256 } from '../testNode/walletFixture.ts';

const hashOf = (file: string) => sha256(readFileSync(file));
const THIN = '\u2009';
/** The balance of the fixture `descriptor-hd`. */
const BALANCE = `9.300${THIN}000${THIN}00\u00a0rBTC`;

// `e2e/services/jobs.test.ts` restores on every release and compares the files.
test('restores a descriptor backup on release 31.0', async ({ openConnected }) => {
  const nodeWarnings = [
    'First line\nsecond line',
    '<b>not bold</b> \u202Eesrever',
    'Third '.repeat(80).trim(),
  ];
  const { app, node, page } = await openConnected('31.0', {
    rescan: { shares: [0.42], ms: 100 },
    restoreWarnings: nodeWarnings,
  });
  const file = join(node.backupsFolder, 'descriptor.bak');
  await chooseBackup(app, file);
  await openDetails(app);
  await expect(page.getByText(hashOf(file))).toBeVisible();

  await test.step('says while typing that a name is taken or invalid', async () => {
    const name = await nameField(app);
    await expect(actionCard(app)).toContainText(`Wallets folder: ${shownPath(node.walletsFolder)}`);
    const alert = page.getByRole('alert');
    await expect(name).toHaveValue('descriptor');
    await name.fill('saving');
    await planIsMade(app);
    await expect(alert).toHaveCount(0);
    await name.pressSequentially('s');
    await expect(alert).toHaveText(/ already exists\. It stays as it is\.$/);
    await expect(name).toHaveAttribute('aria-invalid', 'true');
    await expect(button(page, 'Restore')).toHaveCount(0);
    await name.press('Enter');
    await expect(name).toBeVisible();
    await name.fill('../savings');
    await expect(alert).toContainText('wallets folder');
    await name.fill('');
    await expect(alert).toHaveText('Give the wallet a name.');
    expect(node.countCalls('restorewallet')).toBe(0);
    await nameWallet(app, 'from backup');
    await expect(alert).toHaveCount(0);
  });
  await openOptions(app);
  await page.getByLabel('Load at node start').selectOption('Yes');
  await expect(
    page.getByText(`restorewallet wallet_name="from backup" backup_file="${file}" load_on_startup=true`),
  ).toBeVisible();
  await planIsMade(app);

  await test.step('starts one restore if the button is pressed five times', async () => {
    await button(actionCard(app), 'Restore').evaluate((element: HTMLElement) => {
      for (let times = 0; times < 5; times += 1) element.click();
    });
    await expect(verdict(app)).toContainText('Everything arrived');
    expect(node.countCalls('restorewallet')).toBe(1);
  });
  await expect(page.locator('main header')).toContainText(BALANCE);
  const warnings = page.getByRole('list', { name: 'Node warnings' }).getByRole('listitem');
  await expect(warnings).toHaveCount(3);
  await expect(warnings.nth(0)).toHaveText(nodeWarnings[0] ?? '');
  await expect(warnings.nth(1)).toContainText('<b>not bold</b>');
  await expect(warnings.nth(1)).toContainText('U+202E');
  await expect(warnings.nth(2)).toHaveText(nodeWarnings[2] ?? '');

  await goTo(app, 'All wallets');
  const row = walletRow(app, 'from backup');
  await expect(row).toContainText('Descriptor');
  await expect(row).toContainText('Loaded');
  await expect(row).toContainText(BALANCE);
  await goTo(app, 'History');
  await expect(page.getByRole('list', { name: 'Jobs' }).getByRole('article')).toHaveCount(1);
});

// SECURITY.md: A backup swapped between plan and start
test('restores only the file that it showed, unchanged', async ({ openConnected, home }) => {
  const { app, node, page } = await openConnected('28.1');
  const file = join(home, 'backup.dat');
  copyFileSync(fixtureFile('descriptor-hd'), file);
  await chooseBackup(app, file);
  await openDetails(app);
  await expect(page.getByText(hashOf(file))).toBeVisible();
  rmSync(file);
  await run(app, 'Restore');
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('Nothing is at ~/backup.dat.');
  await expect(alert).toContainText('Nothing was sent.');
  await expect(verdict(app)).toHaveCount(0);
  await expect(button(page, 'Restore')).toHaveCount(0);
  expect(existsSync(join(node.walletsFolder, 'backup'))).toBe(false);

  copyFileSync(fixtureFile('descriptor-hd'), file);
  await button(page, 'Try again').click();
  await planIsMade(app);
  await openDetails(app);
  await expect(page.getByText(hashOf(file))).toBeVisible();
  copyFileSync(fixtureFile('descriptor-encrypted'), file);
  await run(app, 'Restore');
  await expect(alert).toContainText('The file changed after the check');
  await expect(alert).toContainText(hashOf(file));
  expect(node.countCalls('restorewallet')).toBe(0);

  // The app now shows the new file.
  await expect(page.getByText(hashOf(file), { exact: true })).toBeVisible();
  await run(app, 'Restore');
  await expect(verdict(app)).toContainText('Everything arrived');
  expect(node.countCalls('restorewallet')).toBe(1);
});
