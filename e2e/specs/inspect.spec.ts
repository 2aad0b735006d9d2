/** The page of a wallet file without a node: its facts, its passphrase, and its export. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { factsOf } from '../../electron/walletfile/testing/wallets.ts';
import { formatBitcoin, satoshiOfBitcoin } from '../../shared/model/money.ts';
import { formatTime } from '../../shared/wording/format/formatTime.ts';
import {
  actionCard,
  button,
  LONG,
  openFile,
  openTab,
  pageTexts,
  planIsMade,
  shownPath,
  verdict,
  walletHeading,
} from '../app/steps.ts';
import { expect, fixtureFile, fixturePassphrase, test } from '../app.ts';
import { copyToStick } from '../testNode/walletFixture.ts';

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const form = (page: Page, name: string) => page.getByRole('form', { name, exact: true });
/** The value of a label. */
const fact = (page: Page | Locator, label: string) =>
  page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .locator('xpath=following-sibling::dd[1]');

/** Opens a list if it is long, and returns the items with a text. */
async function itemsOf(part: Locator, text: string): Promise<Locator> {
  const opener = part.locator('details:not([open]) > summary');
  if (await opener.isVisible()) await opener.click();
  const search = part.getByRole('searchbox');
  if (await search.isVisible()) await search.fill(text);
  return part.getByRole('listitem').filter({ hasText: text });
}

// `electron/walletfile/inspect/inspect.test.ts` covers every recorded wallet.
const KINDS = ['legacy-hd-encrypted', 'legacy-watchonly', 'descriptor-hd'] as const;
test('shows the facts of each kind of wallet that a node reported', async ({ openApp, home }) => {
  const app = await openApp();
  const { page } = app;
  for (const name of KINDS) {
    const { before } = factsOf(name);
    const { getwalletinfo: info, getbalances } = before;
    await openFile(app, await copyToStick(name, home));
    await expect(walletHeading(page, `${name}.dat`)).toBeVisible();

    const sqlite = info.format === 'sqlite';
    const encrypted = factsOf(name).passphrase !== undefined;
    const hero = page.getByRole('main').locator('header').first();
    await expect(hero).toContainText(sqlite ? 'Descriptor' : 'Legacy');
    await expect(hero).toContainText('Regtest');
    if (encrypted) await expect(hero).toContainText('Encrypted');
    else await expect(hero).not.toContainText('Encrypted');
    const only = !info.private_keys_enabled;
    const balance = only ? (getbalances.watchonly?.trusted ?? 0) : getbalances.mine.trusted;
    const amount = (bitcoin: number) => formatBitcoin(satoshiOfBitcoin(bitcoin), 'regtest');
    await expect(hero).toContainText(amount(balance).split('\u00a0')[0] ?? '');
    await expect(hero).toContainText('last seen');
    // A node reports 1 if anything in the wallet lacks a date.
    const birth = info.birthtime ?? 0;
    if (birth > 1) await expect(fact(page, 'Created')).toContainText(formatTime(birth));
    else await expect(fact(page, 'Created')).toContainText(/or earlier|Not known/);
    const watched = getbalances.watchonly?.trusted ?? 0;
    if (!only && watched > 0) await expect(fact(page, 'Watched')).toHaveText(amount(watched));
    // One wallet that becomes one is nothing to tell.
    const after = Object.entries(factsOf(name).after_by_release?.['31.0']?.wallets ?? {})
      .map(([part, { listdescriptors }]) => ({ part, length: listdescriptors?.descriptors.length ?? 0 }))
      .filter(({ length }) => length > 0);
    const migration = section(page, 'After the migration');
    await expect(migration).toHaveCount(sqlite || after.length < 2 ? 0 : 1);
    for (const { part, length } of after.length < 2 ? [] : after) {
      const title = PARTS[part] ?? part;
      await expect(migration.getByRole('listitem').filter({ hasText: title })).toContainText(
        `${length} descriptors`,
      );
    }

    await openTab(app, 'Transactions');
    const transactions = section(page, 'Transactions');
    if (info.txcount === 0) await expect(transactions).toContainText('None');
    for (const txid of before.transactions) await expect(await itemsOf(transactions, txid)).toHaveCount(1);
    await openTab(app, 'Addresses and labels');
    const labels = section(page, 'Addresses');
    for (const { address, label } of before.listreceivedbyaddress) {
      await expect(await itemsOf(labels, address)).toContainText(label === '' ? 'Without a label' : label);
    }
    await openTab(app, 'Technical');
    await expect(fact(page, 'Kind')).toHaveText(
      sqlite ? 'Descriptor wallet (SQLite)' : 'Legacy wallet (Berkeley DB)',
    );
    await expect(fact(page, 'Encrypted')).toContainText(encrypted ? /^Yes/ : /^No/);
    if (info.keypoolsize + info.keypoolsize_hd_internal > 0) {
      await expect(fact(page, 'Unused addresses')).toHaveText(
        `${info.keypoolsize} receiving, ${info.keypoolsize_hd_internal} change`,
      );
    }
    if (info.hdseedid !== undefined) {
      const chain = section(page, 'Keys').getByRole('listitem').filter({ hasText: info.hdseedid });
      await expect(chain).toContainText('In use');
    }
    for (const { desc } of before.listdescriptors?.descriptors ?? []) {
      await expect(section(page, 'Descriptors').getByText(desc, { exact: true })).toBeVisible();
    }
    await expect(page.getByLabel('Passphrase', { exact: true })).toHaveCount(encrypted ? 1 : 0);
  }

  // The list that a tab is for is open, however long, and renders only some of its rows.
  await openFile(app, await copyToStick('legacy-imported', home));
  await openTab(app, 'Addresses and labels');
  const labels = section(page, 'Addresses');
  await expect(labels.getByRole('listitem').first()).toBeVisible();
  expect(await labels.getByRole('listitem').count()).toBeLessThanOrEqual(50);
  await expect(labels).toContainText(/\d+ in all/);
  await labels.getByRole('searchbox').fill('no such label');
  await expect(labels).toContainText('Nothing found');
});

test('finds a half-remembered passphrase, and fills in its field', async ({ openApp, home }) => {
  const name = 'legacy-hd-encrypted';
  const passphrase = fixturePassphrase(name);
  const [first = '', ...rest] = passphrase;
  const app = await openApp();
  const { page } = app;
  await openFile(app, await copyToStick(name, home));
  const field = page.getByLabel('Passphrase', { exact: true });
  await field.fill('wrong');
  await page.getByText('Forgotten part of it?').click();
  const part = page.getByRole('main');
  await button(part, 'Count the tries').click();
  await expect(part.getByRole('alert').filter({ hasText: 'Enter 1 to 12 pieces' })).toBeVisible();
  const pieces = part.getByLabel('Pieces, one per line');
  await pieces.fill(`?no\n${first.toUpperCase()}${rest.join('')}`);
  await button(part, 'Count the tries').click();
  await expect(part).toContainText('Tries: 2.');
  await button(part, 'Search').click();
  await expect(part).toContainText('No passphrase fits.');
  // With enough tries that the search can be stopped and continued.
  await part.getByLabel('Maximum typing errors').selectOption('2');
  await button(part, 'Count the tries').click();
  await expect(part).toContainText('at most');
  await button(part, 'Search').click();
  await expect(part.getByRole('progressbar')).toBeVisible();
  await expect(part).toContainText(/[1-9][\d,]* of [\d,]+ done/, LONG);
  await expect(button(part, 'Stop')).toBeFocused();
  await button(part, 'Stop').press('Enter');
  await expect(part).toContainText('Tried before');
  await expect(button(part, 'Continue')).toBeFocused();
  await button(part, 'Count the tries').click();
  await expect(part).toContainText('Tried before');
  await expect(button(part, 'Continue')).toBeVisible();
  await part.getByLabel('Maximum typing errors').selectOption('0');
  await part.getByLabel('Capitals and Caps Lock').check();
  await button(part, 'Count the tries').click();
  await button(part, 'Search').click();
  await expect(part).toContainText('Passphrase found.', LONG);
  await expect(part).not.toContainText('Wrong passphrase');
  await expect(field).toHaveValue(passphrase);
  await expect(actionCard(app)).toContainText('Right passphrase');
});

const PARTS: Readonly<Record<string, string>> = {
  wallet_name: 'Main wallet',
  watchonly_name: 'Watch-only wallet',
};

/** Descriptors of an exported file, sorted. */
function exported(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  if (!file.endsWith('.json')) return text.trimEnd().split('\n').sort();
  return (JSON.parse(text) as { desc: string }[]).map(({ desc }) => desc).sort();
}

test('exports public descriptors as JSON and as lines, and keys for Electrum only after a confirmation', async ({
  openApp,
  home,
}) => {
  const descriptors = factsOf('descriptor-hd').before.listdescriptors?.descriptors ?? [];
  const app = await openApp();
  const { page } = app;
  await openFile(app, await copyToStick('descriptor-hd', home));
  await openTab(app, 'Export');
  const exporting = form(page, 'Export');
  await expect(exporting.getByRole('radio', { name: 'Public keys only' })).toBeChecked();
  const json = join(home, 'public.json');
  await app.pickFile(json, () => button(exporting, 'Export…').click());
  await expect(exporting.getByRole('status').first()).toContainText(
    `Exported: ${descriptors.length} descriptors`,
  );
  await expect(exporting.getByText(shownPath(json), { exact: true })).toBeVisible();
  const requests = JSON.parse(readFileSync(json, 'utf8')) as object[];
  const expected = descriptors
    .map(({ desc, active, range, next, timestamp }) => ({ desc, active, range, next_index: next, timestamp }))
    .sort((one, other) => (one.desc < other.desc ? -1 : 1));
  expect(requests).toMatchObject(expected);

  await exporting.getByRole('radio', { name: 'One descriptor per line' }).check();
  // The message of the last export disappears.
  await expect(exporting.getByText(shownPath(json), { exact: true })).toHaveCount(0);
  const lines = join(home, 'public.txt');
  await app.pickFile(lines, () => button(exporting, 'Export…').click());
  await expect(exporting.getByText(shownPath(lines), { exact: true })).toBeVisible();
  expect(exported(lines)).toEqual(descriptors.map(({ desc }) => desc).sort());

  await openFile(app, await copyToStick('legacy-hd', home));
  await openTab(app, 'Export');
  await exporting.getByRole('radio', { name: 'For Electrum' }).check();
  await expect(exporting.getByRole('radio', { name: 'Public keys only' })).toHaveCount(0);
  await expect(button(exporting, 'Export…')).toHaveAttribute('aria-disabled', 'true');
  await exporting.getByRole('checkbox', { name: /^I understand/ }).check();
  const file = join(home, 'keys.txt');
  await app.pickFile(file, () => button(exporting, 'Export…').click());
  const written = () => readFileSync(file, 'utf8').trimEnd().split('\n');
  await expect(exporting.getByText(shownPath(file), { exact: true })).toBeVisible();
  await expect(exporting.getByRole('status').first()).toContainText(
    `Exported: ${new Set(written().map((line) => line.split(':')[1])).size} private keys`,
  );
  await expect(exporting.getByRole('status').first()).toContainText('may hold coins too');
  expect(written().every((line) => /^(p2pkh|p2wpkh|p2wpkh-p2sh):c\w{51}$/.test(line))).toBe(true);
  expect(await page.content()).not.toContain(written()[0]?.split(':')[1]);
});

// `rehearsal.spec.ts` and `restoreMigrate.spec.ts` try the passphrase of a legacy wallet.
// `secrets.spec.ts` shows that none of this stays in the page's memory.
test('tries passphrases, exports private descriptors only after a confirmation, and keeps no passphrase', async ({
  openApp,
  home,
}) => {
  const name = 'descriptor-encrypted';
  const passphrase = fixturePassphrase(name);
  const wrong = 'wrong-4c1d9a';
  const app = await openApp();
  const { page } = app;
  await openFile(app, await copyToStick(name, home));
  await test.step('tries passphrases', async () => {
    const trying = form(page, 'Try the passphrase');
    const field = trying.getByLabel('Passphrase', { exact: true });
    await field.fill(wrong);
    await expect(trying.getByRole('alert')).toContainText('Wrong passphrase');
    await expect(field).toHaveValue(wrong);
    await expect(field).toBeFocused();
    await field.fill(` ${passphrase}`);
    await button(trying, 'Use it').click();
    await expect(trying.getByRole('status')).toContainText('Right passphrase');
    await expect(field).toHaveValue('');
  });

  await openTab(app, 'Export');
  const exporting = form(page, 'Export');
  await exporting.getByRole('radio', { name: 'With private keys' }).check();
  await expect(exporting.getByText('Anyone with this file can spend the coins').first()).toBeVisible();
  await expect(button(exporting, 'Export…')).toHaveAttribute('aria-disabled', 'true');
  await exporting.getByRole('checkbox', { name: /^I understand/ }).check();
  await button(exporting, 'Export…').click();
  await expect(exporting.getByRole('alert')).toContainText('Type the passphrase');

  const file = join(home, 'private.json');
  const field = exporting.getByLabel('Passphrase', { exact: true });
  await field.fill(wrong);
  await app.pickFile(file, () => button(exporting, 'Export…').click());
  await expect(exporting.getByRole('alert')).toContainText('Not exported');
  await expect(field).toHaveValue('');
  expect(existsSync(file)).toBe(false);

  // The page keeps the confirmation, and asks for the passphrase again.
  await expect(exporting.getByRole('checkbox', { name: /^I understand/ })).toBeChecked();
  await field.fill(passphrase);
  await app.pickFile(file, () => button(exporting, 'Export…').click());
  await expect(exporting.getByRole('status').first()).toContainText('Exported: 8 descriptors');
  await expect(exporting.getByText('This file has private keys')).toBeVisible();
  await expect(field).toHaveValue('');
  expect(exported(file).every((text) => text.includes('tprv'))).toBe(true);
  expect(statSync(file).mode & 0o077).toBe(0);
  const kinds = (texts: string[]) => texts.map((text) => text.slice(0, text.indexOf('('))).sort();
  const listed = factsOf(name).before.listdescriptors?.descriptors.map(({ desc }) => desc) ?? [];
  expect(kinds(exported(file))).toEqual(kinds(listed));
  expect(await page.content()).not.toContain('tprv');

  const texts = JSON.stringify(await pageTexts(app));
  for (const secret of [passphrase, wrong]) expect(texts).not.toContain(secret);
});

test('shows what is still readable in a truncated file', async ({ openApp, home }) => {
  const app = await openApp();
  const { page } = app;
  const whole = readFileSync(fixtureFile('legacy-hd'));
  const file = join(home, 'cut.dat');
  writeFileSync(file, whole.subarray(0, Math.floor(whole.length / 2)));
  await openFile(app, file);
  const { getwalletinfo: info } = factsOf('legacy-hd').before;
  const notice = page.getByRole('status').filter({ hasText: 'Partly unreadable' });
  await notice.locator('summary').click();
  await expect(notice).toContainText(`${info.txcount} transactions`);
  await expect(notice).toContainText('cut short');
  await expect(notice).toContainText('Readable:');
  await expect(page.getByRole('main')).toContainText('Some transactions may be missing.');
  await openTab(app, 'Technical');
  await expect(section(page, 'Problems')).toContainText('cut short');
  await openTab(app, 'Export');
  await expect(section(page, 'Export')).toContainText('Incomplete. Try another copy.');
  await expect(form(page, 'Export')).toHaveCount(0);

  // The page proposes no job, because the network is unknown.
  writeFileSync(file, whole.subarray(0, 20_000));
  await openFile(app, file);
  await openTab(app, 'Technical');
  await expect(fact(page, 'Network')).toContainText('Not known');
  await expect(button(page.getByRole('main'), 'Migrate')).toHaveCount(0);
});

test('offers no migration for a wallet of another coin, and asks whether Bitcoin Cash keys are Bitcoin’s', async ({
  openConnected,
  home,
}) => {
  const { app, node, page } = await openConnected('31.0');
  const litecoin = join(home, 'litecoin.dat');
  writeFileSync(litecoin, asLitecoin(readFileSync(fixtureFile('legacy-hd'))));
  await openFile(app, litecoin);
  await expect(verdict(app)).toContainText('It holds Litecoin, not bitcoin. Open it in Litecoin Core.');
  await expect(page.getByRole('button', { name: /Restore|Migrate/ })).toHaveCount(0);
  await expect(page.getByRole('main')).not.toContainText('BTC');
  await expect(page.getByRole('tab', { name: 'Export' })).toHaveCount(0);

  const cash = join(home, 'split.dat');
  const bytes = readFileSync(fixtureFile('legacy-hd'));
  const client = Buffer.alloc(4);
  client.writeInt32LE(280_100);
  bytes.writeInt32LE(28_000_100, bytes.indexOf(client));
  writeFileSync(cash, bytes);
  await openFile(app, cash);
  await planIsMade(app);
  const question = page.getByRole('checkbox', { name: 'Its keys are Bitcoin’s.' });
  await expect(question).not.toBeChecked();
  const warnings = page.getByRole('list', { name: 'Warnings' });
  await expect(warnings).toContainText('Its coin is uncertain');
  await expect(warnings).toContainText('Last written by: Bitcoin Cash.');
  await expect(actionCard(app)).toContainText('Confirm that its keys are Bitcoin’s.');
  await question.check();
  await expect(actionCard(app)).not.toContainText('Confirm that its keys are Bitcoin’s.');
  expect(node.countCalls('migratewallet') + node.countCalls('restorewallet')).toBe(0);
});

/** Replaces the wallet's blocks with those of Litecoin's regtest. */
function asLitecoin(file: Buffer): Buffer {
  const hash = (hex: string) => Buffer.from(hex, 'hex').reverse();
  const bitcoins = hash('0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206');
  const litecoins = hash('530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9');
  for (let at = file.indexOf(bitcoins); at >= 0; at = file.indexOf(bitcoins)) litecoins.copy(file, at);
  return file;
}
