/** The jobs on the real node that `BITCOIND` names, of release 28 or later. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  button,
  chooseBackup,
  connectByHand,
  copyPath,
  goTo,
  nameWallet,
  prepareMigration,
  run,
  saveBackups,
  startMigration,
  startRestore,
  verdict,
  walletAction,
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

test('finds the node, loads a wallet and shows its balance', async ({ openApp, node }) => {
  const app = await openApp();
  await goTo(app, 'Node');
  await button(app.page.getByRole('list', { name: 'Nodes on this computer' }), 'Connect').click();
  await expect(walletRow(app, 'savings')).toContainText('Descriptor');
  await expect(walletRow(app, 'legacy-hd')).toContainText('Legacy');
  await button(walletRow(app, 'savings'), 'Load').click();
  await expect(walletRow(app, 'savings')).toContainText('9.300');
  await walletAction(app, 'savings', 'Unload');
  await expect(walletRow(app, 'savings')).toContainText('Not loaded');
  expect(await node.call('listwallets')).toEqual([]);
});

test('restores a descriptor backup', async ({ openApp, node, home }) => {
  const app = await openApp();
  const file = join(home, 'descriptor.bak');
  await copyFile(fixtureFile('descriptor-encrypted'), file);
  await connectByHand(app, { port: node.port, cookieFile: node.cookieFile });
  await startRestore(app, file, 'restored 💰');
  await expect(verdict(app)).toContainText('Everything arrived');
  await expect(app.page.getByRole('main')).toContainText(/9\.300.000.00/);
  await goTo(app, 'All wallets');
  await expect(walletRow(app, 'restored 💰')).toContainText('Encrypted');
  expect(await node.call('listwallets')).toEqual(['restored 💰']);
});

test('restores a legacy backup, and migrates it in the same job if the release cannot load it', async ({
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
    await nameWallet(app, 'old one');
    await run(app, 'Migrate');
    await expect(verdict(app)).toContainText('Everything arrived');
    expect(readFileSync(file)).toEqual(readFileSync(fixtureFile('legacy-hd')));
  } else {
    await startRestore(app, file, 'old one');
    await expect(verdict(app)).toHaveText('Restored. Now migrate it.');
    await expect(app.page.getByText(/The legacy wallet type is being deprecated/)).toBeVisible();
  }
});

test('migrates to three kinds of wallets, and proves their backups', async ({ openApp, node, home }) => {
  const app = await openApp();
  const { page } = app;
  await connectByHand(app, { port: node.port, cookieFile: node.cookieFile });
  for (const [name, other] of [
    ['legacy-watchonly', 'legacy-watchonly_watchonly'],
    ['legacy-solvable', 'legacy-solvable_solvables'],
  ] as const) {
    await goTo(app, 'All wallets');
    await startMigration(app, name);
    await expect(verdict(app)).toContainText('Everything arrived');
    const newWallets = page.getByRole('list', { name: 'New wallets' }).getByRole('listitem');
    await expect(newWallets).toHaveText([new RegExp(name), new RegExp(other)]);
    expect(readFileSync(await copyPath(app, 'The old wallet’s backup'))).toEqual(
      readFileSync(fixtureFile(name)),
    );
    const folder = join(home, `backups of ${name}`);
    mkdirSync(folder);
    await saveBackups(app, folder);
    await page.getByText('2 of 2 backed up').click();
    for (const [index, wallet] of [name, other].entries()) {
      const file = readdirSync(folder).find((one) => one.startsWith(`${wallet} `)) ?? '';
      const hash = createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex');
      await newWallets.nth(index).getByText('Size and SHA-256').click();
      await expect(newWallets.nth(index)).toContainText(hash);
    }
    await goTo(app, 'All wallets');
    await expect(walletRow(app, name)).toContainText('Descriptor');
  }
});

test('migrates an encrypted wallet once the passphrase is right', async ({ openApp, node }) => {
  const name = 'legacy-hd-encrypted';
  const app = await openApp();
  const { page } = app;
  await connectByHand(app, { port: node.port, cookieFile: node.cookieFile });
  await prepareMigration(app, name, 'wrong');
  await expect(page.getByRole('alert')).toContainText('Wrong passphrase');
  await page.getByLabel('Passphrase', { exact: true }).fill(fixturePassphrase(name));
  await run(app, 'Migrate');
  await expect(verdict(app)).toContainText('Everything arrived');
  await goTo(app, 'All wallets');
  await expect(walletRow(app, name)).toContainText('Encrypted');
  await expect(walletRow(app, name)).toContainText('Descriptor');
});

test('restores the backup of a migrated wallet with the same balance', async ({ openApp, node, home }) => {
  const app = await openApp();
  const { page } = app;
  await connectByHand(app, { port: node.port, cookieFile: node.cookieFile });
  await startMigration(app, 'legacy-hd');
  const folder = join(home, 'backups');
  mkdirSync(folder);
  await saveBackups(app, folder);
  await expect(verdict(app)).toHaveText('Safe and backed up.');
  await startRestore(app, join(folder, readdirSync(folder)[0] ?? ''), 'round trip');
  await expect(verdict(app)).toContainText('Everything arrived');
  await expect(page.getByRole('main')).toContainText(/8\.599.971.80/);
});

test('continues with the node after its restart', async ({ openApp, node, home }) => {
  const app = await openApp();
  const file = join(home, 'descriptor.bak');
  await copyFile(fixtureFile('descriptor-hd'), file);
  await connectByHand(app, { port: node.port, cookieFile: node.cookieFile });
  await expect(walletRow(app, 'savings')).toBeVisible();
  await node.stop();
  const banner = app.page.getByRole('status', { name: 'Connection' });
  await expect(banner).toContainText('Disconnected');
  await node.start();
  await expect(banner).toBeEmpty();
  await startRestore(app, file, 'after');
  await expect(verdict(app)).toContainText('Everything arrived');
});
