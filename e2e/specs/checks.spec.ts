/** What the app looks at before a migration: what stops it, what is to be read, and the safe way around a bad release. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { elsewhere } from '../app/elsewhere.ts';
import {
  button,
  chooseBackup,
  connect,
  connectByHand,
  goTo,
  heading,
  next,
  prepareMigration,
  startMigration,
  tryButton,
  walletRow,
} from '../app/steps.ts';
import { type App, expect, fixtureFile, fixturePassphrase, type TestNode, test } from '../app.ts';

async function openCheck(app: App, name: string): Promise<void> {
  await button(walletRow(app, name), 'Migrate').click();
  await expect(heading(app.page, 'Check', 2)).toBeVisible();
}

const loud = ({ page }: App) => page.getByRole('list', { name: 'Checks to read' }).getByRole('listitem');
const checks = ({ page }: App): Locator => page.getByRole('region', { name: 'Checks' });

/** As a paste would: a key gives no zero byte. */
const typeInto = (field: Locator, text: string) =>
  field.evaluate((element: HTMLInputElement, value) => {
    element.value = value;
    element.dispatchEvent(new Event('input', { bubbles: true }));
  }, text);

function placeWallet(node: TestNode, name: string): string {
  const folder = join(node.walletsFolder, name);
  mkdirSync(folder);
  copyFileSync(fixtureFile('descriptor-hd'), join(folder, 'wallet.dat'));
  return folder;
}

test('names what stops it beside the button, and looks again', async ({ openApp, startNode }) => {
  const node = await startNode('31.0');
  const inTheWay = placeWallet(node, 'legacy-watchonly_watchonly');
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await openCheck(app, 'legacy-watchonly');
  await expect(loud(app).first()).toContainText('Stop: A name that the migration needs is taken');
  await expect(loud(app).first()).toContainText('“legacy-watchonly_watchonly”');
  await expect(loud(app).first()).toContainText('What to do');
  await expect(checks(app).getByRole('status')).toHaveText('1 check stops this.');
  await expect(button(page, 'Next')).toHaveAttribute('aria-disabled', 'true');
  await expect(button(page, 'Next')).toHaveAccessibleDescription(
    'Stopped by a check: A name that the migration needs is taken.',
  );
  await expect(page.getByRole('list', { name: 'What will happen' })).toHaveCount(0);
  await tryButton(page, 'Next');
  await expect(heading(page, 'Check', 2)).toBeVisible();

  rmSync(inTheWay, { recursive: true });
  await button(page, 'Look again').click();
  await expect(checks(app).getByRole('status')).toContainText('Nothing stops this.');
  await expect(page.getByRole('list', { name: 'What will happen' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Checks that are fine' })).toContainText(
    'Fine: The names that are needed are free',
  );
  await next(app);
  await expect(heading(page, 'Review', 2)).toBeVisible();
  expect(node.countCalls('migratewallet')).toBe(0);
});

test('stops for a file that this release refuses', async ({ openApp, startNode }) => {
  const node = await startNode('31.0');
  const file = join(node.walletsFolder, 'legacy-hd', 'wallet.dat');
  // The log position of the first page, as a node that was cut off leaves it.
  const unclosed = readFileSync(file);
  unclosed.writeUInt32LE(1, 0);
  writeFileSync(file, unclosed);
  const app = await openApp();
  await connect(app, node);
  await openCheck(app, 'legacy-hd');
  await expect(loud(app).first()).toContainText('this release refuses it');
  await expect(button(app.page, 'Next')).toHaveAttribute('aria-disabled', 'true');
});

test('shows once more at the review what is to be read, and says that it could not look', async ({
  openApp,
  startNode,
}) => {
  const node = await startNode('28.1', { initialBlockDownload: true });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await openCheck(app, 'legacy-hd');
  await expect(loud(app).filter({ hasText: 'The node is still syncing' })).toContainText('Read this:');
  await node.cut();
  await button(page, 'Look again').click();
  await expect(checks(app).getByRole('alert')).toContainText('The checks could not be made');
  await expect(button(page, 'Next')).toHaveAccessibleDescription('The checks could not be made.');
  await node.mend();
  await button(page, 'Look again').click();
  await expect(loud(app).filter({ hasText: 'The node is still syncing' })).toBeVisible();
  await next(app);
  await expect(heading(page, 'Review', 2)).toBeVisible();
  await expect(page.getByText('The node is still syncing')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Safety copy' })).toContainText(
    'The app copies the closed file of the wallet.',
  );
});

test('tells what a zero byte in a passphrase means', async ({ openApp, startNode }) => {
  const node = await startNode('31.0');
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await openCheck(app, 'legacy-hd-encrypted');
  await next(app);
  const field = page.getByLabel('Passphrase', { exact: true });
  await typeInto(field, 'before\0after');
  await expect(page.getByText('The passphrase holds a zero byte')).toBeVisible();
  await expect(page.getByText(/give only what is before the zero byte/)).toBeVisible();
  await typeInto(field, 'before');
  await expect(page.getByText('The passphrase holds a zero byte')).toHaveCount(0);
});

test('tells it before a restore with a migration too', async ({ openApp, startNode, home }) => {
  const node = await startNode('31.0');
  const backup = join(home, 'old backup.dat');
  copyFileSync(fixtureFile('legacy-hd-encrypted'), backup);
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await chooseBackup(app, backup);
  await expect(heading(page, 'Restore and migrate')).toBeVisible();
  await next(app);
  await page.getByLabel('Wallet name').fill('old one');
  await next(app);
  const field = page.getByLabel('Passphrase', { exact: true });
  await typeInto(field, 'before\0after');
  await expect(page.getByText('The passphrase holds a zero byte')).toBeVisible();
  await typeInto(field, 'before');
  await expect(page.getByText('The passphrase holds a zero byte')).toHaveCount(0);
  await typeInto(field, 'before\0after');
  await next(app);
  await expect(heading(page, 'Review', 2)).toBeVisible();
  await expect(loud(app).filter({ hasText: 'The passphrase holds a zero byte' })).toContainText('Read this:');
});

test('takes the unnamed wallet the safe way on 30.0', async ({ openApp, startNode }) => {
  const node = await startNode('30.0', {
    wallets: { '': 'legacy-hd-encrypted', savings: 'descriptor-hd', old_watchonly: 'descriptor-hd' },
  });
  const bare = join(node.walletsFolder, 'wallet.dat');
  const before = readFileSync(bare);
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await openCheck(app, 'Unnamed wallet');
  await expect(button(page, 'Next')).toHaveAttribute('aria-disabled', 'true');
  await button(page, 'Use the safe way').click();
  await expect(heading(page, 'New name', 2)).toBeVisible();
  await expect(page.getByRole('group', { name: 'The file that is copied' })).toContainText(bare);
  const name = page.getByLabel('Wallet name');
  for (const [taken, why] of [
    ['savings', 'already has a wallet of this name'],
    ['old', '“old_watchonly”'],
    ['a/b', 'slash'],
  ] as const) {
    await name.fill(taken);
    await expect(page.getByRole('alert')).toContainText(why);
    await expect(button(page, 'Next')).toHaveAttribute('aria-disabled', 'true');
  }
  await name.fill('holiday');
  await next(app);
  await page.getByLabel('Passphrase', { exact: true }).fill('not the passphrase');
  await next(app);
  await expect(page.getByText('migratewallet "holiday" "•••"', { exact: true })).toBeVisible();
  await button(page, 'Migrate this wallet').click();

  // It is tried on the file: a wrong one keeps the way and the name, and the node hears nothing of it.
  await expect(page.getByRole('alert')).toContainText('The passphrase is not right');
  await expect(heading(page, 'Passphrase', 2)).toBeVisible();
  expect(existsSync(join(node.walletsFolder, 'holiday'))).toBe(false);
  expect(node.countCalls('migratewallet')).toBe(0);
  await page.getByLabel('Passphrase', { exact: true }).fill(fixturePassphrase('legacy-hd-encrypted'));
  await next(app);
  await button(page, 'Migrate this wallet').click();
  await expect(heading(page, 'The wallet is restored and migrated', 2)).toBeVisible();

  expect(readFileSync(bare)).toEqual(before);
  const asked = node.calls.filter(({ method }) => method === 'migratewallet');
  expect(asked).toHaveLength(1);
  await goTo(app, 'Wallets');
  await expect(walletRow(app, 'holiday')).toContainText('Descriptor');
  await expect(walletRow(app, 'Unnamed wallet')).toContainText('Legacy');
});

test('asks for the user’s word where the app can make no copy', async ({ openApp, startNode }) => {
  test.skip(elsewhere === undefined, 'this machine has no address but its own loopback');
  const host = elsewhere ?? '';
  const login = { user: 'ana', password: 'far away' };
  const node = await startNode('31.0', { login, host }, 'elsewhere');
  const app = await openApp();
  const { page } = app;
  await connectByHand(app, { host, port: node.port, ...login });
  await openCheck(app, 'legacy-hd');
  await checks(app).getByText('6 checks could not be made').click();
  const unseen = page.getByRole('list', { name: 'Checks that could not be made' });
  await expect(unseen).toContainText('Not known: Whether another program has it open');
  await checks(app).getByText('6 checks are fine').click();
  const fine = page.getByRole('list', { name: 'Checks that are fine' });
  await expect(fine).toContainText('Fine: The node has this wallet');
  await expect(fine).not.toContainText(/Whether|belongs to the wallet/);
  await goTo(app, 'Wallets');
  await prepareMigration(app, 'legacy-hd');
  await expect(page.getByText('The app cannot make its own copy')).toBeVisible();
  const migrate = button(page, 'Migrate this wallet');
  await expect(migrate).toHaveAttribute('aria-disabled', 'true');
  await expect(migrate).toHaveAccessibleDescription(/Say that you have a copy/);
  await tryButton(page, 'Migrate this wallet');
  expect(node.countCalls('migratewallet')).toBe(0);
  expect(await app.call('migrate.start', { name: 'legacy-hd' })).toMatchObject({
    ok: false,
    error: { code: 'stopped_by_check' },
  });
  await page.getByRole('checkbox', { name: /I have a copy of this wallet’s file in a safe place/ }).check();
  await migrate.click();
  await expect(heading(page, 'The wallet is migrated', 2)).toBeVisible();
  await expect(page.getByText('What could not be compared')).toBeVisible();
  await expect(page.getByText('The app made no copy of its own before this migration.')).toBeVisible();
  expect(node.countCalls('migratewallet')).toBe(1);
});

test('shows an old failed attempt as what it is, not as a step to type into', async ({
  openApp,
  startNode,
}) => {
  const node = await startNode('31.0');
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await startMigration(app, 'legacy-hd-encrypted', 'not the passphrase');
  await expect(heading(page, 'Passphrase', 2)).toBeVisible();
  await goTo(app, 'Activity');
  await button(page.getByRole('article'), 'Show').click();
  await expect(heading(page, 'The wallet was not migrated', 2)).toBeVisible();
  await expect(page.getByLabel('Passphrase', { exact: true })).toHaveCount(0);
  await expect(page.getByRole('group', { name: 'The app’s safety copy' })).toBeVisible();
  await button(page, 'Try again').click();
  await expect(heading(page, 'Check', 2)).toBeVisible();
});
