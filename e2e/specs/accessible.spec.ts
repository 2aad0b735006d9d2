/** Every place and every state of it, looked at by axe in both themes. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectAccessible } from '../app/axe.ts';
import {
  button,
  chooseBackup,
  connect,
  connectByHand,
  foundNode,
  goTo,
  heading,
  nameIt,
  next,
  prepareMigration,
  walletRow,
} from '../app/steps.ts';
import { type App, expect, fixtureFile, fixturePassphrase, type Scenario, test } from '../app.ts';

test.setTimeout(120_000);

/** The page is the same in both entries: in the desktop one a part of it shows that. */
const IN_BOTH = ['connecting', 'migrations that are stopped or lose something', 'looking into files'];
test.beforeEach(({ entry }, { title }) => {
  test.skip(entry === 'electron' && !IN_BOTH.includes(title), 'looked at in the browser entry');
});

/** The engine truly derives thousands of scripts: on a busy machine that takes its time. */
const LONG = { timeout: 60_000 };
const HELD: Scenario = { rescan: { shares: [0.42], ms: 100, hold: true } };
const RESCANNED = /42\u00a0% rescanned/;
const ENCRYPTED = 'legacy-hd-encrypted';

test('connecting', async ({ openApp, startNode }) => {
  const app = await openApp();
  const { page } = app;
  await page.getByText('No node was found on this computer').waitFor();
  await expectAccessible(app, 'Connect, nothing found');
  await goTo(app, 'Wallets');
  await page.getByText('There is no node yet').waitFor();
  await expectAccessible(app, 'Wallets, no node');
  await goTo(app, 'Restore a backup');
  await page.getByText('There is no node yet').waitFor();
  await expectAccessible(app, 'Restore, no node');
  await goTo(app, 'Activity');
  await page.getByText('Nothing yet.', { exact: false }).waitFor();
  await expectAccessible(app, 'Activity, empty');

  await goTo(app, 'Node');
  await page.getByLabel('Host').fill('node.example');
  await page.getByLabel('Port').fill('none');
  await button(page, 'Connect by hand').click();
  await page.getByText('This connection is not encrypted').waitFor();
  await expectAccessible(app, 'Connect by hand, cookie file, problems');
  await connectByHand(app, { host: '127.0.0.1', port: 1, user: 'ana', password: 'none' });
  await page.getByRole('alert').waitFor();
  await expectAccessible(app, 'Connect by hand, password, refused');

  const node = await startNode('31.0', {
    blockFilters: 'building',
    pruneHeight: 12,
    initialBlockDownload: true,
    nodeWarnings: ['Mind the gap'],
  });
  node.setStarting('Loading block index…');
  await button(page, 'Look again').click();
  await expect(foundNode(app, node)).toContainText('Loading block index…');
  await expectAccessible(app, 'Connect, a node that starts');
  await button(foundNode(app, node), 'Connect').click();
  await page.getByRole('status', { name: 'Connection' }).getByText('is starting up').waitFor();
  await expectAccessible(app, 'Banner, the node starts');
  node.setStarting(null);
  await walletRow(app, 'savings').waitFor();
  await goTo(app, 'Node');
  await connectByHand(app, { port: node.port, cookieFile: node.cookieFile });
  await heading(page, 'Wallets').waitFor();
  await goTo(app, 'Node');
  await foundNode(app, node).getByText('Mind the gap').waitFor();
  await page.getByRole('list', { name: 'Remembered nodes' }).waitFor();
  await expectAccessible(app, 'Connect, found, in use and remembered');
});

test('the list of wallets', async ({ openApp, startNode, home }) => {
  const many = await startNode('28.1', { loaded: ['savings', 'legacy-hd'], manyWallets: 496 });
  const few = await startNode('31.0', {}, 'few');
  const none = await startNode('31.0', { wallets: {} }, 'none');
  const app = await openApp();
  const { page } = app;
  await connect(app, many);
  await page.getByText('500 wallets').first().waitFor();
  await expectAccessible(app, 'Wallets, many');
  await page.getByLabel('Find a wallet').fill('no such wallet');
  await expect(page.getByRole('listitem', { name: 'savings' })).toHaveCount(0);
  await expectAccessible(app, 'Wallets, none that is sought');
  await page.getByLabel('Find a wallet').fill('');
  await button(walletRow(app, 'savings'), 'Back up').click();
  await heading(page, 'Back up a wallet').waitFor();
  await expectAccessible(app, 'Back up, before');
  await app.pickFile(join(home, 'new.bak'), () => button(page, 'Choose where…').click());
  await heading(page, 'The backup is made', 2).waitFor();
  await expectAccessible(app, 'Back up, done');
  for (const [node, name] of [
    [few, 'few'],
    [none, 'empty'],
  ] as const) {
    await goTo(app, 'Node');
    await connectByHand(app, { port: node.port, cookieFile: node.cookieFile });
    await heading(page, 'Wallets').waitFor();
    if (name === 'few') await walletRow(app, ENCRYPTED).waitFor();
    else await page.getByText('This node has no wallets yet').waitFor();
    await expectAccessible(app, `Wallets, ${name}`);
  }
});

test('restoring, the bar and the activity', async ({ openApp, startNode }) => {
  const node = await startNode('28.1', { ...HELD, restoreWarnings: ['Mind the gap'] });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await goTo(app, 'Restore a backup');
  await heading(page, 'Backup', 2).waitFor();
  await expectAccessible(app, 'Restore 1, nothing chosen');
  await chooseBackup(app, join(node.backupsFolder, 'notes.txt'));
  await page.getByText('This is not a Bitcoin Core wallet', { exact: true }).waitFor();
  await expectAccessible(app, 'Restore 1, not a wallet');
  await chooseBackup(app, fixtureFile('legacy-hd'));
  await page.getByText(/^[0-9a-f]{64}$/).waitFor();
  await expectAccessible(app, 'Restore 1, a legacy wallet');
  await next(app);
  await page.getByLabel('Wallet name').fill('savings');
  await page.getByRole('alert').waitFor();
  await expectAccessible(app, 'Restore 2, the name is taken');
  await page.getByLabel('Wallet name').fill('holiday');
  await next(app);
  await button(page, 'Look again').waitFor();
  await expectAccessible(app, 'Restore 3, review');
  await button(page, 'Restore this backup').click();
  await page.getByText(RESCANNED).waitFor();
  await page.getByText('Log', { exact: true }).click();
  await expectAccessible(app, 'Restore 4, running with its log');
  await goTo(app, 'Wallets');
  await page.getByRole('status', { name: 'Running operation' }).waitFor();
  await expectAccessible(app, 'Bar, running');
  node.letGo();
  await page.getByRole('status', { name: 'Ended operation' }).waitFor();
  await expectAccessible(app, 'Bar, ended');
  await button(page, 'Open the result').click();
  await heading(page, 'The wallet is restored', 2).waitFor();
  await expectAccessible(app, 'Restore 5, done');

  await chooseBackup(app, join(node.backupsFolder, 'truncated.bak'));
  await nameIt(app, 'cut off');
  await button(page, 'Restore this backup').click();
  await heading(page, 'The wallet was not restored', 2).waitFor();
  await expectAccessible(app, 'Restore 5, failed');
  await goTo(app, 'Activity');
  await button(page, 'Report').first().click();
  await page.getByLabel('Report for asking for help').waitFor();
  await expectAccessible(app, 'Activity, operations and a report');
});

test('a line that is lost', async ({ openApp, startNode }) => {
  const node = await startNode('28.1', HELD);
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await chooseBackup(app, join(node.backupsFolder, 'descriptor.bak'));
  await nameIt(app, 'lost');
  await button(page, 'Restore this backup').click();
  await page.getByText(RESCANNED).waitFor();
  await node.cut();
  await button(page, 'Stop waiting').waitFor();
  await page.getByRole('status', { name: 'Connection' }).getByText('does not answer').waitFor(LONG);
  await expectAccessible(app, 'Banner and running, the line is lost');
  await button(page, 'Stop waiting').click();
  await heading(page, 'It is not known whether the wallet was restored', 2).waitFor();
  await expectAccessible(app, 'Restore 5, outcome not known');
});

test('the file dialog', async ({ openApp, startNode }) => {
  const node = await startNode('28.1', { loaded: ['savings'] });
  const app = await openApp();
  const { page } = app;
  const dialog = page.getByRole('dialog');
  await button(page, 'Choose another folder…').click();
  await button(dialog, 'Go').waitFor();
  await expectAccessible(app, 'File dialog, a folder');
  await page.keyboard.press('Escape');
  await connect(app, node);
  await goTo(app, 'Restore a backup');
  await button(page, 'Choose a file…').click();
  await dialog.getByRole('option').first().waitFor();
  await dialog.getByLabel('Folder', { exact: true }).fill(node.backupsFolder);
  await button(dialog, 'Go').click();
  await dialog.getByRole('option').filter({ hasText: 'descriptor.bak' }).click();
  await expectAccessible(app, 'File dialog, a file');
  await page.keyboard.press('Escape');
  await goTo(app, 'Wallets');
  await button(walletRow(app, 'savings'), 'Back up').click();
  await button(page, 'Choose where…').click();
  await dialog.getByLabel('Folder', { exact: true }).fill(join(node.backupsFolder, 'not-there'));
  await button(dialog, 'Save here').click();
  await dialog.getByRole('alert').waitFor();
  await expectAccessible(app, 'File dialog, to save, a folder that is not there');
});

test('migrating', async ({ openApp, startNode, home }) => {
  const node = await startNode('31.0', HELD);
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await button(walletRow(app, ENCRYPTED), 'Migrate').click();
  await checked(app);
  await button(page, 'Back').click();
  await heading(page, 'Wallet', 2).waitFor();
  await page.getByRole('region', { name: 'What is in the file' }).waitFor();
  await expectAccessible(app, 'Migrate 1, wallet');
  await next(app);
  await checked(app);
  await expectAccessible(app, 'Migrate 2, check');
  await next(app);
  await next(app);
  await page.getByRole('alert').waitFor();
  await expectAccessible(app, 'Migrate 3, no passphrase');
  const field = page.getByLabel('Passphrase', { exact: true });
  await field.fill('not the passphrase');
  await button(page, 'Try this passphrase').click();
  await page.getByText('You can go on with it all the same', { exact: false }).waitFor(LONG);
  await expectAccessible(app, 'Migrate 3, tried and wrong');
  await next(app);
  await page.getByText('This passphrase does not open the wallet’s file').waitFor();
  await expectAccessible(app, 'Migrate 4, review of a wrong passphrase');
  await button(page, 'Migrate this wallet').click();
  await page.getByRole('alert').filter({ hasText: 'The passphrase is not right' }).waitFor();
  await expectAccessible(app, 'Migrate 3, refused');
  await field.fill(fixturePassphrase(ENCRYPTED));
  await next(app);
  await button(page, 'Migrate this wallet').click();
  await page.getByText(RESCANNED).waitFor();
  await expectAccessible(app, 'Migrate 5, running');
  node.letGo();
  await heading(page, 'The wallet is migrated', 2).waitFor();

  await goTo(app, 'Wallets');
  await prepareMigration(app, 'legacy-watchonly');
  await button(page, 'Rehearse on a copy').click();
  await page.getByText('The rehearsal is done', { exact: false }).waitFor(LONG);
  const rehearsed = page.getByRole('region', { name: 'Rehearsal' });
  for (const summary of await rehearsed.locator('summary').all()) await summary.click();
  await expectAccessible(app, 'Migrate 4, review with a rehearsal');
  await button(page, 'Migrate this wallet').click();
  await heading(page, 'The wallet is migrated', 2).waitFor();
  await expectAccessible(app, 'Migrate 6, proof');
  await button(page, 'Make a new backup').click();
  await heading(page, 'New backup', 2).waitFor();
  await expectAccessible(app, 'Migrate 7, new backup');
  const row = page.getByRole('list', { name: 'Backups to make' }).getByRole('listitem').first();
  await app.pickFile(join(home, 'new.bak'), () => button(row, 'Choose where…').click());
  await expect(row).toContainText(/[0-9a-f]{64}/);
  await expectAccessible(app, 'Migrate 7, new backup made');
  await goTo(app, 'Activity');
  await page.getByRole('list', { name: 'Safety copies' }).waitFor();
  await page
    .getByText(/^Proof:/)
    .first()
    .click();
  await expectAccessible(app, 'Activity, a proof and safety copies');
  // The oldest, whose passphrase was refused.
  await button(page.getByRole('list', { name: 'Operations' }).getByRole('article').last(), 'Show').click();
  await heading(page, 'The wallet was not migrated', 2).waitFor();
  await expectAccessible(app, 'Migrate 5, failed');
});

test('migrations that are stopped or lose something', async ({ openApp, startNode }) => {
  const wallets = { '': ENCRYPTED, savings: 'descriptor-hd', 'legacy-hd': 'legacy-hd' } as const;
  const node = await startNode('30.0', { wallets, losesOnMigration: true });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await button(walletRow(app, 'Unnamed wallet'), 'Migrate').click();
  await button(page, 'Use the safe way').waitFor();
  await expectAccessible(app, 'Migrate 2, stopped');
  await button(page, 'Use the safe way').click();
  await page.getByLabel('Wallet name').fill('a/b');
  await page.getByRole('alert').waitFor();
  await expectAccessible(app, 'Migrate 2, a new name that cannot be');
  await goTo(app, 'Wallets');
  await prepareMigration(app, 'legacy-hd');
  await button(page, 'Migrate this wallet').click();
  await heading(page, 'The wallet is migrated', 2).waitFor();
  await page.getByText(/^Scripts that are missing/).click();
  await expectAccessible(app, 'Migrate 6, something differs');
});

test('restoring and migrating in one go', async ({ openApp, startNode }) => {
  const node = await startNode('31.0', { wallets: { savings: 'descriptor-hd' } });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await chooseBackup(app, fixtureFile(ENCRYPTED));
  await page.getByText(/^[0-9a-f]{64}$/).waitFor();
  await expectAccessible(app, 'In one go 1, backup');
  await next(app);
  await page.getByLabel('Wallet name').fill('old one');
  await expectAccessible(app, 'In one go 2, new name');
  const give = async (passphrase: string) => {
    await heading(page, 'Passphrase', 2).waitFor();
    await page.getByLabel('Passphrase', { exact: true }).fill(passphrase);
    await next(app);
    await button(page, 'Look again').waitFor();
  };
  await next(app);
  await give('not the passphrase');
  await expectAccessible(app, 'In one go 4, review');
  await button(page, 'Restore and migrate').click();
  await page.getByRole('alert').waitFor();
  await expectAccessible(app, 'In one go 3, passphrase refused');
  await chooseBackup(app, fixtureFile('legacy-watchonly'));
  await next(app);
  await next(app);
  await button(page, 'Restore and migrate').click();
  await heading(page, 'The wallet is restored and migrated', 2).waitFor();
  await expectAccessible(app, 'In one go 5, done');

  // Where the node does not tell its wallets folder.
  rmSync(node.logPath);
  await goTo(app, 'Node');
  await button(page, 'Disconnect').click();
  await connect(app, node);
  await chooseBackup(app, fixtureFile('legacy-hd'));
  await button(page, 'Work without a node').waitFor();
  await expectAccessible(app, 'In one go 1, not possible here');
});

test('migrating several', async ({ openApp, startNode }) => {
  const node = await startNode('28.1', HELD);
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await button(page, 'Migrate several…').click();
  await heading(page, 'Migrate several wallets').waitFor();
  await button(page, 'Choose all').click();
  await expectAccessible(app, 'Several 1, choose');
  await next(app);
  await page.getByText('3 wallets can be migrated').waitFor();
  await page
    .getByText(/^Its \d+ checks?$/)
    .first()
    .click();
  await expectAccessible(app, 'Several 2, checks');
  await next(app);
  await next(app);
  await page.getByRole('alert').waitFor();
  await expectAccessible(app, 'Several 3, passphrases');
  await page.getByLabel(`Passphrase of ${ENCRYPTED}`, { exact: true }).fill('not the passphrase');
  await next(app);
  await page.getByRole('list', { name: 'Wallets to migrate, in this order' }).waitFor();
  await expectAccessible(app, 'Several 4, review');
  await button(page, 'Migrate 3 wallets').click();
  await page.getByText(RESCANNED).waitFor();
  await expectAccessible(app, 'Several 5, running');
  await goTo(app, 'Wallets');
  await page.getByText('Migration of several wallets').waitFor();
  await expectAccessible(app, 'Wallets, a queue');
  await button(page.getByRole('main'), 'Show').click();
  node.letGo();
  await heading(page, '1 of 3 wallets is migrated', 2).waitFor(LONG);
  for (const summary of await page.getByRole('main').locator('summary').all()) await summary.click();
  await expectAccessible(app, 'Several 5, done');
});

test('looking into files', async ({ openApp, home }) => {
  const app = await openApp();
  const { page } = app;
  await goTo(app, 'Inspect a file');
  await heading(page, 'Inspect a file').waitFor();
  await expectAccessible(app, 'Inspect, nothing chosen');
  const inspect = async (file: string) => {
    await goTo(app, 'Inspect a file');
    await app.pickFile(file, () => button(page, 'Choose a file…').click());
  };
  const copied = (name: 'descriptor-hd' | 'descriptor-encrypted' | 'legacy-hd' | 'legacy-imported') => {
    const file = join(home, `${name}.dat`);
    copyFileSync(fixtureFile(name), file);
    return file;
  };
  const exporting = page.getByRole('form', { name: 'Export descriptors' });

  await inspect(copied('descriptor-hd'));
  await app.pickFile(join(home, 'public.json'), () => button(exporting, 'Export…').click());
  await exporting.getByText('descriptors exported', { exact: false }).waitFor();
  await page.locator('summary').click();
  await expectAccessible(app, 'Inspect, a descriptor wallet, exported');

  await inspect(copied('descriptor-encrypted'));
  const trying = page.getByRole('form', { name: 'Try the passphrase' });
  await trying.getByLabel('Passphrase', { exact: true }).fill('wrong');
  await button(trying, 'Try it').click();
  await trying.getByText('The passphrase is not right').waitFor(LONG);
  await exporting.getByRole('radio', { name: 'With private keys' }).check();
  await exporting.getByRole('checkbox', { name: /^I understand/ }).check();
  await button(exporting, 'Export…').click();
  await exporting.getByRole('alert').waitFor();
  await expectAccessible(app, 'Inspect, encrypted, a private export without its passphrase');

  await inspect(copied('legacy-imported'));
  const openers = page.getByRole('button', { name: /^Show all/ });
  await openers.first().waitFor();
  while (await openers.first().isVisible()) await openers.first().click();
  await expectAccessible(app, 'Inspect, a legacy wallet with long lists');

  const whole = readFileSync(copied('legacy-hd'));
  const cut = join(home, 'cut.dat');
  writeFileSync(cut, whole.subarray(0, Math.floor(whole.length / 2)));
  await inspect(cut);
  await page.getByText('A part of this file cannot be read', { exact: true }).waitFor();
  await expectAccessible(app, 'Inspect, cut off');
  const picture = join(home, 'picture.png');
  writeFileSync(picture, Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
  await inspect(picture);
  await page.getByText('This is not a Bitcoin Core wallet').waitFor();
  await expectAccessible(app, 'Inspect, no wallet');
});

test('the guide', async ({ openApp, home }) => {
  const app = await openApp();
  const { page } = app;
  await goTo(app, 'Guide');
  const answer = (label: string) => page.getByRole('radio', { name: label, exact: true }).check();
  for (const label of ['I am still looking for it', 'On another computer']) {
    await answer(label);
    await expectAccessible(app, `Guide, ${label}`);
  }
  await answer('On this computer, or on a stick or disk that is plugged in');
  const file = join(home, 'wallet.dat');
  copyFileSync(fixtureFile(ENCRYPTED), file);
  await app.pickFile(file, () => button(page, 'Choose a file…').click());
  for (const label of ['No', 'I am not sure which it is']) {
    await answer(label);
    await expectAccessible(app, `Guide, a passphrase: ${label}`);
  }
});

test('the offline engine', async ({ openApp }) => {
  const app = await openApp();
  const { page } = app;
  const folder = join(app.dataFolder, 'offline', 'regtest', 'wallets');
  mkdirSync(join(folder, 'savings'), { recursive: true });
  copyFileSync(fixtureFile('descriptor-hd'), join(folder, 'savings', 'wallet.dat'));
  const offer = page.getByRole('region', { name: 'Work without a node' });
  await offer.getByLabel('Network').selectOption('Regtest');
  await button(offer, 'Work without a node').click();
  await walletRow(app, 'savings').waitFor();
  await expectAccessible(app, 'Wallets, without a node');
  process.kill(JSON.parse(readFileSync(join(folder, '.wallet-ferry-engine.lock'), 'utf8')).pid, 'SIGKILL');
  await page.getByRole('status', { name: 'Connection' }).getByText('has stopped').waitFor(LONG);
  await expectAccessible(app, 'Banner, the engine has stopped');
  await goTo(app, 'Node');
  await expectAccessible(app, 'Connect, the engine has stopped');
});

/** The checks of a migration are made, and the file is looked into. */
async function checked({ page }: App): Promise<void> {
  await heading(page, 'Check', 2).waitFor();
  await expect(page.getByRole('region', { name: 'Checks' }).getByRole('status')).toContainText('stop');
  await page.getByRole('region', { name: 'What is in the file' }).waitFor();
}
