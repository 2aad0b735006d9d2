/** Migrates legacy wallets on the page, to the proof of their new backups, and backs up wallets. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  actionCard,
  button,
  copyPath,
  goTo,
  heading,
  openDetails,
  prepareMigration,
  run,
  saveBackups,
  startMigration,
  tryButton,
  verdict,
  walletRow,
} from '../app/steps.ts';
import { type App, expect, fixtureFile, test } from '../app.ts';

const THIN = '\u2009';

/** The new wallets on the page of a migrated wallet. */
const newWallets = ({ page }: App) => page.getByRole('list', { name: 'New wallets' }).getByRole('listitem');

// `e2e/services/jobs.test.ts` migrates on every release.
test('migrates on release 31.0, explains each new wallet, and proves the backups', async ({
  openConnected,
  home,
}) => {
  const { app, node, page } = await openConnected('31.0', { rescan: { shares: [0.42], ms: 100 } });
  await expect(walletRow(app, 'legacy-watchonly')).toContainText('Legacy');
  await prepareMigration(app, 'legacy-watchonly');
  await openDetails(app);
  await expect(page.getByText('migratewallet wallet_name="legacy-watchonly"')).toBeVisible();
  await run(app, 'Migrate');
  await expect(verdict(app)).toContainText('Everything arrived');

  const parts = newWallets(app);
  await expect(parts).toHaveCount(2);
  await expect(parts.nth(0)).toContainText('Main wallet');
  await expect(parts.nth(0)).toContainText(`9.300${THIN}000${THIN}00`);
  await expect(parts.nth(1)).toContainText('legacy-watchonly_watchonly');
  await expect(parts.nth(1)).toContainText('Addresses you only watched.');
  await expect(parts.nth(1)).toContainText(`0.750${THIN}000${THIN}00`);

  const path = await copyPath(app, 'The old wallet’s backup');
  expect(path.startsWith(node.walletsFolder)).toBe(true);
  expect(readFileSync(path)).toEqual(readFileSync(fixtureFile('legacy-watchonly')));
  await expect(page.getByRole('group', { name: 'Safety copy' }).last()).toContainText(
    /Identical to the wallet file\. .*[0-9a-f]{64}/,
  );
  // Release 31 cannot load the legacy wallet, so the app compares with the balance in the file.
  const proof = page.getByRole('region', { name: 'Proof', exact: true });
  await proof.getByText(/are here\./).click();
  const balance = proof.getByRole('row').filter({ hasText: 'Balance' }).first();
  await expect(balance).toContainText('last known');
  await expect(balance.getByRole('cell').nth(0)).toContainText(/10\.050/);
  await expect(balance.getByRole('cell').nth(1)).toContainText(/10\.050/);

  const folder = join(home, 'new backups');
  mkdirSync(folder);
  await expect(page.getByText('0 of 2 backed up')).toBeVisible();
  await saveBackups(app, folder);
  await expect(page.getByText('2 of 2 backed up')).toBeVisible();
  const steps = page.getByRole('list', { name: 'Files' });
  await expect(steps.getByRole('group', { name: 'New backup' })).toHaveCount(2);
  for (const [index, wallet] of ['legacy-watchonly', 'legacy-watchonly_watchonly'].entries()) {
    const part = parts.nth(index);
    const destination = (await part.getByTitle(folder).getAttribute('title')) ?? '';
    const bytes = readFileSync(destination);
    expect(bytes).toEqual(readFileSync(join(node.walletsFolder, wallet, 'wallet.dat')));
    await part.getByText('Size and SHA-256').click();
    await expect(part).toContainText(createHash('sha256').update(bytes).digest('hex'));
    await expect(part).toContainText(`(${bytes.length.toLocaleString('en')} bytes)`);
  }
  await goTo(app, 'All wallets');
  await expect(walletRow(app, 'legacy-watchonly')).toContainText('Descriptor');
  await expect(walletRow(app, 'legacy-watchonly_watchonly')).toContainText('Watch-only');
});

test('says that release 23 cannot migrate', async ({ openConnected }) => {
  const { app, node } = await openConnected('23.0');
  await expect(app.page.getByText('Release 23.0 cannot migrate', { exact: true })).toBeVisible();
  await expect(button(walletRow(app, 'legacy-hd'), 'Migrate')).toHaveCount(0);
  expect(node.countCalls('migratewallet')).toBe(0);
});

/** The backup jobs of the user, without the copies that the app has the node make. */
async function backupsOf(app: App): Promise<unknown[]> {
  const { value } = await app.call('jobs.list', {});
  const { jobs } = value as { jobs: { kind: string }[] };
  return jobs.filter(({ kind }) => kind === 'backup');
}

test('explains a wallet of solvable scripts, postpones its backup, and reminds the user of it', async ({
  openConnected,
  home,
}) => {
  const { app } = await openConnected('31.0', { wallets: { shared: 'legacy-solvable' } });
  await startMigration(app, 'shared');
  await expect(newWallets(app)).toHaveCount(2);
  const solvables = newWallets(app).nth(1);
  await expect(solvables).toContainText('shared_solvables');
  await expect(solvables).toContainText('Scripts you can sign for');
  await expect(app.page.getByText(/^Your old backups don’t contain the new keys/)).toBeVisible();
  await goTo(app, 'All wallets');
  const row = walletRow(app, 'shared');
  await expect(row).toContainText('Descriptor');
  await expect(row).toContainText('don’t contain the new keys');
  expect(await backupsOf(app)).toEqual([]);

  await button(row, 'Back up now').click();
  const destination = join(home, 'late.bak');
  await app.pickFile(destination, () => button(app.page, 'Choose…').click());
  await run(app, 'Back up');
  await expect(verdict(app)).toContainText('Backup made');
  await goTo(app, 'All wallets');
  await expect(row).toContainText('Loaded');
  await expect(row).not.toContainText('don’t contain the new keys');
  await expect(button(row, 'Back up')).toBeVisible();
});

test('backs up from the list of wallets, in a folder of the user’s choice, and overwrites no file', async ({
  openConnected,
  home,
}) => {
  const { app, node, page } = await openConnected('31.0', { loaded: ['savings'] });
  await button(walletRow(app, 'savings'), 'Back up').click();
  await expect(heading(page, 'Back up this wallet', 2)).toBeVisible();
  await expect(button(actionCard(app), 'Back up')).toHaveAccessibleDescription(
    'Choose where to save the backup.',
  );
  await button(page, 'Choose…').click();
  const dialog = page.getByRole('dialog');
  const folder = dialog.getByLabel('Folder', { exact: true });
  await expect(folder).toHaveValue(home);
  await folder.fill(join(home, 'not-there'));
  await button(dialog, 'Save here').click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await expect(button(dialog, 'Save here')).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(button(page, 'Choose…')).toBeFocused();
  expect(node.countCalls('backupwallet')).toBe(0);
  const destination = join(home, 'savings.bak');
  await app.pickFile(destination, () => button(page, 'Choose…').click());
  await run(app, 'Back up');
  await expect(verdict(app)).toContainText('Backup made');
  const hash = createHash('sha256').update(readFileSync(destination)).digest('hex');
  await expect(page.getByText(hash)).toBeVisible();

  await goTo(app, 'All wallets');
  await button(walletRow(app, 'savings'), 'Back up').click();
  await page.getByLabel('New backup').fill(destination);
  await expect(page.getByRole('alert')).toContainText('already exists');
  await expect(button(actionCard(app), 'Back up')).toHaveAttribute('aria-disabled', 'true');
  await tryButton(actionCard(app), 'Back up');
  expect(node.countCalls('backupwallet')).toBe(1);
});
