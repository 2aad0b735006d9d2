/** A batch of legacy wallets, each with its own checks, passphrase, safety copy, proof and result. */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import type { App } from '../app/app.ts';
import {
  actionCard,
  button,
  copyPath,
  goTo,
  heading,
  LONG,
  otherJobs,
  prepareMigration,
  reach,
  run,
  startMigration,
  tryButton,
  verdict,
  walletRow,
} from '../app/steps.ts';
import {
  expect,
  type FixtureName,
  fixtureFile,
  fixturePassphrase,
  type Scenario,
  type TestNode,
  test,
} from '../app.ts';

const wallets: Record<string, FixtureName> = {
  savings: 'descriptor-hd',
  'legacy-hd': 'legacy-hd',
  'legacy-hd-encrypted': 'legacy-hd-encrypted',
  'legacy-watchonly': 'legacy-watchonly',
  'legacy-imported': 'legacy-imported',
};
const scenario: Scenario = { wallets, callMs: 100 };
const paused: Scenario = { wallets, rescan: { shares: [0.42], ms: 100, hold: true } };
const LEGACY = Object.keys(wallets).filter((name) => name !== 'savings');
const ENCRYPTED = 'legacy-hd-encrypted';

/** The row of a wallet in the batch. */
function row(page: Page, name: string): Locator {
  return page
    .getByRole('main')
    .getByRole('list', { name: 'Wallets', exact: true })
    .locator('> li')
    .filter({ has: page.getByText(name, { exact: true }) });
}

/** Opens the batch from the list of wallets, with `names` selected out of `all`. */
async function checkSeveral(app: App, names: readonly string[] = LEGACY, all = LEGACY): Promise<void> {
  const { page } = app;
  await button(page, 'Migrate several…').click();
  for (const name of all) await row(page, name).locator('summary').first().waitFor();
  for (const name of all.filter((one) => !names.includes(one))) {
    await page.getByRole('checkbox', { name, exact: true }).uncheck();
  }
  await expect(heading(page, `Migrate ${names.length} wallets`)).toBeVisible();
}

const passphraseOf = (page: Page, name: string) => page.getByLabel(`Passphrase of ${name}`, { exact: true });
const rescanned = (page: Page) => page.getByRole('main').getByRole('progressbar', { name: 'Rescan' });
const expectStatus = (page: Page, text: string) =>
  expect(page.getByRole('status').filter({ hasText: text })).toBeVisible(SLOW);

/** The wallets that the node migrated, in order. */
function migrated(node: TestNode): unknown[] {
  return node.calls
    .filter(({ method }) => method === 'migratewallet')
    .map(({ params }) => Object.entries(params).find(([name]) => name === 'wallet_name')?.[1]);
}

/** For several migrations. */
const SLOW = LONG;

test('does not start with a wrong passphrase, migrates the other wallets, and then that one', async ({
  openConnected,
}) => {
  const { app, node, page } = await openConnected('28.1', scenario);
  await expect(walletRow(app, 'legacy-imported')).toContainText('Legacy');
  await checkSeveral(app);
  await row(page, 'legacy-hd').locator('summary').first().click();
  await row(page, 'legacy-hd')
    .getByText(/Checks passed/)
    .click();
  await expect(row(page, 'legacy-hd')).toContainText('Network matches');

  // Only one wallet is encrypted, so the page asks for one passphrase.
  await expect(page.locator('input[type=password]')).toHaveCount(1);
  const migrate = button(actionCard(app), 'Migrate');
  await expect(migrate).toHaveAccessibleDescription(`“${ENCRYPTED}”: Type the passphrase.`);
  await passphraseOf(page, ENCRYPTED).fill('not the passphrase');
  await expect(migrate).toHaveAccessibleDescription(`“${ENCRYPTED}”: Wrong passphrase`);
  await tryButton(actionCard(app), 'Migrate');
  await page.getByRole('checkbox', { name: ENCRYPTED, exact: true }).uncheck();
  await expect(heading(page, 'Migrate 3 wallets')).toBeVisible();
  expect(migrated(node)).toEqual([]);
  await run(app, 'Migrate');

  // The batch continues while the user visits another page.
  await expect(page.getByText('You can leave. Quitting cancels queued wallets.')).toBeVisible();
  await goTo(app, 'All wallets');
  const others = LEGACY.filter((one) => one !== ENCRYPTED);
  for (const name of others) await expect(walletRow(app, name)).toContainText('Descriptor', SLOW);
  await button(page, 'Show the results').click();
  await expectStatus(page, '3 of 3 done');
  expect(migrated(node)).toEqual(others.toSorted());
  for (const name of others) {
    await expect(row(page, name)).toContainText(
      /Done.*(Everything arrived|Not everything could be compared)/,
    );
    await button(row(page, name), 'Show').click();
    expect(readFileSync(await copyPath(app, 'Safety copy'))).toEqual(
      readFileSync(fixtureFile(wallets[name] ?? 'legacy-hd')),
    );
    // Go back to the results.
    await goTo(app, 'All wallets');
    await button(page, 'Show the results').click();
  }
  await button(page, 'Go to wallets').click();
  await expect(button(page, 'Show the results')).toHaveCount(0);
  await expect(button(page, 'Migrate several…')).toHaveCount(0);
  await startMigration(app, ENCRYPTED, fixturePassphrase(ENCRYPTED));
  await expect(verdict(app)).toContainText('Everything arrived');
});

test('stops after the running wallet, and migrates the rest later', async ({ openConnected }) => {
  const { app, node, page } = await openConnected('28.1', paused);
  await checkSeveral(app, ['legacy-hd', 'legacy-watchonly']);
  await run(app, 'Migrate');
  await expect(rescanned(page)).toBeVisible();
  await expect(row(page, 'legacy-watchonly')).toContainText('Queued');
  await expect(otherJobs(app)).toBeEmpty();
  await button(page, 'Stop after this one').click();
  await expect(row(page, 'legacy-watchonly')).toContainText('You stopped before this one.');
  await expect(button(page, 'Stop after this one')).toHaveAttribute('aria-disabled', 'true');
  node.resume();
  await expectStatus(page, '1 of 2 done, 1 not started');
  expect(migrated(node)).toEqual(['legacy-hd']);
  await button(page, 'Go to wallets').click();
  await prepareMigration(app, 'legacy-watchonly');
  await run(app, 'Migrate');
  await expect(verdict(app)).toContainText('Everything arrived');
});

test('uses one passphrase for each wallet that has no other', async ({ openConnected }) => {
  const passphrase = fixturePassphrase(ENCRYPTED);
  const { app, page } = await openConnected('28.1', {
    ...scenario,
    wallets: { one: ENCRYPTED, two: ENCRYPTED, three: ENCRYPTED },
  });
  const all = ['one', 'two', 'three'];
  await checkSeveral(app, all, all);
  await passphraseOf(page, 'three').fill('another one');
  await page.getByLabel('Passphrase for all', { exact: true }).fill(passphrase);
  for (const name of ['one', 'two']) await expect(passphraseOf(page, name)).toHaveValue(passphrase);
  await expect(passphraseOf(page, 'three')).toHaveValue('another one');
  await passphraseOf(page, 'three').fill(passphrase);
  await run(app, 'Migrate');
  await expectStatus(page, '3 of 3 done');
  // The app empties each field when it sends the call.
  for (const name of all) await expect(passphraseOf(page, name)).toHaveValue('');
});

test('migrates several with the keyboard alone', async ({ openConnected }) => {
  const { app, page } = await openConnected('28.1', scenario);
  await expect(heading(page, 'All wallets')).toBeFocused();
  await reach(button(page, 'Migrate several…'));
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Migrate 4 wallets')).toBeFocused();
  await expect(passphraseOf(page, ENCRYPTED)).toBeVisible();
  await reach(passphraseOf(page, ENCRYPTED));
  await page.keyboard.type(fixturePassphrase(ENCRYPTED));
  for (const name of ['legacy-imported', 'legacy-watchonly']) {
    await reach(page.getByRole('checkbox', { name, exact: true }));
    await page.keyboard.press('Space');
  }
  await expect(heading(page, 'Migrate 2 wallets')).toBeVisible();
  await expect(button(actionCard(app), 'Migrate')).not.toHaveAttribute('aria-disabled', 'true');
  await reach(button(actionCard(app), 'Migrate'));
  await page.keyboard.press('Enter');
  await expectStatus(page, '2 of 2 done');
  await expect(heading(page, '2 wallets')).toBeFocused();
  await reach(button(page, 'Show'));
  await page.keyboard.press('Enter');
  await expect(verdict(app)).toContainText('Everything arrived');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});
