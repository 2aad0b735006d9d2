/** Before a migration: the try of the passphrase, and the rehearsal on a copy. */
import type { Locator } from '@playwright/test';
import type { App } from '../app/app.ts';
import { filesBelow, hashesBelow } from '../app/filesBelow.ts';
import { actionCard, button, connect, goTo, LONG, openDetails, prepareMigration } from '../app/steps.ts';
import { migrationFacts } from '../app/walletFacts.ts';
import { expect, fixturePassphrase, test } from '../app.ts';

test.slow();

const WRONG = 'wrong-passphrase-5d0c2';
const THIN = '\u2009';

/** Opens the plan of a migration with its details. */
async function openMigration(app: App, name: string): Promise<void> {
  await prepareMigration(app, name);
  await openDetails(app);
}

const migrate = (app: App): Locator => button(actionCard(app), 'Migrate');
const rehearse = (app: App): Locator => button(app.page, 'Rehearse');

function rehearsedWallets({ page }: App): Locator {
  return page.getByRole('list', { name: 'Rehearsed wallets' });
}

test('tries a passphrase and rehearses an encrypted wallet without changing anything', async ({
  openApp,
  startNode,
}) => {
  const name = 'legacy-hd-encrypted';
  const passphrase = fixturePassphrase(name);
  const node = await startNode('31.0', { wallets: { [name]: name, old: 'legacy-imported' } });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  const before = hashesBelow(node.walletsFolder);

  await openMigration(app, name);
  // The app knows from the file that the wallet is encrypted, not from the node.
  const main = page.getByRole('main');
  await expect(main.getByText('Encrypted', { exact: true }).first()).toBeVisible();
  await expect(main).toContainText(`18.299${THIN}971${THIN}80`);
  await expect(main).toContainText('14 descriptors');
  await expect(migrate(app)).toHaveAccessibleDescription('Type the passphrase.');
  await rehearse(app).click();
  await expect(page.getByRole('alert')).toContainText('Rehearsal failed');
  const field = page.getByLabel('Passphrase', { exact: true });
  await field.fill(WRONG);
  await expect(page.getByText('Wrong passphrase.')).toBeVisible();
  await expect(field).toHaveValue(WRONG);
  await rehearse(app).click();
  await expect(field).toBeFocused();
  await expect(page.getByRole('alert')).toContainText('Wrong passphrase');
  await expect(page.getByText('Rehearsal failed')).toHaveCount(0);

  await field.fill(passphrase);
  await expect(page.getByText('Right passphrase.')).toBeVisible();
  await expect(field).toHaveValue(passphrase);
  await rehearse(app).click();
  await expect(rehearsedWallets(app)).toBeVisible(LONG);
  await rehearsedWallets(app).locator('summary').click();
  const descriptors = rehearsedWallets(app).getByRole('list', { name: 'Descriptors' }).locator('bdi');
  const [fact] = migrationFacts(name, 32);
  expect((await descriptors.allTextContents()).sort()).toEqual(fact?.descriptors);
  await expect(page.getByRole('region', { name: 'Rehearsal' })).toContainText('13 kept');

  expect(hashesBelow(node.walletsFolder)).toEqual(before);
  expect(walletFilesOf(app)).toEqual([]);
  for (const call of ['migratewallet', 'walletpassphrase', 'loadwallet', 'backupwallet'] as const) {
    expect(node.countCalls(call)).toBe(0);
  }

  // Each wallet has its own rehearsal. The next wallet has no seed.
  await goTo(app, 'All wallets');
  await openMigration(app, 'old');
  await expect(rehearse(app)).toBeVisible();
  await expect(rehearsedWallets(app)).toHaveCount(0);
  await rehearse(app).click();
  await expect(page.getByText('New addresses will differ')).toBeVisible(LONG);
});

/** The wallet files in the app's data folder. */
function walletFilesOf({ dataFolder }: App): string[] {
  return filesBelow(dataFolder).filter((path) => path.endsWith('.dat'));
}
