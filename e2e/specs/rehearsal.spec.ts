/** Before a migration: what is in the wallet's file, whether the passphrase opens it, and the rehearsal on a copy. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import type { App } from '../app/app.ts';
import { elsewhere } from '../app/elsewhere.ts';
import { filesBelow } from '../app/filesBelow.ts';
import { hashesBelow } from '../app/hashesBelow.ts';
import { heapOf } from '../app/heapOf.ts';
import { sortedDescriptors } from '../app/migrationFacts.ts';
import { button, connect, connectByHand, goTo, heading, next, tryButton, walletRow } from '../app/steps.ts';
import { expect, type FixtureName, fixturePassphrase, test } from '../app.ts';

test.slow();

const WRONG = 'wrong-passphrase-5d0c2';
const THIN = '\u2009';

/** The wallets that a node of release 31 made of a fixture by its migration, with their descriptors, sorted. */
function madeByNode(fixture: FixtureName): Record<string, string[]> {
  const file = new URL(`../fixtures/wallets/${fixture}/facts.json`, import.meta.url);
  const after = JSON.parse(readFileSync(file, 'utf8')).after_by_release['31.0'];
  return Object.fromEntries(
    ['wallet_name', 'watchonly_name', 'solvables_name']
      .filter((part) => part in after.wallets)
      .map((part) => [after.migratewallet[part], sortedDescriptors(after.wallets[part].listdescriptors)]),
  );
}

async function openMigration(app: App, name: string): Promise<void> {
  await button(walletRow(app, name), 'Migrate').click();
  await expect(heading(app.page, 'Check', 2)).toBeVisible();
}

/** Waits for what is in the file, which tells whether a passphrase is needed. */
function fileContents({ page }: App): Locator {
  return page.getByRole('region', { name: 'What is in the file' });
}

/** A thousand keys for each descriptor are made and proved: on a machine with much to do that takes a while. */
async function expectRehearsed({ page }: App, words: RegExp): Promise<void> {
  const said = page.getByRole('region', { name: 'Rehearsal' }).getByRole('status');
  await expect(said).toHaveText(words, { timeout: 60_000 });
}

function rehearsedWallets({ page }: App): Locator {
  return page.getByRole('list', { name: 'Wallets of the rehearsal' });
}

/** The wallets on the screen by their names, with their descriptors, sorted. */
async function rehearsed(app: App): Promise<Record<string, string[]>> {
  const disclosures = await rehearsedWallets(app).locator('summary').all();
  for (const disclosure of disclosures) await disclosure.click();
  const lists = rehearsedWallets(app).getByRole('list', { name: /^Descriptors of / });
  await expect(lists).toHaveCount(disclosures.length);
  const wallets: [string, string[]][] = [];
  for (const list of await lists.all()) {
    const label = (await list.getAttribute('aria-label')) ?? '';
    const texts = await list.locator('code').allTextContents();
    wallets.push([label.replace('Descriptors of ', ''), texts.sort()]);
  }
  return Object.fromEntries(wallets);
}

test('tries a passphrase on the file and rehearses an encrypted wallet, and changes nothing', async ({
  openApp,
  startNode,
}) => {
  const name = 'legacy-hd-encrypted';
  const passphrase = fixturePassphrase(name);
  const node = await startNode('31.0');
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  const before = hashesBelow(node.walletsFolder);

  await openMigration(app, name);
  await expect(fileContents(app)).toContainText('Yes. Spending takes the passphrase.');
  await expect(fileContents(app)).toContainText(`18.299${THIN}971${THIN}80`);
  await expect(page.getByRole('list', { name: 'Wallets that would come of the migration' })).toContainText(
    '14 descriptors',
  );
  await expect(button(page, 'Rehearse on a copy')).toHaveCount(0);
  await next(app);

  // The node does not tell that this wallet is encrypted: the file does.
  await expect(heading(page, 'Passphrase', 2)).toBeVisible();
  await next(app);
  await expect(page.getByRole('alert')).toContainText('Type the passphrase of this wallet.');
  const field = page.getByLabel('Passphrase', { exact: true });
  await field.fill(WRONG);
  await button(page, 'Try this passphrase').click();
  const verdict = page.getByRole('status').filter({ hasText: 'passphrase' });
  await expect(verdict).toContainText('The passphrase is not right');
  await expect(field).toHaveValue(WRONG);
  await next(app);
  await expect(page.getByText('This passphrase does not open the wallet’s file')).toBeVisible();
  await button(page, 'Rehearse on a copy').click();
  await expect(page.getByRole('alert')).toContainText('The passphrase is not right');
  await expect(heading(page, 'Review', 2)).toBeVisible();
  await button(page, 'Back').click();

  await field.fill(passphrase);
  await expect(verdict).toHaveCount(0);
  await button(page, 'Try this passphrase').click();
  await expect(verdict).toContainText('The passphrase is right');
  await expect(field).toHaveValue(passphrase);
  await next(app);
  await expect(page.getByText('This passphrase does not open the wallet’s file')).toHaveCount(0);
  await button(page, 'Rehearse again on a copy').click();
  await expectRehearsed(app, /^The rehearsal is done: 1 wallet would .* Nothing was changed/);
  expect(await rehearsed(app)).toEqual(madeByNode(name));
  await expect(page.getByRole('region', { name: 'Rehearsal' })).toContainText('All 13 transactions kept');

  expect(hashesBelow(node.walletsFolder)).toEqual(before);
  expect(walletFilesOf(app)).toEqual([]);
  for (const call of ['migratewallet', 'walletpassphrase', 'loadwallet', 'backupwallet'] as const) {
    expect(node.countCalls(call)).toBe(0);
  }
  for (const secret of [passphrase, WRONG]) {
    expect(await page.content()).not.toContain(secret);
    expect(app.output()).not.toContain(secret);
  }
  // Once the field is gone, nothing on the page holds what was typed into it.
  await goTo(app, 'Wallets');
  const heap = await heapOf(app);
  expect(heap).toContain(name);
  expect([passphrase, WRONG].filter((secret) => heap.includes(secret))).toEqual([]);
});

for (const fixture of ['legacy-watchonly', 'legacy-solvable'] as const) {
  for (const release of ['28.1', '31.0'] as const) {
    test(`rehearses ${fixture} on ${release} without a passphrase, and keeps what came of it`, async ({
      openApp,
      startNode,
    }) => {
      const node = await startNode(release, { wallets: { [fixture]: fixture } });
      const app = await openApp();
      const { page } = app;
      await connect(app, node);
      const before = hashesBelow(node.walletsFolder);
      await openMigration(app, fixture);
      await button(page, 'Rehearse on a copy').click();
      await expectRehearsed(app, /^The rehearsal is done: 2 wallets would .* Nothing was changed/);
      expect(await rehearsed(app)).toEqual(madeByNode(fixture));
      await expect(rehearsedWallets(app).locator('> li')).toHaveCount(2);

      // It is still there on the last step before the migration.
      await next(app);
      await expect(heading(page, 'Review', 2)).toBeVisible();
      await expect(rehearsedWallets(app)).toBeVisible();
      expect(hashesBelow(node.walletsFolder)).toEqual(before);
      expect(walletFilesOf(app)).toEqual([]);
      expect(node.countCalls('migratewallet')).toBe(0);
      await button(page, 'Migrate this wallet').click();
      await expect(heading(page, 'The wallet is migrated', 2)).toBeVisible();
    });
  }
}

/** Wallet files that the app left among its own. */
function walletFilesOf({ dataFolder }: App): string[] {
  return filesBelow(dataFolder).filter((path) => path.endsWith('.dat'));
}

test('says that new addresses will differ where there is no seed, and forgets a rehearsal with its wallet', async ({
  openApp,
  startNode,
}) => {
  const node = await startNode('31.0', { wallets: { old: 'legacy-imported', other: 'legacy-hd' } });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await openMigration(app, 'old');
  await button(page, 'Rehearse on a copy').click();
  await expectRehearsed(app, /^The rehearsal is done/);
  await expect(page.getByText('New addresses will be other ones in the real migration')).toBeVisible();
  await button(page, 'Back').click();
  await page.getByRole('radio', { name: 'other' }).check();
  await expect(fileContents(app)).toContainText('from an HD seed');
  await next(app);
  await expect(button(page, 'Rehearse on a copy')).toBeVisible();
  await expect(rehearsedWallets(app)).toHaveCount(0);
});

test('shows whole why a rehearsal fails, and lets the node decide after a second look', async ({
  openApp,
  startNode,
}) => {
  const name = 'legacy-hd';
  // Release 30 and later refuse such a file: there a check stops the wizard.
  const node = await startNode('28.1');
  const file = join(node.walletsFolder, name, 'wallet.dat');
  const whole = readFileSync(file);
  // The log position of the first page, as a node that was cut off leaves it.
  const unclosed = Buffer.from(whole);
  unclosed.writeUInt32LE(1, 0);
  writeFileSync(file, unclosed);
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await openMigration(app, name);
  await expect(fileContents(app)).toContainText('The file was not closed cleanly');
  await expect(page.getByRole('list', { name: 'Checks to read' })).toContainText(
    'The file was not closed cleanly',
  );
  await next(app);
  await button(page, 'Rehearse on a copy').click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('No wallets came of the rehearsal');
  await expect(alert).toContainText('not closed cleanly, so that its last changes may be missing from it');
  await expect(alert).toContainText('The file was not changed');
  expect(readFileSync(file)).toEqual(unclosed);

  writeFileSync(file, whole);
  const migrate = button(page, 'Migrate this wallet');
  await expect(migrate).toHaveAttribute('aria-disabled', 'true');
  await tryButton(page, 'Migrate this wallet');
  expect(node.countCalls('migratewallet')).toBe(0);
  await page.getByRole('checkbox', { name: /I have read what the rehearsal told/ }).check();
  await migrate.click();
  await expect(heading(page, 'The wallet is migrated', 2)).toBeVisible();
});

test('goes on without the file where it cannot be looked into', async ({ openApp, startNode }) => {
  test.skip(elsewhere === undefined, 'this machine has no address but its own loopback');
  const host = elsewhere ?? '';
  const login = { user: 'ana', password: 'far away' };
  const node = await startNode('31.0', { login, host }, 'elsewhere');
  const app = await openApp();
  const { page } = app;
  await connectByHand(app, { host, port: node.port, ...login });
  await openMigration(app, 'legacy-hd');
  await expect(page.getByText(/the app cannot look into the wallet’s file from here/)).toBeVisible();
  await expect(button(page, 'Rehearse on a copy')).toHaveCount(0);
  await next(app);
  await expect(heading(page, 'Passphrase', 2)).toBeVisible();
  await expect(page.getByText(/The passphrase cannot be tried beforehand/)).toBeVisible();
  await expect(button(page, 'Try this passphrase')).toHaveCount(0);
  await next(app);
  await expect(heading(page, 'Review', 2)).toBeVisible();
  await expect(button(page, 'Rehearse on a copy')).toHaveCount(0);
  await expect(page.getByText('The app cannot make its own copy')).toBeVisible();
});
