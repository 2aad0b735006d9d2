/** The pictures of the documentation: every screen and step, light and dark. `npm run screenshots` makes them. */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { App } from '../app/app.ts';
import { settled } from '../app/settled.ts';
import {
  button,
  chooseBackup,
  connect,
  foundNode,
  goTo,
  heading,
  nameIt,
  next,
  startMigration,
  walletRow,
} from '../app/steps.ts';
import { test as base, expect, fixtureFile, fixturePassphrase } from '../app.ts';

const pictures = fileURLToPath(new URL('../../docs/screenshots', import.meta.url));
const HELD = { shares: [0.1, 0.42], ms: 400, hold: true };

/** Pictures of work that goes on. */
const AT_WORK = /running|operation-bar|starting|line-lost/;

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
    await take(app, 'connect');
    await connect(app, node);
    await expect(walletRow(app, 'savings')).toContainText('rBTC');
    await take(app, 'wallets');

    await goTo(app, 'Restore a backup');
    await heading(page, 'Backup', 2).waitFor();
    await take(app, 'restore-1-choose');
    await button(page, 'Choose a file…').click();
    await page.getByRole('dialog').getByRole('option').first().waitFor();
    await take(app, 'file-dialog');
    await page.keyboard.press('Escape');
    await app.pickFile(join(node.walletsFolder, 'savings', 'wallet.dat'), () =>
      button(page, 'Choose a file…').click(),
    );
    await expect(page.getByText(/^[0-9a-f]{64}$/)).toBeVisible();
    await take(app, 'restore-2-backup');
    await next(app);
    await page.getByLabel('Wallet name').fill('savings');
    await expect(page.getByText(/taken|exists|already/i).first()).toBeVisible();
    await take(app, 'restore-3-name-taken');
    await page.getByLabel('Wallet name').fill('holiday');
    await take(app, 'restore-3-name');
    await next(app);
    await heading(page, 'Review', 2).waitFor();
    await take(app, 'restore-4-review');
    await button(page, 'Restore this backup').click();
    await expect(page.getByText('42 % rescanned')).toBeVisible();
    await take(app, 'restore-5-running');
    await goTo(app, 'Wallets');
    await page.getByRole('status', { name: 'Running operation' }).waitFor();
    await take(app, 'operation-bar');
    await page
      .getByRole('status', { name: 'Running operation' })
      .getByRole('button', { name: 'Show' })
      .click();
    node.letGo();
    await heading(page, 'The wallet is restored', 2).waitFor();
    await take(app, 'restore-6-done');
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
    await goTo(app, 'Wallets');
    await button(walletRow(app, 'old wallet'), 'Migrate').click();
    await heading(page, 'Check', 2).waitFor();
    await button(page, 'Back').click();
    await heading(page, 'Wallet', 2).waitFor();
    await take(app, 'migrate-1-wallet');
    await next(app);
    await heading(page, 'Check', 2).waitFor();
    await button(page, 'Look again').and(page.locator(':not([aria-busy])')).waitFor();
    await take(app, 'migrate-2-check');
    await next(app);
    await page.getByLabel('Passphrase', { exact: true }).fill('not the one');
    await take(app, 'migrate-3-passphrase');
    await next(app);
    await take(app, 'migrate-4-review');
    await button(page, 'Migrate this wallet').click();
    await page.getByRole('alert').filter({ hasText: 'The passphrase is not right' }).waitFor();
    await take(app, 'migrate-3-passphrase-wrong');
    await page.getByLabel('Passphrase', { exact: true }).fill(fixturePassphrase('legacy-hd-encrypted'));
    await next(app);
    await button(page, 'Migrate this wallet').click();
    await expect(page.getByText('42 % rescanned')).toBeVisible();
    await take(app, 'migrate-5-running');
    node.letGo();
    await heading(page, 'The wallet is migrated', 2).waitFor();

    await goTo(app, 'Wallets');
    await startMigration(app, 'savings');
    await heading(page, 'The wallet is migrated', 2).waitFor();
    await take(app, 'migrate-6-proof');
    await button(page, 'Make a new backup').click();
    await heading(page, 'New backup', 2).waitFor();
    await take(app, 'migrate-7-new-backup');
    const rows = page.getByRole('list', { name: 'Backups to make' }).getByRole('listitem');
    await app.pickFile(join(home, 'savings.bak'), () => button(rows.first(), 'Choose where…').click());
    await expect(rows.first()).toContainText(/[0-9a-f]{64}/);
    await take(app, 'migrate-7-new-backup-made');
  });

  test(`the safe way, ${colorScheme}`, async ({ openApp, startNode }) => {
    const node = await startNode('30.0', {
      wallets: { '': 'legacy-hd-encrypted', savings: 'descriptor-hd' },
    });
    const app = await openApp({ colorScheme });
    const { page } = app;
    await connect(app, node);
    await button(walletRow(app, 'Unnamed wallet'), 'Migrate').click();
    await button(page, 'Use the safe way').waitFor();
    await take(app, 'migrate-2-check-stopped');
    await button(page, 'Use the safe way').click();
    await heading(page, 'New name', 2).waitFor();
    await take(app, 'migrate-2-safe-name');
  });

  test(`look into a file, ${colorScheme}`, async ({ openApp, home }) => {
    const app = await openApp({ colorScheme });
    const { page } = app;
    const file = join(home, 'old wallet.dat');
    copyFileSync(fixtureFile('legacy-watchonly'), file);
    await goTo(app, 'Inspect a file');
    await app.pickFile(file, () => button(page, 'Choose a file…').click());
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
    await expect(page.getByText(/^[0-9a-f]{64}$/)).toBeVisible();
    await take(app, 'one-go-1-backup');
    await next(app);
    await page.getByLabel('Wallet name').fill('old one');
    await next(app);
    await heading(page, 'Review', 2).waitFor();
    await expect(button(page, 'Restore and migrate')).toBeEnabled();
    await take(app, 'one-go-2-review');
    await button(page, 'Restore and migrate').click();
    await expect(page.getByText('42 % rescanned')).toBeVisible();
    await take(app, 'one-go-3-running');
    node.letGo();
    await heading(page, 'The wallet is restored and migrated', 2).waitFor();
    await take(app, 'one-go-4-done');
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
    await button(page, 'Choose all').click();
    await take(app, 'several-1-wallets');
    await next(app);
    await expect(page.getByText('3 wallets can be migrated')).toBeVisible();
    await take(app, 'several-2-checks');
    await next(app);
    await page.getByLabel('Passphrase of old wallet', { exact: true }).fill('not the one');
    await take(app, 'several-3-passphrases');
    await next(app);
    await heading(page, 'Review', 2).waitFor();
    await take(app, 'several-4-review');
    await button(page, 'Migrate 3 wallets').click();
    await heading(page, '2 of 3 wallets are migrated', 2).waitFor();
    await take(app, 'several-5-results');
  });

  test(`what goes wrong, ${colorScheme}`, async ({ openApp, startNode }) => {
    const node = await startNode('28.1', { rescan: HELD });
    const app = await openApp({ colorScheme });
    const { page } = app;
    node.setStarting('Verifying blocks…');
    await button(page, 'Look again').click();
    await expect(foundNode(app, node)).toContainText('Verifying blocks…');
    await take(app, 'connect-starting');
    node.setStarting(null);
    await button(page, 'Look again').click();
    await connect(app, node);
    await goTo(app, 'Restore a backup');
    await app.pickFile(join(node.backupsFolder, 'notes.txt'), () => button(page, 'Choose a file…').click());
    await expect(page.getByText('This is not a Bitcoin Core wallet')).toBeVisible();
    await take(app, 'restore-1-wrong-file');
    await app.pickFile(join(node.walletsFolder, 'savings', 'wallet.dat'), () =>
      button(page, 'Choose a file…').click(),
    );
    await nameIt(app, 'holiday');
    await button(page, 'Restore this backup').click();
    await expect(page.getByText('42 % rescanned')).toBeVisible();
    await node.cut();
    await page.getByRole('button', { name: 'Stop waiting' }).waitFor();
    await take(app, 'line-lost');
    await button(page, 'Stop waiting').click();
    await heading(page, 'It is not known whether the wallet was restored', 2).waitFor();
    await take(app, 'outcome-unknown');
  });
}
