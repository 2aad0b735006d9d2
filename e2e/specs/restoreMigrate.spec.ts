/** A legacy backup on a release that loads no legacy wallets: restored and migrated in one go, or told why not. */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { elsewhere } from '../app/elsewhere.ts';
import { hashesBelow } from '../app/hashesBelow.ts';
import { migrationFacts, sortedDescriptors } from '../app/migrationFacts.ts';
import {
  button,
  chooseBackup,
  connect,
  connectByHand,
  goTo,
  heading,
  next,
  tryButton,
  walletRow,
} from '../app/steps.ts';
import { type App, expect, type FixtureName, fixtureFile, fixturePassphrase, test } from '../app.ts';

/** The engine truly derives thousands of scripts: on a busy machine that takes its time. */
const LONG = { timeout: 60_000 };
test.setTimeout(150_000);

const IN_ONE_GO = 'This release cannot load a legacy wallet, so it is restored and migrated in one go';
const ENCRYPTED = 'legacy-hd-encrypted';
const WRONG = 'not the passphrase';

/** A backup of the fixture, away from the node. */
function backupOf(fixture: FixtureName, home: string): string {
  const file = join(home, 'old backup.dat');
  copyFileSync(fixtureFile(fixture), file);
  return file;
}

/** From the connected app to the step after the name. */
async function nameIt(app: App, file: string, name: string): Promise<void> {
  await chooseBackup(app, file);
  await expect(app.page.getByText(IN_ONE_GO, { exact: true })).toBeVisible();
  await expect(heading(app.page, 'Restore and migrate')).toBeVisible();
  await next(app);
  await expect(heading(app.page, 'New name', 2)).toBeVisible();
  await app.page.getByLabel('Wallet name').fill(name);
  await next(app);
}

async function givePassphrase(app: App, passphrase: string): Promise<void> {
  await expect(heading(app.page, 'Passphrase', 2)).toBeVisible();
  await app.page.getByLabel('Passphrase', { exact: true }).fill(passphrase);
  await next(app);
  await expect(heading(app.page, 'Review', 2)).toBeVisible();
}

for (const release of ['30.0', '31.0'] as const) {
  test(`restores and migrates a legacy backup on release ${release}`, async ({
    openApp,
    startNode,
    home,
  }) => {
    const node = await startNode(release, { wallets: { savings: 'descriptor-hd' } });
    const before = hashesBelow(node.walletsFolder);
    const file = backupOf('legacy-watchonly', home);
    const app = await openApp();
    const { page } = app;
    await connect(app, node);
    await chooseBackup(app, file);
    await expect(page.getByText(IN_ONE_GO, { exact: true })).toBeVisible();
    await expect(page.getByText('The backup itself is left alone', { exact: false })).toBeVisible();
    await expect(page.getByText('Up to three wallets come of it', { exact: false })).toBeVisible();
    await next(app);
    await page.getByLabel('Wallet name').fill('old one');
    await expect(page.getByRole('radio')).toHaveCount(0);
    await expect(page.getByText('is not asked here', { exact: false })).toBeVisible();
    await next(app);

    await expect(heading(page, 'Review', 2)).toBeVisible();
    const preview = page
      .getByRole('list', { name: 'Wallets that would come of the migration' })
      .getByRole('listitem');
    await expect(preview).toHaveText([/old one.*Main wallet/, /old one_watchonly.*Watch-only wallet/]);
    await expect(page.getByText(join(node.walletsFolder, 'old one', 'wallet.dat'))).toBeVisible();
    await expect(page.getByText('migratewallet "old one"', { exact: true })).toBeVisible();
    expect(hashesBelow(node.walletsFolder)).toEqual(before);
    await button(page, 'Restore and migrate').click();

    await expect(heading(page, 'The wallet is restored and migrated', 2)).toBeVisible();
    await expect(
      page.getByRole('list', { name: 'Wallets that came of the migration' }).getByRole('listitem'),
    ).toHaveText([/old one/, /old one_watchonly/]);
    expect(readFileSync(file)).toEqual(readFileSync(fixtureFile('legacy-watchonly')));
    expect(hashesBelow(node.walletsFolder)).toMatchObject(before);
    expect(node.countCalls('restorewallet')).toBe(0);
    expect(node.countCalls('migratewallet')).toBe(1);
    await goTo(app, 'Wallets');
    await expect(walletRow(app, 'old one')).toContainText('Descriptor');
    await expect(walletRow(app, 'old one_watchonly')).toContainText('Watch-only');
  });

  test(`tries the passphrase before it places anything on release ${release}, and keeps what was entered`, async ({
    openApp,
    startNode,
    home,
  }) => {
    const node = await startNode(release, { wallets: { savings: 'descriptor-hd' } });
    const before = hashesBelow(node.walletsFolder);
    const file = backupOf(ENCRYPTED, home);
    const app = await openApp();
    const { page } = app;
    await connect(app, node);
    await nameIt(app, file, 'old one');
    await expect(heading(page, 'Passphrase', 2)).toBeVisible();
    await page.getByLabel('Passphrase', { exact: true }).fill(WRONG);
    await button(page, 'Try this passphrase').click();
    await expect(page.getByText('Nothing is placed with a wrong one', { exact: false })).toBeVisible(LONG);
    await next(app);
    await expect(page.getByText('This passphrase does not open the backup')).toBeVisible();
    await button(page, 'Restore and migrate').click();

    await expect(page.getByRole('alert')).toContainText('The passphrase is not right');
    await expect(heading(page, 'Passphrase', 2)).toBeVisible();
    await expect(heading(page, 'Restore and migrate')).toBeVisible();
    await expect(page.getByLabel('Passphrase', { exact: true })).toHaveValue('');
    expect(hashesBelow(node.walletsFolder)).toEqual(before);
    expect(node.countCalls('migratewallet')).toBe(0);
    await button(page, 'Back').click();
    await expect(page.getByLabel('Wallet name')).toHaveValue('old one');
    await next(app);

    await givePassphrase(app, fixturePassphrase(ENCRYPTED));
    await expect(page.getByText('migratewallet "old one" "•••"', { exact: true })).toBeVisible();
    await button(page, 'Restore and migrate').click();
    await expect(heading(page, 'The wallet is restored and migrated', 2)).toBeVisible();
    expect(readFileSync(file)).toEqual(readFileSync(fixtureFile(ENCRYPTED)));
    expect(hashesBelow(node.walletsFolder)).toMatchObject(before);
    await goTo(app, 'Wallets');
    await expect(walletRow(app, 'old one')).toContainText('Encrypted');
  });
}

test('asks for the passphrase of a wallet that is known to be encrypted', async ({
  openApp,
  startNode,
  home,
}) => {
  const node = await startNode('31.0');
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await nameIt(app, backupOf(ENCRYPTED, home), 'old one');
  await expect(page.getByText('This wallet is encrypted.', { exact: false })).toBeVisible();
  await next(app);
  await expect(page.getByRole('alert')).toHaveText('Type the passphrase of this wallet.');
  const field = page.getByLabel('Passphrase', { exact: true });
  await expect(field).toBeFocused();
  await field.fill('something');
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(node.countCalls('migratewallet')).toBe(0);
});

test('tells while typing which names a migration cannot have', async ({ openApp, startNode, home }) => {
  const node = await startNode('31.0', {
    wallets: { savings: 'descriptor-hd', holiday_watchonly: 'descriptor-hd' },
  });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await chooseBackup(app, backupOf('legacy-hd', home));
  await next(app);
  const name = page.getByLabel('Wallet name');
  for (const [typed, complaint] of [
    ['savings', 'The node already has a wallet of this name.'],
    ['holiday', '“holiday_watchonly”, which another wallet has'],
    ['a/b', 'slash'],
    ['a'.repeat(250), 'too long'],
  ] as const) {
    await name.fill(typed);
    await expect(page.getByRole('alert')).toContainText(complaint);
    await tryButton(page, 'Next');
    await expect(heading(page, 'New name', 2)).toBeVisible();
  }
  await name.fill('free');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('places nothing over a folder that came meanwhile', async ({ openApp, startNode, home }) => {
  const node = await startNode('31.0');
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await nameIt(app, backupOf('legacy-hd', home), 'old one');
  await expect(button(page, 'Look again')).toBeVisible();
  mkdirSync(join(node.walletsFolder, 'old one'));
  const before = hashesBelow(node.walletsFolder);
  await button(page, 'Restore and migrate').click();
  await expect(page.getByRole('alert').first()).toContainText('There is already something of this name');
  await button(page, 'Look again').click();
  await expect(page.getByRole('list', { name: 'Checks to read' })).toContainText(
    'Stop: There is already something of this name in the wallets folder',
  );
  await expect(button(page, 'Restore and migrate')).toHaveAttribute('aria-disabled', 'true');
  await expect(heading(page, 'Review', 2)).toBeVisible();
  expect(hashesBelow(node.walletsFolder)).toEqual(before);
  expect(node.countCalls('migratewallet')).toBe(0);
});

test('stops where the wallets folder is not known for certain, and offers to work without a node', async ({
  openApp,
  startNode,
  home,
}) => {
  const node = await startNode('31.0');
  // Without its log, nothing tells where the node keeps its wallets.
  rmSync(node.logPath);
  const before = hashesBelow(node.walletsFolder);
  const file = backupOf('legacy-hd', home);
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await chooseBackup(app, file);
  await expect(
    page.getByText('The app does not know for certain where this node keeps its wallets'),
  ).toBeVisible();
  await tryButton(page, 'Next');
  await expect(heading(page, 'Backup', 2)).toBeVisible();
  const answer = await app.call('restoreMigrate.start', { name: 'old one', backupFile: file });
  expect(answer.error?.code).toBe('not_available_here');
  expect(hashesBelow(node.walletsFolder)).toEqual(before);

  await button(page, 'Work without a node').click();
  await expect(heading(page, 'Restore a backup')).toBeVisible();
  await next(app);
  await page.getByLabel('Wallet name').fill('old one');
  await next(app);
  await button(page, 'Restore this backup').click();
  await expect(heading(page, 'The wallet is restored', 2)).toBeVisible(LONG);
  await expect(button(page, 'Migrate')).toBeVisible();
  expect(readFileSync(file)).toEqual(readFileSync(fixtureFile('legacy-hd')));
});

test('places nothing in a wallets folder that other users can change, and says what to do', async ({
  openApp,
  startNode,
  home,
}) => {
  test.skip(process.platform === 'win32', 'rights are no bits there');
  const node = await startNode('31.0');
  chmodSync(node.walletsFolder, 0o777);
  const before = hashesBelow(node.walletsFolder);
  const file = backupOf('legacy-hd', home);
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await nameIt(app, file, 'old one');
  await expect(
    page.getByText('Other users of this computer can change what lies in', { exact: false }).first(),
  ).toBeVisible();
  await expect(page.getByText('chmod go-w', { exact: false }).first()).toBeVisible();
  await expect(button(page, 'Work without a node')).toBeVisible();
  const answer = await app.call('restoreMigrate.start', { name: 'old one', backupFile: file });
  expect(answer.error?.code).toBe('not_available_here');
  expect(hashesBelow(node.walletsFolder)).toEqual(before);
});

test('tells of a node on another machine that it takes no legacy backup', async ({ openApp, startNode }) => {
  test.skip(elsewhere === undefined, 'this machine has no address but its own loopback');
  const host = elsewhere ?? '';
  const login = { user: 'ana', password: 'pass' };
  const node = await startNode('31.0', { login, host }, 'elsewhere');
  const app = await openApp();
  const { page } = app;
  await connectByHand(app, { host, port: node.port, ...login });
  await goTo(app, 'Restore a backup');
  await expect(page.getByText('This node restores no legacy wallet')).toBeVisible();
  await page.getByLabel('Path on the node’s machine').fill(join(node.backupsFolder, 'legacy.bak'));
  await button(page, 'Work without a node').click();
  await expect(button(page, 'Choose a file…')).toBeVisible(LONG);
});

test('restores a legacy backup as it is on release 28.1, and leads on to the migration', async ({
  openApp,
  startNode,
  home,
}) => {
  const node = await startNode('28.1');
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await chooseBackup(app, backupOf('legacy-hd', home));
  await expect(page.getByText('Berkeley DB', { exact: false }).first()).toBeVisible();
  await expect(page.getByText(IN_ONE_GO)).toHaveCount(0);
  await next(app);
  await page.getByLabel('Wallet name').fill('old one');
  await next(app);
  await expect(page.getByText('This is a legacy wallet', { exact: false })).toBeVisible();
  await button(page, 'Restore this backup').click();
  await expect(heading(page, 'The wallet is restored', 2)).toBeVisible();
  await button(page, 'Migrate').click();
  await expect(heading(page, 'Migrate a wallet')).toBeVisible();
});

test('restores a safety copy like any other backup', async ({ openApp, startNode, home }) => {
  const node = await startNode('31.0', { wallets: {} });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await nameIt(app, backupOf('legacy-hd', home), 'old one');
  await button(page, 'Restore and migrate').click();
  await expect(heading(page, 'The wallet is restored and migrated', 2)).toBeVisible();
  await goTo(app, 'Activity');
  const copy = page.getByRole('list', { name: 'Safety copies' }).getByRole('listitem').first();
  const path = (await copy.locator('code').first().textContent()) ?? '';
  expect(readFileSync(path)).toEqual(readFileSync(fixtureFile('legacy-hd')));
  await button(copy, 'Restore').click();
  await expect(page.getByText(IN_ONE_GO, { exact: true })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(path);
  await next(app);
  await page.getByLabel('Wallet name').fill('once more');
  await next(app);
  await button(page, 'Restore and migrate').click();
  await expect(heading(page, 'The wallet is restored and migrated', 2)).toBeVisible();
  expect(existsSync(path)).toBe(true);
});

for (const fixture of ['legacy-watchonly', ENCRYPTED] as const) {
  test(`the offline engine as release 30 makes of ${fixture} what nodes made of it`, async ({
    openApp,
    runEngine,
    home,
  }) => {
    const engine = await runEngine(30, { savings: 'descriptor-hd' });
    const before = readFileSync(engine.walletFile('savings'));
    const file = backupOf(fixture, home);
    const app = await openApp();
    const { page } = app;
    await connectByHand(app, { port: engine.port, cookieFile: engine.cookieFile });
    await expect(walletRow(app, 'savings')).toBeVisible();
    await nameIt(app, file, fixture);
    if (fixture === ENCRYPTED) {
      await givePassphrase(app, WRONG);
      await button(page, 'Restore and migrate').click();
      await expect(page.getByRole('alert')).toContainText('The passphrase is not right', LONG);
      expect(existsSync(join(engine.walletsFolder, fixture))).toBe(false);
      await givePassphrase(app, fixturePassphrase(ENCRYPTED));
    }
    await button(page, 'Restore and migrate').click();
    await expect(heading(page, 'The wallet is restored and migrated', 2)).toBeVisible(LONG);
    for (const { name, descriptors } of migrationFacts(fixture, 30)) {
      expect(sortedDescriptors(await engine.call('listdescriptors', [], name))).toEqual(descriptors);
    }
    expect(readFileSync(file)).toEqual(readFileSync(fixtureFile(fixture)));
    expect(readFileSync(engine.walletFile('savings'))).toEqual(before);
  });
}
