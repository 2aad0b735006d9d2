/** Taking a legacy wallet across: the whole way on every release that can, to the proof of its new backup. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { button, connect, goTo, heading, prepareMigration, startMigration, walletRow } from '../app/steps.ts';
import { type App, expect, fixtureFile, fixturePassphrase, test } from '../app.ts';

const THIN = '\u2009';

for (const release of ['25.2', '28.1', '29.3', '30.0', '31.0'] as const) {
  test(`migrates on release ${release}, explains each wallet and proves the new backups`, async ({
    openApp,
    startNode,
    home,
  }) => {
    const node = await startNode(release, { rescan: { shares: [0.42], ms: 100 } });
    const app = await openApp();
    const { page } = app;
    await connect(app, node);
    await expect(walletRow(app, 'legacy-watchonly')).toContainText('Legacy');
    await prepareMigration(app, 'legacy-watchonly');
    await expect(page.getByText('migratewallet "legacy-watchonly"', { exact: true })).toBeVisible();
    await button(page, 'Migrate this wallet').click();
    await expect(heading(page, 'The wallet is migrated', 2)).toBeVisible();

    const parts = page
      .getByRole('list', { name: 'Wallets that came of the migration' })
      .getByRole('listitem');
    await expect(parts).toHaveCount(2);
    await expect(parts.nth(0)).toContainText('Main wallet');
    await expect(parts.nth(0)).toContainText(`9.300${THIN}000${THIN}00`);
    await expect(parts.nth(1)).toContainText('legacy-watchonly_watchonly');
    await expect(parts.nth(1)).toContainText('without their keys');
    await expect(parts.nth(1)).toContainText(`0.750${THIN}000${THIN}00`);

    const path =
      (await page
        .getByRole('group', { name: 'Backup of the legacy wallet' })
        .locator('code')
        .textContent()) ?? '';
    expect(path.startsWith(node.walletsFolder)).toBe(true);
    expect(readFileSync(path)).toEqual(readFileSync(fixtureFile('legacy-watchonly')));

    await button(page, 'Make a new backup').click();
    const rows = page.getByRole('list', { name: 'Backups to make' }).getByRole('listitem');
    await expect(rows).toHaveCount(2);
    await expect(button(page, 'Finish')).toHaveAttribute('aria-disabled', 'true');
    for (const [index, wallet] of ['legacy-watchonly', 'legacy-watchonly_watchonly'].entries()) {
      const destination = join(home, `${wallet}.bak`);
      const row = rows.nth(index);
      await app.pickFile(destination, () => button(row, 'Choose where…').click());
      await expect(row).toContainText(destination);
      const bytes = readFileSync(destination);
      expect(bytes).toEqual(readFileSync(join(node.walletsFolder, wallet, 'wallet.dat')));
      await expect(row).toContainText(createHash('sha256').update(bytes).digest('hex'));
      await expect(row).toContainText(`(${bytes.length.toLocaleString('en')} bytes)`);
    }
    await expect(page.getByText('2 of 2 made')).toBeVisible();
    await button(page, 'Finish').click();
    await expect(walletRow(app, 'legacy-watchonly')).toContainText('Descriptor');
    await expect(walletRow(app, 'legacy-watchonly_watchonly')).toContainText('Watch-only');
  });
}

test('tells plainly that release 23 cannot migrate', async ({ openApp, startNode }) => {
  const node = await startNode('23.0');
  const app = await openApp();
  await connect(app, node);
  await expect(
    app.page.getByText('Release 23.0 cannot migrate legacy wallets', { exact: true }),
  ).toBeVisible();
  await expect(button(walletRow(app, 'legacy-hd'), 'Migrate')).toHaveCount(0);
  expect(node.countCalls('migratewallet')).toBe(0);
});

for (const release of ['25.2', '31.0'] as const) {
  test(`keeps everything after a wrong passphrase, and migrates with the right one on ${release}`, async ({
    openApp,
    startNode,
  }) => {
    const name = 'legacy-hd-encrypted';
    const node = await startNode(release);
    const app = await openApp();
    const { page } = app;
    await connect(app, node);
    await startMigration(app, name, 'not the passphrase');
    await expect(heading(page, 'Passphrase', 2)).toBeVisible();
    const alert = page.getByRole('alert');
    await expect(alert).toContainText('The passphrase is not right');
    await expect(alert).toContainText('the wallet passphrase was not provided or was incorrect');
    await expect(page.getByText(name, { exact: true }).first()).toBeVisible();
    const field = page.getByLabel('Passphrase', { exact: true });
    await expect(field).toHaveValue('');
    await expect(field).toHaveAttribute('type', 'password');
    expect(readFileSync(join(node.walletsFolder, name, 'wallet.dat'))).toEqual(
      readFileSync(fixtureFile(name)),
    );

    await field.fill(fixturePassphrase(name));
    await button(page, 'Next').click();
    await expect(page.getByText(`migratewallet "${name}" "•••"`, { exact: true })).toBeVisible();
    await button(page, 'Migrate this wallet').click();
    await expect(heading(page, 'The wallet is migrated', 2)).toBeVisible();
    expect(node.countCalls('migratewallet')).toBe(2);
  });
}

/** The user's own backups: the app has the node write copies of its own too. */
async function backupsOf(app: App): Promise<unknown[]> {
  const { value } = await app.call('operations.list', {});
  const { operations } = value as { operations: { kind: string }[] };
  return operations.filter(({ kind }) => kind === 'backup');
}

test('puts off the new backup knowingly, and is reminded of it', async ({ openApp, startNode, home }) => {
  const node = await startNode('31.0');
  const app = await openApp();
  await connect(app, node);
  await startMigration(app, 'legacy-hd');
  await button(app.page, 'Make a new backup').click();
  await expect(app.page.getByText('If you put it off')).toBeVisible();
  await button(app.page, 'Put off the new backup').click();
  const row = walletRow(app, 'legacy-hd');
  await expect(row).toContainText('Descriptor');
  await expect(row).toContainText('No new backup yet');
  expect(await backupsOf(app)).toEqual([]);

  await button(row, 'Back up').click();
  const destination = join(home, 'late.bak');
  await app.pickFile(destination, () => button(app.page, 'Choose where…').click());
  await expect(heading(app.page, 'The backup is made', 2)).toBeVisible();
  await goTo(app, 'Wallets');
  await expect(row).toContainText('Loaded');
  await expect(row).not.toContainText('No new backup yet');
});

test('makes a backup from the list of wallets, and never over a file', async ({
  openApp,
  startNode,
  home,
}) => {
  const node = await startNode('31.0', { loaded: ['savings'] });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await button(walletRow(app, 'savings'), 'Back up').click();
  await expect(heading(page, 'Back up a wallet')).toBeVisible();
  const destination = join(home, 'savings.bak');
  await app.pickFile(destination, () => button(page, 'Choose where…').click());
  await expect(heading(page, 'The backup is made', 2)).toBeVisible();
  const hash = createHash('sha256').update(readFileSync(destination)).digest('hex');
  await expect(page.getByText(hash)).toBeVisible();

  const again = await app.call('backup.start', { name: 'savings', destination });
  expect(again).toMatchObject({ ok: false, error: { code: 'file_exists' } });
  expect(node.countCalls('backupwallet')).toBe(1);
});

test('explains a wallet of solvable scripts', async ({ openApp, startNode }) => {
  const node = await startNode('31.0', { wallets: { shared: 'legacy-solvable' } });
  const app = await openApp();
  await connect(app, node);
  await startMigration(app, 'shared');
  const parts = app.page
    .getByRole('list', { name: 'Wallets that came of the migration' })
    .getByRole('listitem');
  await expect(parts).toHaveCount(2);
  await expect(parts.nth(1)).toContainText('shared_solvables');
  await expect(parts.nth(1)).toContainText('multisig');
});

test('refuses to migrate the unnamed wallet on the releases that can delete everything', async ({
  openApp,
  startNode,
}) => {
  const node = await startNode('30.0', { wallets: { '': 'legacy-imported', savings: 'descriptor-hd' } });
  const app = await openApp();
  await connect(app, node);
  await button(walletRow(app, 'Unnamed wallet'), 'Migrate').click();
  const loud = app.page.getByRole('list', { name: 'Checks to read' }).getByRole('listitem');
  await expect(loud.first()).toContainText('Stop: Release 30.0 can delete all your wallets here');
  await expect(button(app.page, 'Next')).toHaveAttribute('aria-disabled', 'true');
  expect(await app.call('migrate.start', { name: '' })).toMatchObject({ ok: false });
  expect(node.countCalls('migratewallet')).toBe(0);
  expect(existsSync(join(node.walletsFolder, 'wallet.dat'))).toBe(true);
});

test('migrates the unnamed wallet where it is safe', async ({ openApp, startNode }) => {
  const node = await startNode('31.0', { wallets: { '': 'legacy-imported' } });
  const app = await openApp();
  await connect(app, node);
  await startMigration(app, 'Unnamed wallet');
  await expect(heading(app.page, 'The wallet is migrated', 2)).toBeVisible();
  await goTo(app, 'Wallets');
  await expect(walletRow(app, 'Unnamed wallet')).toContainText('Descriptor');
});

test('starts one migration however often the button is pressed', async ({ openApp, startNode }) => {
  const node = await startNode('31.0');
  const app = await openApp();
  await connect(app, node);
  await prepareMigration(app, 'legacy-hd');
  await button(app.page, 'Migrate this wallet').evaluate((element: HTMLElement) => {
    for (let times = 0; times < 5; times += 1) element.click();
  });
  await expect(heading(app.page, 'The wallet is migrated', 2)).toBeVisible();
  expect(node.countCalls('migratewallet')).toBe(1);
});
