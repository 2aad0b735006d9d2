/** The pictures of the documentation: every screen and step, light and dark. `npm run screenshots` makes them. */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { App } from '../app/app.ts';
import {
  button,
  checkPage,
  chooseBackup,
  connect,
  foundNode,
  goTo,
  heading,
  openDetails,
  openFile,
  planIsMade,
  prepareMigration,
  run,
  settled,
  startMigration,
  startRestore,
  walletRow,
} from '../app/steps.ts';
import { test as base, expect, fixtureFile, fixturePassphrase } from '../app.ts';

const pictures = fileURLToPath(new URL('../../docs/screenshots', import.meta.url));
const HELD = { shares: [0.1, 0.42], ms: 400, hold: true };

/** Pictures of work that goes on. */
const AT_WORK = /running|job-bar|starting|line-lost/;

const rescanned = ({ page }: App) => page.getByRole('main').getByText('42\u00a0%', { exact: true });

/** A home of the same name each time, because paths are in the pictures. */
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

for (const colorScheme of ['light', 'dark'] as const) {
  const take = async ({ page }: App, name: string) => {
    if (!AT_WORK.test(name)) await settled(page);
    await page.mouse.move(0, 0);
    await page.screenshot({
      path: join(pictures, `${name}-${colorScheme}.png`),
      animations: 'disabled',
    });
  };

  test(`connect and restore, ${colorScheme}`, async ({ openApp, startNode }) => {
    const node = await startNode('28.1', { loaded: ['savings', 'legacy-hd'], rescan: HELD });
    const app = await openApp({ colorScheme });
    const { page } = app;
    await foundNode(app, node).waitFor();
    await take(app, 'start');
    await goTo(app, 'Node');
    await take(app, 'connect');
    await goTo(app, 'Start');
    await connect(app, node);
    await expect(walletRow(app, 'savings')).toContainText('rBTC');
    await take(app, 'wallets');

    await goTo(app, 'Start');
    await heading(page, 'Start').waitFor();
    await button(page, 'Choose a file…').click();
    await page.getByRole('dialog').getByRole('option').first().waitFor();
    await take(app, 'file-dialog');
    await page.keyboard.press('Escape');
    await chooseBackup(app, join(node.walletsFolder, 'savings', 'wallet.dat'));
    await page.getByLabel('Wallet name').fill('savings');
    await expect(page.getByRole('alert')).toContainText('already');
    await take(app, 'restore-check-name-taken');
    await page.getByLabel('Wallet name').fill('holiday');
    await planIsMade(app);
    await take(app, 'restore-check');
    await openDetails(app);
    await take(app, 'restore-check-details');
    await run(app, 'Restore');
    await rescanned(app).waitFor();
    await take(app, 'restore-running');
    await goTo(app, 'Wallets');
    await page.getByRole('status', { name: 'Running job' }).waitFor();
    await take(app, 'job-bar');
    await page.getByRole('status', { name: 'Running job' }).getByRole('button', { name: 'Show' }).click();
    node.letGo();
    await heading(page, 'Wallet restored').waitFor();
    await take(app, 'restore-result');
    await goTo(app, 'Activity');
    await heading(page, 'Activity').waitFor();
    await take(app, 'activity');
    await goTo(app, 'Node');
    await take(app, 'node');
  });

  test(`migrate, ${colorScheme}`, async ({ openApp, startNode, home }) => {
    const node = await startNode('31.0', {
      wallets: { savings: 'legacy-watchonly', 'old wallet': 'legacy-hd-encrypted' },
      rescan: HELD,
    });
    const app = await openApp({ colorScheme });
    const { page } = app;
    await connect(app, node);
    await prepareMigration(app, 'old wallet', 'not the one');
    await page.getByRole('alert').filter({ hasText: 'The passphrase is wrong' }).waitFor();
    await take(app, 'migrate-check-wrong-passphrase');
    await page.getByLabel('Passphrase', { exact: true }).fill(fixturePassphrase('legacy-hd-encrypted'));
    await page.getByText('The passphrase is right.').waitFor();
    await take(app, 'migrate-check');
    await run(app, 'Migrate');
    await rescanned(app).waitFor();
    await take(app, 'migrate-running');
    node.letGo();
    await heading(page, 'Everything arrived').waitFor();

    await goTo(app, 'Wallets');
    await startMigration(app, 'savings');
    await heading(page, 'Everything arrived').waitFor();
    await take(app, 'migrate-result');
    await app.pickFile(home, () => button(page, 'Save new backups…').click());
    await page.getByText('2 of 2 backed up').waitFor();
    await take(app, 'migrate-result-backed-up');
  });

  test(`the safe way, ${colorScheme}`, async ({ openApp, startNode }) => {
    const node = await startNode('30.0', {
      wallets: { '': 'legacy-hd-encrypted', savings: 'descriptor-hd' },
    });
    const app = await openApp({ colorScheme });
    await connect(app, node);
    await prepareMigration(app, 'Unnamed wallet');
    await take(app, 'migrate-check-safe-way');
  });

  test(`look into a file, ${colorScheme}`, async ({ openApp, home }) => {
    const app = await openApp({ colorScheme });
    const { page } = app;
    const file = join(home, 'old wallet.dat');
    copyFileSync(fixtureFile('legacy-watchonly'), file);
    await openFile(app, file);
    await expect(page.getByText('Legacy wallet (Berkeley DB)', { exact: true })).toBeVisible();
    await take(app, 'inspect');
    await page.screenshot({
      path: join(pictures, `inspect-whole-${colorScheme}.png`),
      animations: 'disabled',
      fullPage: true,
    });
  });

  test(`restore and migrate in one go, ${colorScheme}`, async ({ openApp, startNode, home }) => {
    const node = await startNode('31.0', { wallets: { savings: 'descriptor-hd' }, rescan: HELD });
    const app = await openApp({ colorScheme });
    const { page } = app;
    const file = join(home, 'old backup.dat');
    copyFileSync(fixtureFile('legacy-watchonly'), file);
    await connect(app, node);
    await chooseBackup(app, file);
    await page.getByLabel('Wallet name').fill('old one');
    await planIsMade(app);
    await take(app, 'one-go-check');
    await run(app, 'Restore and migrate');
    await rescanned(app).waitFor();
    await take(app, 'one-go-running');
    node.letGo();
    await heading(page, 'Everything arrived').waitFor();
    await take(app, 'one-go-result');
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
    await expect(checkPage(app).locator('summary')).toHaveCount(3);
    await page
      .getByLabel('Passphrase of old wallet', { exact: true })
      .fill(fixturePassphrase('legacy-hd-encrypted'));
    await page.getByText('The passphrase is right.').waitFor();
    await take(app, 'several-check');
    await run(app, 'Migrate');
    await page.getByText('3 of 3 done').waitFor();
    await take(app, 'several-result');
  });

  test(`what goes wrong, ${colorScheme}`, async ({ openApp, startNode }) => {
    const node = await startNode('28.1', { rescan: HELD });
    const app = await openApp({ colorScheme });
    const { page } = app;
    node.setStarting('Verifying blocks…');
    await button(page, 'Search again').click();
    await expect(foundNode(app, node)).toContainText('Verifying blocks…');
    await take(app, 'connect-starting');
    node.setStarting(null);
    await button(page, 'Search again').click();
    await connect(app, node);
    await openFile(app, join(node.backupsFolder, 'notes.txt'));
    await page.getByText('Not recognised as a Bitcoin Core wallet').waitFor();
    await take(app, 'inspect-wrong-file');
    await startRestore(app, join(node.walletsFolder, 'savings', 'wallet.dat'), 'holiday');
    await rescanned(app).waitFor();
    await node.cut();
    await button(page, 'Stop waiting').waitFor();
    await take(app, 'line-lost');
    await button(page, 'Stop waiting').click();
    await heading(page, 'Outcome not known').waitFor();
    await take(app, 'outcome-unknown');
  });
}
