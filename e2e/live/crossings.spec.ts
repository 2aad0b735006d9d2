/** The crossings on a real node: `BITCOIND` names one of release 28 or later. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  button,
  chooseBackup,
  connectByHand,
  goTo,
  heading,
  next,
  startMigration,
  startRestore,
  walletRow,
} from '../app/steps.ts';
import { test as base, expect, fixtureFile, fixturePassphrase } from '../app.ts';
import { type RealNode, startRealNode } from './realNode.ts';

const test = base.extend<{ node: RealNode }>({
  node: async ({ home }, use) => {
    const node = await startRealNode(join(home, '.bitcoin'), {
      savings: 'descriptor-hd',
      'legacy-hd': 'legacy-hd',
      'legacy-hd-encrypted': 'legacy-hd-encrypted',
      'legacy-watchonly': 'legacy-watchonly',
      'legacy-solvable': 'legacy-solvable',
    });
    await use(node);
    await node.stop();
  },
});

test.skip(!process.env.BITCOIND, 'BITCOIND names no bitcoind');

test('finds the node, loads a wallet and knows its balance', async ({ openApp, node }) => {
  const app = await openApp();
  await button(app.page.getByRole('list', { name: 'Nodes on this computer' }), 'Connect').click();
  await expect(walletRow(app, 'savings')).toContainText('Descriptor');
  await expect(walletRow(app, 'legacy-hd')).toContainText('Legacy');
  await button(walletRow(app, 'savings'), 'Load').click();
  await expect(walletRow(app, 'savings')).toContainText('9.300');
  await button(walletRow(app, 'savings'), 'Unload').click();
  await expect(walletRow(app, 'savings')).toContainText('Not loaded');
  expect(await node.call('listwallets')).toEqual([]);
});

test('restores a descriptor backup', async ({ openApp, node, home }) => {
  const app = await openApp();
  const file = join(home, 'descriptor.bak');
  await copyFile(fixtureFile('descriptor-encrypted'), file);
  await connectByHand(app, { port: node.port, cookieFile: node.cookieFile });
  await startRestore(app, file, 'brought back 💰');
  await expect(heading(app.page, 'The wallet is restored', 2)).toBeVisible();
  await expect(app.page.getByText(/9\.300.000.00/)).toBeVisible();
  await button(app.page, 'To the wallets').click();
  await expect(walletRow(app, 'brought back 💰')).toContainText('Encrypted');
  expect(await node.call('listwallets')).toEqual(['brought back 💰']);
});

test('restores a legacy backup, and migrates it in the same go where this release cannot load it', async ({
  openApp,
  node,
  home,
}) => {
  const app = await openApp();
  const file = join(home, 'legacy.bak');
  await copyFile(fixtureFile('legacy-hd'), file);
  await connectByHand(app, { port: node.port, cookieFile: node.cookieFile });
  if (node.version >= 300_000) {
    await chooseBackup(app, file);
    await expect(heading(app.page, 'Restore and migrate')).toBeVisible();
    await next(app);
    await app.page.getByLabel('Wallet name').fill('old one');
    await next(app);
    await button(app.page, 'Restore and migrate').click();
    await expect(heading(app.page, 'The wallet is restored and migrated', 2)).toBeVisible();
    expect(readFileSync(file)).toEqual(readFileSync(fixtureFile('legacy-hd')));
  } else {
    await startRestore(app, file, 'old one');
    await expect(heading(app.page, 'The wallet is restored', 2)).toBeVisible();
    await expect(app.page.getByText(/The legacy wallet type is being deprecated/)).toBeVisible();
  }
});

test('migrates into three kinds of wallets and proves new backups', async ({ openApp, node, home }) => {
  const app = await openApp();
  const { page } = app;
  await connectByHand(app, { port: node.port, cookieFile: node.cookieFile });
  for (const [name, other] of [
    ['legacy-watchonly', 'legacy-watchonly_watchonly'],
    ['legacy-solvable', 'legacy-solvable_solvables'],
  ] as const) {
    await goTo(app, 'Wallets');
    await startMigration(app, name);
    await expect(heading(page, 'The wallet is migrated', 2)).toBeVisible();
    await expect(
      page.getByRole('list', { name: 'Wallets that came of the migration' }).getByRole('listitem'),
    ).toHaveText([new RegExp(name), new RegExp(other)]);
    const group = page.getByRole('group', { name: 'Backup of the legacy wallet' });
    const path = (await group.locator('code').textContent()) ?? '';
    expect(readFileSync(path)).toEqual(readFileSync(fixtureFile(name)));
    await button(page, 'Make a new backup').click();
    const rows = page.getByRole('list', { name: 'Backups to make' }).getByRole('listitem');
    for (const [index, wallet] of [name, other].entries()) {
      const destination = join(home, `${wallet}.bak`);
      await app.pickFile(destination, () => button(rows.nth(index), 'Choose where…').click());
      await expect(rows.nth(index)).toContainText(/[0-9a-f]{64}/);
      const hash = createHash('sha256').update(readFileSync(destination)).digest('hex');
      await expect(rows.nth(index)).toContainText(hash);
    }
    await button(page, 'Finish').click();
    await expect(walletRow(app, name)).toContainText('Descriptor');
  }
});

test('migrates an encrypted wallet once the passphrase is right', async ({ openApp, node }) => {
  const name = 'legacy-hd-encrypted';
  const app = await openApp();
  const { page } = app;
  await connectByHand(app, { port: node.port, cookieFile: node.cookieFile });
  await startMigration(app, name, 'not it');
  await expect(page.getByRole('alert')).toContainText('The passphrase is not right');
  await page.getByLabel('Passphrase', { exact: true }).fill(fixturePassphrase(name));
  await button(page, 'Next').click();
  await button(page, 'Migrate this wallet').click();
  await expect(heading(page, 'The wallet is migrated', 2)).toBeVisible();
  await goTo(app, 'Wallets');
  await expect(walletRow(app, name)).toContainText('Encrypted');
  await expect(walletRow(app, name)).toContainText('Descriptor');
});

test('a restored backup of a migrated wallet holds what the wallet held', async ({ openApp, node, home }) => {
  const app = await openApp();
  const { page } = app;
  await connectByHand(app, { port: node.port, cookieFile: node.cookieFile });
  await startMigration(app, 'legacy-hd');
  await button(page, 'Make a new backup').click();
  const destination = join(home, 'new.bak');
  await app.pickFile(destination, () => button(page, 'Choose where…').click());
  await expect(page.getByText(/^[0-9a-f]{64}$/)).toBeVisible();
  await startRestore(app, destination, 'round trip');
  await expect(heading(page, 'The wallet is restored', 2)).toBeVisible();
  await expect(page.getByText(/8\.599.971.80/)).toBeVisible();
});

test('goes on with the node after it was started anew', async ({ openApp, node, home }) => {
  const app = await openApp();
  const file = join(home, 'descriptor.bak');
  await copyFile(fixtureFile('descriptor-hd'), file);
  await connectByHand(app, { port: node.port, cookieFile: node.cookieFile });
  await expect(walletRow(app, 'savings')).toBeVisible();
  await node.stop();
  const banner = app.page.getByRole('status', { name: 'Connection' });
  await expect(banner).toContainText('The node does not answer', { timeout: 30_000 });
  await node.start();
  await expect(banner).toBeEmpty({ timeout: 30_000 });
  await startRestore(app, file, 'after');
  await expect(heading(app.page, 'The wallet is restored', 2)).toBeVisible();
});
