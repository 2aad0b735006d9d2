/** The screenshots of the documentation: each page and state, light, dark, and small. `npm run screenshots` takes them. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeSqlite } from '../../electron/walletfile/database/walletDatabase.ts';
import { entriesOf } from '../../electron/walletfile/testing/wallets.ts';
import type { App } from '../app/app.ts';
import {
  actionCard,
  button,
  connect,
  goTo,
  LONG,
  nameField,
  openFile,
  openWallet,
  planIsMade,
  prepareMigration,
  run,
  saveBackups,
  settled,
  startMigration,
  verdict,
  walletRow,
} from '../app/steps.ts';
import { test as base, expect, fixtureFile, fixturePassphrase } from '../app.ts';

const pictures = fileURLToPath(new URL('../../docs/screenshots', import.meta.url));
/** A published key, an address, and a key with a wrong last letter. */
const PASTED = [
  'L44B5gGEpqEDRS9vVPz7QT35jcBG2r3CZwSwQ4fCewXAhAhqGVpP',
  '164MQi977u9GUteHr4EPH27VkkdxmfCvGW',
  'L44B5gGEpqEDRS9vVPz7QT35jcBG2r3CZwSwQ4fCewXAhAhqGVpQ',
].join('\n');
const PAUSED = { shares: [0.1, 0.42], ms: 400, hold: true };
const USUAL = { width: 1100, height: 760 };
const SMALL = { width: 900, height: 600 };

/** Pictures of running jobs, and what these have by then. */
const AT_WORK = /running|rescan/;
const SOME_SECONDS = /^Running for (?:[3-9]|\d\d) s/;

/** The home has the same path each time, because the pictures show paths. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from the pattern.
  home: async ({}, use, info) => {
    const home = join(tmpdir(), `ferry-pictures-${info.parallelIndex}`, 'home');
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home, { recursive: true });
    await use(home);
    rmSync(home, { recursive: true, force: true });
  },
});

/** A wallet whose transactions are a day apart. */
function writeOldWallet(path: string): void {
  const bytes = Buffer.from(readFileSync(fixtureFile('legacy-hd')));
  const field = Buffer.from('timesmart\n');
  let time = Date.UTC(2026, 10, 20, 14) / 1000;
  for (let at = bytes.indexOf(field); at >= 0; at = bytes.indexOf(field, at + 1)) {
    bytes.write(String(time), at + field.length);
    time += 86_400;
  }
  writeFileSync(path, bytes);
}

// The pictures of `docs/first-steps.md`.
test('the first steps', async ({ openApp, home }) => {
  copyFileSync(fixtureFile('legacy-hd'), join(home, 'wallet.dat'));
  const app = await openApp({ colorScheme: 'light' });
  const { page } = app;
  await page.setViewportSize(USUAL);
  const take = async (name: string) => {
    await settled(page);
    await expect(page.getByRole('navigation').getByText('Reading…')).toHaveCount(0);
    await page.mouse.move(0, 0);
    await page.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
    await page.screenshot({ path: join(pictures, `first-${name}.png`), animations: 'disabled' });
  };
  await take('1-home');
  await app.pickFile(join(home, 'wallet.dat'), () => button(page, 'Choose a file…').click());
  await expect(button(actionCard(app), 'Migrate')).toBeVisible();
  await take('2-file');
  await run(app, 'Migrate');
  await expect(verdict(app)).toContainText('Everything arrived', LONG);
  await take('3-proof');
  await saveBackups(app, home);
  await expect(verdict(app)).toContainText('Safe and backed up');
  await take('4-backup');
});

for (const colorScheme of ['light', 'dark'] as const) {
  /** Takes a picture of the usual window and, in the light theme, of a small one. */
  const take = async ({ page }: App, name: string) => {
    if (!AT_WORK.test(name)) {
      await settled(page);
      await expect(page.getByRole('navigation').getByText('Reading…')).toHaveCount(0);
    }
    await page.mouse.move(0, 0);
    const sizes = colorScheme === 'light' ? [USUAL, SMALL] : [USUAL];
    for (const size of sizes) {
      await page.setViewportSize(size);
      const suffix = size === SMALL ? 'small' : colorScheme;
      await page.screenshot({ path: join(pictures, `${name}-${suffix}.png`), animations: 'disabled' });
    }
    await page.setViewportSize(USUAL);
  };

  test(`files without a node, ${colorScheme}`, async ({ openApp, home }) => {
    const app = await openApp({ colorScheme });
    const { page } = app;
    await take(app, 'home');
    copyFileSync(fixtureFile('legacy-watchonly'), join(home, 'old wallet.dat'));
    copyFileSync(fixtureFile('legacy-hd-encrypted'), join(home, 'savings of 2014.dat'));
    await openFile(app, join(home, 'old wallet.dat'));
    await expect(button(actionCard(app), 'Migrate')).toBeVisible();
    await take(app, 'wallet-new-file');
    await openFile(app, join(home, 'savings of 2014.dat'));
    await page.getByLabel('Passphrase', { exact: true }).waitFor();
    await take(app, 'wallet-passphrase');
  });

  test(`other ways to begin, ${colorScheme}`, async ({ openApp, home }) => {
    const app = await openApp({ colorScheme });
    const { page } = app;
    writeOldWallet(join(home, 'savings.dat'));
    copyFileSync(fixtureFile('descriptor-hd'), join(home, 'wallet.dat'));
    await button(page, 'Search this computer').click();
    const found = page.getByRole('region', { name: 'Find wallets' });
    await button(found, 'Search').click();
    await expect(button(found, 'Stop')).toHaveCount(0, LONG);
    await expect(found).toContainText(/8\.599/, LONG);
    await take(app, 'find-wallets');
    await openFile(app, join(home, 'savings.dat'));
    await expect(button(actionCard(app), 'Migrate')).toBeVisible();
    await take(app, 'wallet-history');
    await goTo(app, 'Home');
    await button(page, 'Paste keys').click();
    await page.getByRole('textbox', { name: 'Keys' }).fill(PASTED);
    await button(page.getByRole('form', { name: 'Paste keys' }), 'Open').click();
    await page.getByRole('form', { name: 'Paste keys' }).getByRole('status').waitFor();
    await take(app, 'paste-keys');
    const damaged = readFileSync(fixtureFile('legacy-hd'));
    damaged.fill(0, 5 * 4096, 6 * 4096);
    writeFileSync(join(home, 'damaged wallet.dat'), damaged);
    await openFile(app, join(home, 'damaged wallet.dat'));
    await button(page.getByRole('main'), 'Rescue').click();
    await planIsMade(app);
    await take(app, 'rescue');
    await run(app, 'Rescue');
    await expect(page.getByRole('region', { name: 'Rescued', exact: true })).toBeVisible(LONG);
    await take(app, 'rescued');
  });

  test(`a migration, ${colorScheme}`, async ({ openApp, startNode, home }) => {
    const node = await startNode('31.0', {
      wallets: { 'old savings': 'legacy-watchonly', main: 'descriptor-hd' },
      rescan: PAUSED,
    });
    const app = await openApp({ colorScheme });
    const { page } = app;
    await connect(app, node);
    await expect(walletRow(app, 'main')).toContainText('rBTC');
    await startMigration(app, 'old savings');
    await page.getByRole('progressbar', { name: 'Rescan' }).waitFor();
    await expect(page.getByRole('main')).toContainText('42%');
    await page.getByText(SOME_SECONDS).waitFor();
    await take(app, 'wallet-rescan');
    node.resume();
    await expect(verdict(app)).toContainText('Everything arrived');
    await take(app, 'wallet-proof');
    await saveBackups(app, home);
    await expect(verdict(app)).toContainText('Safe and backed up');
    await take(app, 'wallet-backed-up');
    await openWallet(app, 'main');
    await take(app, 'wallet-descriptor');
    await goTo(app, 'History');
    await page.getByRole('list', { name: 'Safety copies' }).waitFor();
    await take(app, 'history');
  });

  test(`what stops a migration, ${colorScheme}`, async ({ openApp, startNode }) => {
    const node = await startNode('31.0', {
      wallets: { 'old savings': 'legacy-hd-encrypted' },
      holdAt: 'Migrating wallet storage',
    });
    const app = await openApp({ colorScheme });
    const { page } = app;
    await connect(app, node);
    await openFile(app, join(node.backupsFolder, 'descriptor.bak'));
    await (await nameField(app)).fill('old savings');
    await page.getByRole('alert').waitFor();
    await take(app, 'wallet-blocked');
    await goTo(app, 'All wallets');
    await prepareMigration(app, 'old savings', fixturePassphrase('legacy-hd-encrypted'));
    await run(app, 'Migrate');
    await expect(page.getByRole('main')).toContainText('Converting');
    await page.getByText(SOME_SECONDS).waitFor();
    await take(app, 'wallet-running');
    const backups = () => readdirSync(node.walletsFolder).filter((name) => name.endsWith('.legacy.bak'));
    await expect.poll(backups).toHaveLength(1);
    // What a node leaves that is killed after it has copied the records.
    const half = await writeSqlite(await entriesOf('legacy-hd-encrypted'), 'regtest');
    writeFileSync(join(node.walletsFolder, 'old savings', 'wallet.dat'), half);
    await node.kill();
    await expect(verdict(app)).toContainText('Interrupted', LONG);
    await node.restart();
    await button(page, 'Put the old wallet back').waitFor(LONG);
    await expect(page.getByRole('status', { name: 'Connection' })).toBeEmpty();
    await expect(page.getByRole('navigation')).toContainText('Interrupted');
    await expect(page.getByRole('main')).toContainText('rBTC');
    await take(app, 'wallet-trouble');
  });

  test(`several wallets, ${colorScheme}`, async ({ openApp, startNode }) => {
    const node = await startNode('31.0', {
      wallets: {
        savings: 'descriptor-hd',
        'old wallet': 'legacy-hd-encrypted',
        'cold storage of 2014': 'legacy-watchonly',
        'the shop': 'legacy-hd',
      },
    });
    const app = await openApp({ colorScheme });
    const { page } = app;
    await connect(app, node);
    await button(page, 'Migrate several…').click();
    await expect(actionCard(app).locator('summary')).toHaveCount(3);
    await page.getByLabel('Passphrase', { exact: true }).fill(fixturePassphrase('legacy-hd-encrypted'));
    await expect(actionCard(app).getByText('Ready', { exact: true })).toHaveCount(3);
    await take(app, 'batch');
  });
}
