/** A batch of legacy wallets, each with its own checks, passphrase, safety copy, proof and result. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { unlock } from '../../electron/walletfile/keys/crypter.ts';
import { encryptMasterKey } from '../../electron/walletfile/testing/encryptMasterKey.ts';
import type { App } from '../app/app.ts';
import {
  actionCard,
  button,
  copyPath,
  goTo,
  heading,
  LONG,
  offlineFolder,
  putOffline,
  reach,
  tryButton,
  verdict,
  walletRow,
  workOffline,
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
const LEGACY = Object.keys(wallets).filter((name) => name !== 'savings');
const ENCRYPTED = 'legacy-hd-encrypted';

/** The row of a wallet in the batch. */
function row(page: Page, name: string): Locator {
  return page
    .getByRole('main')
    .getByRole('table', { name: 'Wallets', exact: true })
    .getByRole('rowgroup', { name, exact: true });
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

const passphraseForAll = (page: Page) => page.getByLabel('Passphrase', { exact: true });
const passphraseOf = (page: Page, name: string) => page.getByLabel(`Passphrase of ${name}`, { exact: true });
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

test('does not start with a wrong passphrase, and migrates the other wallets', async ({ openConnected }) => {
  const { app, node, page } = await openConnected('28.1', scenario);
  await expect(walletRow(app, 'legacy-imported')).toContainText('Legacy');
  await checkSeveral(app);
  await row(page, 'legacy-hd').getByText('Details', { exact: true }).click();
  await row(page, 'legacy-hd')
    .getByText(/Checks passed/)
    .click();
  await expect(row(page, 'legacy-hd')).toContainText('Network matches');

  // Only one wallet is encrypted, so the page asks for one passphrase.
  await expect(page.locator('input[type=password]')).toHaveCount(1);
  const migrate = button(actionCard(app), 'Migrate 4 wallets');
  await expect(migrate).toHaveAccessibleDescription(`“${ENCRYPTED}”: Type the passphrase.`);
  await expect(row(page, 'legacy-hd')).toContainText('Ready');
  await expect(row(page, ENCRYPTED)).toContainText('Type the passphrase.');
  await passphraseForAll(page).fill('not the passphrase');
  await expect(row(page, ENCRYPTED)).toContainText('Wrong passphrase');
  await expect(migrate).toHaveAccessibleDescription(`“${ENCRYPTED}”: Wrong passphrase`);
  await tryButton(actionCard(app), 'Migrate 4 wallets');
  await page.getByRole('checkbox', { name: ENCRYPTED, exact: true }).uncheck();
  await expect(heading(page, 'Migrate 3 wallets')).toBeVisible();
  await expect(row(page, ENCRYPTED)).toContainText('Left out');
  expect(migrated(node)).toEqual([]);
  await button(actionCard(app), 'Migrate 3 wallets').click();

  // The batch continues while the user visits another page.
  await expect(page.getByText('Other wallets start only while the app is open.')).toBeVisible();
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
  }
  await button(row(page, 'legacy-imported'), 'Open').click();
  expect(readFileSync(await copyPath(app, 'Safety copy'))).toEqual(
    readFileSync(fixtureFile('legacy-imported')),
  );
  await goTo(app, 'All wallets');
  await button(page, 'Show the results').click();
  await button(page, 'Go to wallets').click();
  await expect(button(page, 'Show the results')).toHaveCount(0);
  await expect(button(page, 'Migrate several…')).toHaveCount(0);
});

/** Gives an encrypted wallet file another passphrase, as Bitcoin Core does: the master key stays. */
async function changePassphrase(file: string, from: string, to: string): Promise<void> {
  const bytes = readFileSync(file);
  for (let at = 0; at + 66 < bytes.length; at += 1) {
    // The encrypted key (48 bytes), the salt (8 bytes), the method (0) and the rounds.
    if (bytes[at] !== 48 || bytes[at + 49] !== 8 || bytes.readUInt32LE(at + 58) !== 0) continue;
    const [encrypted, salt] = [bytes.subarray(at + 1, at + 49), bytes.subarray(at + 50, at + 58)];
    const masterKey = { encrypted, salt, derivationMethod: 0, iterations: bytes.readUInt32LE(at + 62) };
    if (masterKey.iterations < 1000 || masterKey.iterations > 1_000_000) continue;
    const unlocked = await unlock([masterKey], [], from);
    if (unlocked === null) continue;
    encrypted.set((await encryptMasterKey(unlocked, to, salt, masterKey.iterations)).encrypted);
  }
  writeFileSync(file, bytes);
}

test('tries one passphrase on each wallet, and asks in its row for another one', async ({ openApp }) => {
  const app = await openApp();
  const { page } = app;
  const passphrase = fixturePassphrase(ENCRYPTED);
  const all = ['one', 'two'];
  for (const name of all) putOffline(app, ENCRYPTED, name);
  await changePassphrase(join(offlineFolder(app), 'two', 'wallet.dat'), passphrase, 'another one');
  await workOffline(app);
  await checkSeveral(app, all, all);
  await expect(page.locator('input[type=password]')).toHaveCount(1);
  await passphraseForAll(page).fill(`${passphrase} `);
  await button(page, 'Use it').click(LONG);
  await expect(passphraseForAll(page)).toHaveValue(passphrase);
  await expect(row(page, 'one')).toContainText('Ready', LONG);
  await expect(row(page, 'two')).toContainText('Type the passphrase.', LONG);
  await passphraseOf(page, 'two').fill('another one');
  await expect(row(page, 'two')).toContainText('Ready', LONG);
  await expect(button(actionCard(app), 'Migrate 2 wallets')).not.toHaveAttribute('aria-disabled', 'true');
  await passphraseOf(page, 'two').fill(passphrase);
  await expect(row(page, 'two')).toContainText('Wrong passphrase', LONG);
});

test('migrates several with the keyboard alone', async ({ openConnected }) => {
  const { app, page } = await openConnected('28.1', scenario);
  await expect(heading(page, 'All wallets')).toBeFocused();
  await reach(button(page, 'Migrate several…'));
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Migrate 4 wallets')).toBeFocused();
  await expect(passphraseForAll(page)).toBeVisible();
  await reach(passphraseForAll(page));
  await page.keyboard.type(fixturePassphrase(ENCRYPTED));
  for (const name of ['legacy-imported', 'legacy-watchonly']) {
    await reach(page.getByRole('checkbox', { name, exact: true }));
    await page.keyboard.press('Space');
  }
  await expect(heading(page, 'Migrate 2 wallets')).toBeVisible();
  const migrate = button(actionCard(app), 'Migrate 2 wallets');
  await expect(migrate).not.toHaveAttribute('aria-disabled', 'true');
  await reach(migrate);
  await page.keyboard.press('Enter');
  await expectStatus(page, '2 of 2 done');
  await expect(page.getByText('One step left: save a backup.')).toBeVisible();
  await expect(heading(page, '2 wallets')).toBeFocused();
  // The app empties the field when no wallet needs it any more.
  await expect(passphraseForAll(page)).toHaveValue('');
  await reach(button(page, 'Open'));
  await page.keyboard.press('Enter');
  await expect(verdict(app)).toContainText('Everything arrived');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});
