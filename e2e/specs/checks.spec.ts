/** The checks before a migration: blockers, warnings, and the workaround for a release with a bug. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import {
  actionCard,
  button,
  connect,
  goTo,
  heading,
  LONG,
  nameField,
  nodeChip,
  openDetails,
  openFile,
  openOptions,
  planIsMade,
  prepareMigration,
  run,
  shownPath,
  startOfferedEngine,
  tryButton,
  verdict,
  walletRow,
} from '../app/steps.ts';
import { type App, expect, fixtureFile, fixturePassphrase, type TestNode, test } from '../app.ts';

const ENCRYPTED = 'legacy-hd-encrypted';
const warnings = ({ page }: App) => page.getByRole('list', { name: 'Warnings' }).getByRole('listitem');
const migrate = (app: App): Locator => button(actionCard(app), 'Migrate');

/** Opens all checks. `count` is the text that sums them up. */
async function allChecks(app: App, count: RegExp): Promise<Locator> {
  await openDetails(app);
  await app.page.getByText(count).click();
  return app.page.getByRole('list', { name: 'Checks', exact: true });
}

async function checkAgain(app: App): Promise<void> {
  await button(app.page, 'Check again').click();
  await planIsMade(app);
}

/** Sets the value of a field. No key can type a zero byte. */
const paste = (field: Locator, text: string) =>
  field.evaluate((element: HTMLInputElement, value) => {
    element.value = value;
    element.dispatchEvent(new Event('input', { bubbles: true }));
  }, text);

const walletFile = ({ walletsFolder }: TestNode, name: string) => join(walletsFolder, name, 'wallet.dat');

/** Changes a wallet's file. Returns its new bytes. */
function changeWallet(node: TestNode, name: string, change: (file: Buffer) => void): Buffer {
  const bytes = readFileSync(walletFile(node, name));
  change(bytes);
  writeFileSync(walletFile(node, name), bytes);
  return bytes;
}

function placeWallet(node: TestNode, name: string): string {
  const folder = join(node.walletsFolder, name);
  mkdirSync(folder);
  copyFileSync(fixtureFile('descriptor-hd'), join(folder, 'wallet.dat'));
  return folder;
}

test('shows blockers next to the button, and offers what works instead', async ({ openApp, startNode }) => {
  const node = await startNode('31.0', {
    wallets: {
      'legacy-watchonly': 'legacy-watchonly',
      [ENCRYPTED]: ENCRYPTED,
      unclosed: 'legacy-hd',
      newer: 'legacy-hd',
    },
  });
  const inTheWay = placeWallet(node, 'legacy-watchonly_watchonly');
  // A killed node leaves a log position on the first page.
  changeWallet(node, 'unclosed', (file) => file.writeUInt32LE(1, 0));
  // Berkeley DB 6 writes a newer version.
  const newer = changeWallet(node, 'newer', (file) => {
    for (const page of [0, 2]) file.writeUInt32LE(10, page * 4096 + 16);
  });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);

  await prepareMigration(app, 'legacy-watchonly');
  await expect(warnings(app).first()).toContainText('Stop: A needed name is taken');
  await expect(warnings(app).first()).toContainText('“legacy-watchonly_watchonly”');
  await expect(warnings(app).first()).toContainText('Unload and rename that wallet');
  await expect(migrate(app)).toHaveCount(0);
  rmSync(inTheWay, { recursive: true });
  await checkAgain(app);
  await expect(warnings(app)).toHaveCount(0);
  await expect(migrate(app)).not.toHaveAttribute('aria-disabled');
  await expect(await allChecks(app, /Checks passed/)).toContainText('Passed: Needed names are free');

  await goTo(app, 'All wallets');
  await prepareMigration(app, ENCRYPTED);
  const field = page.getByLabel('Passphrase', { exact: true });
  await expect(field).toHaveAttribute('type', 'password');
  await paste(field, `${fixturePassphrase(ENCRYPTED)}\0after`);
  await expect(page.getByRole('alert')).toContainText('Right up to its zero byte');
  await expect(page.getByRole('alert')).toContainText('Type only the part before the zero byte.');
  await expect(migrate(app)).toHaveAttribute('aria-disabled', 'true');
  await paste(field, fixturePassphrase(ENCRYPTED));
  await expect(page.getByText('Right passphrase.')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);

  await goTo(app, 'All wallets');
  await prepareMigration(app, 'unclosed');
  await expect(warnings(app).first()).toContainText('Not closed cleanly');
  await expect(migrate(app)).toHaveCount(0);
  await button(actionCard(app), 'Rescue').click();
  await planIsMade(app);
  await expect(heading(page, 'Rescue this wallet', 2)).toBeVisible();

  await goTo(app, 'All wallets');
  await prepareMigration(app, 'newer');
  await expect(warnings(app).first()).toContainText('Migrate it without a node.');
  await button(actionCard(app), 'Work without a node').click();
  // Until the engine has started, the page shows the plan for the node.
  await expect(nodeChip(app)).toContainText('No node', LONG);
  await expect(heading(page, 'Rescue this wallet', 2)).toBeVisible(LONG);
  await planIsMade(app);
  await expect(warnings(app).filter({ hasText: 'Stop:' })).toHaveCount(0);
  await expect(button(actionCard(app), 'Rescue')).not.toHaveAttribute('aria-disabled');
  expect(readFileSync(walletFile(node, 'newer')).equals(newer)).toBe(true);
  expect(node.countCalls('migratewallet')).toBe(0);
});

test('lets a pruned node of release 32 migrate without loading', async ({ openConnected }) => {
  const { app, node, page } = await openConnected('32.0-pre', { pruneHeight: 136 });
  await prepareMigration(app, 'legacy-watchonly');
  await expect(warnings(app).first()).toContainText('turn off “Load after migration”');
  await expect(migrate(app)).toHaveCount(0);
  await button(actionCard(app), 'Turn off “Load after migration”').click();
  await expect(warnings(app).first()).toContainText('Warning: The node cannot load it afterwards');
  await openOptions(app);
  await expect(page.getByRole('checkbox', { name: 'Load after migration' })).not.toBeChecked();
  // `e2e/services/jobs.test.ts` runs it.
  await expect(migrate(app)).not.toHaveAttribute('aria-disabled', 'true');
  expect(node.countCalls('migratewallet')).toBe(0);
});

test('brings into view what only the connection at the start finds', async ({ openApp, startNode }) => {
  const node = await startNode('28.1', { initialBlockDownload: true });
  const app = await openApp();
  const { page } = app;
  await page.setViewportSize({ width: 900, height: 600 });
  await openFile(app, fixtureFile('legacy-watchonly'));
  const cancel = button(actionCard(app), 'Cancel');
  await expect(cancel).toHaveCount(0);
  await page.getByLabel('Where').selectOption('On your Bitcoin Core 28.1');
  await run(app, 'Restore');
  await expect(warnings(app).filter({ hasText: 'The node is still syncing' })).toBeInViewport({ ratio: 1 });
  await expect(button(actionCard(app), 'Restore')).toBeInViewport({ ratio: 1 });
  await cancel.click();
  await expect(button(page, 'No node')).toBeVisible();
  await expect(button(actionCard(app), 'Restore')).toBeEnabled();
  await expect(cancel).toHaveCount(0);
  expect(node.countCalls('restorewallet')).toBe(0);
});

test('migrates a named copy of the unnamed wallet on 30.0', async ({ openApp, startNode }) => {
  const node = await startNode('30.0', {
    wallets: { '': 'legacy-imported', savings: 'descriptor-hd', old_watchonly: 'descriptor-hd' },
  });
  const bare = join(node.walletsFolder, 'wallet.dat');
  const before = readFileSync(bare);
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await prepareMigration(app, 'Unnamed wallet');
  await expect(warnings(app).first()).toContainText('Release 30.0 can delete all your wallets here');
  await expect(warnings(app).first()).toContainText('The app migrates a named copy');
  await openDetails(app);
  await expect(page.getByRole('main')).toContainText(shownPath(bare));
  const name = await nameField(app);
  await name.fill('old');
  await expect(actionCard(app)).toContainText('“old_watchonly”');
  await expect(migrate(app)).toHaveCount(0);
  await name.fill('holiday');
  await planIsMade(app);
  await expect(page.getByText('migratewallet wallet_name="holiday"')).toBeVisible();
  expect(existsSync(join(node.walletsFolder, 'holiday'))).toBe(false);
  expect(node.countCalls('migratewallet')).toBe(0);
  await run(app, 'Migrate');
  await expect(verdict(app)).toContainText('Everything arrived', LONG);

  expect(readFileSync(bare)).toEqual(before);
  expect(node.countCalls('migratewallet')).toBe(1);
  await goTo(app, 'All wallets');
  await expect(walletRow(app, 'holiday')).toContainText('Descriptor');
  await expect(walletRow(app, 'Unnamed wallet')).toContainText('Legacy');
});

test('says what it cannot do for a node on another machine, and asks the user to confirm a copy', async ({
  openRemote,
}) => {
  const { app, node } = await openRemote('31.0');
  const { page } = app;
  await prepareMigration(app, 'legacy-hd');
  const checks = await allChecks(app, /^Checks passed: \d+.*Not made: \d+$/);
  await expect(checks).toContainText('Not known: Not open in another program');
  await expect(checks).toContainText('Passed: Wallet found');
  await expect(checks).not.toContainText(/Passed: (Not open in another program|No foreign transactions)/);
  await expect(actionCard(app)).toContainText('The app cannot make one here.');
  await expect(migrate(app)).toHaveAccessibleDescription(/Confirm your copy/);
  await expect(page.getByRole('main').getByText('perhaps')).toHaveCount(3);
  await expect(page.getByText('The app cannot read its file.')).toBeVisible();
  await expect(button(page, 'Rehearse')).toHaveCount(0);
  const field = page.getByLabel('Passphrase', { exact: true });
  await expect(field).toHaveAccessibleDescription(/Empty if not encrypted\./);
  await field.fill('whatever it may be');
  await expect(page.getByText('Only the node can try it.')).toBeVisible();
  await field.fill('');
  await tryButton(actionCard(app), 'Migrate');
  // A request that bypasses the page does not start it either.
  const source = { by: 'wallet', name: 'legacy-hd' };
  const plan = await app.call('plan.make', { action: 'migrate', source, answers: {} });
  const { id } = plan.value as { id: string };
  expect(await app.call('plan.run', { plan: id, answers: {} })).toMatchObject({ value: { began: false } });
  expect(node.countCalls('migratewallet')).toBe(0);
  await page.getByRole('checkbox', { name: 'I have a copy.' }).check();
  await run(app, 'Migrate');
  await expect(verdict(app)).toContainText('Not everything could be compared');
  await expect(page.getByText('Not compared')).toBeVisible();
  await expect(page.getByText('No safety copy.')).toBeVisible();
  expect(node.countCalls('migratewallet')).toBe(1);

  // The node cannot get a legacy backup, because the app cannot place one there.
  await goTo(app, 'Home');
  await page.getByLabel('Path on the node’s machine').fill(join(node.backupsFolder, 'legacy.bak'));
  await button(page.getByRole('main'), 'Check').click();
  await planIsMade(app);
  await expect(
    warnings(app).filter({ hasText: /Warning: Release .* cannot load legacy wallets/ }),
  ).toBeVisible();
  await button(page, 'Work without a node').click();
  await startOfferedEngine(app);
  await expect(button(page, 'Choose a file…')).toBeVisible(LONG);
});
