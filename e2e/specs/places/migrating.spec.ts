/** Migrating one wallet and several, with what can go wrong, and what comes after. */
import { join } from 'node:path';
import { say } from '../../../shared/text/say.ts';
import { lookAt } from '../../app/lookAt.ts';
import {
  button,
  checksAreMade,
  connect,
  goTo,
  heading,
  next,
  prepareMigration,
  shown,
  startMigration,
  walletRow,
} from '../../app/steps.ts';
import { IN_BOTH, test } from '../../app/walk.ts';
import { expect, fixturePassphrase, type Scenario } from '../../app.ts';

/** The engine truly derives thousands of scripts: on a busy machine that takes its time. */
const LONG = { timeout: 60_000 };
const HELD: Scenario = { rescan: { shares: [0.42], ms: 100, hold: true } };
const ENCRYPTED = 'legacy-hd-encrypted';

test('migrating', async ({ openApp, startNode, home }) => {
  const node = await startNode('31.0', HELD);
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await button(walletRow(app, ENCRYPTED), 'Migrate').click();
  await checksAreMade(app);
  await button(page, 'Back').click();
  await heading(page, 'Wallet', 2).waitFor();
  await page.getByRole('region', { name: say('What is in the file') }).waitFor();
  await lookAt(app, 'Migrate 1, wallet');
  await next(app);
  await checksAreMade(app);
  await lookAt(app, 'Migrate 2, check');
  await next(app);
  await next(app);
  await page.getByRole('alert').waitFor();
  await lookAt(app, 'Migrate 3, no passphrase');
  const field = page.getByLabel(say('Passphrase'), { exact: true });
  await field.fill('not the passphrase');
  await button(page, 'Try this passphrase').click();
  await shown(
    page,
    'You can go on with it all the same. The migration will most likely be refused, and the wallet stays as it is.',
  ).waitFor(LONG);
  await lookAt(app, 'Migrate 3, tried and wrong');
  await next(app);
  await shown(page, 'This passphrase does not open the wallet’s file').waitFor();
  await lookAt(app, 'Migrate 4, review of a wrong passphrase');
  await button(page, 'Migrate this wallet').click();
  const refused = page.getByRole('alert').filter({ hasText: say('The passphrase is not right') });
  await refused.waitFor();
  await lookAt(app, 'Migrate 3, refused');
  await field.fill(fixturePassphrase(ENCRYPTED));
  await next(app);
  await button(page, 'Migrate this wallet').click();
  await shown(page, '{percent} rescanned', { percent: '42 %' }).waitFor();
  await lookAt(app, 'Migrate 5, running');
  node.letGo();
  await heading(page, 'The wallet is migrated', 2).waitFor();

  await goTo(app, 'Wallets');
  await prepareMigration(app, 'legacy-watchonly');
  await button(page, 'Rehearse on a copy').click();
  const rehearsed = page.getByRole('region', { name: say('Rehearsal') });
  await button(rehearsed, 'Rehearse again on a copy').waitFor(LONG);
  for (const summary of await rehearsed.locator('summary').all()) await summary.click();
  await lookAt(app, 'Migrate 4, review with a rehearsal');
  await button(page, 'Migrate this wallet').click();
  await heading(page, 'The wallet is migrated', 2).waitFor();
  await lookAt(app, 'Migrate 6, proof');
  await button(page, 'Make a new backup').click();
  await heading(page, 'New backup', 2).waitFor();
  await lookAt(app, 'Migrate 7, new backup');
  const row = page
    .getByRole('list', { name: say('Backups to make') })
    .getByRole('listitem')
    .first();
  await app.pickFile(join(home, 'new.bak'), () => button(row, 'Choose where…').click());
  await expect(row).toContainText(/[0-9a-f]{64}/);
  await lookAt(app, 'Migrate 7, new backup made');
  await goTo(app, 'Activity');
  await page.getByRole('list', { name: say('Safety copies') }).waitFor();
  const operations = page.getByRole('list', { name: say('Operations') }).getByRole('article');
  await shown(operations, 'Proof: everything arrived').first().click();
  await lookAt(app, 'Activity, a proof and safety copies');
  // The oldest, whose passphrase was refused.
  await button(operations.last(), 'Show').click();
  await heading(page, 'The wallet was not migrated', 2).waitFor();
  await lookAt(app, 'Migrate 5, failed');
});

test('migrations that are stopped or lose something', IN_BOTH, async ({ openApp, startNode }) => {
  const wallets = { '': ENCRYPTED, savings: 'descriptor-hd', 'legacy-hd': 'legacy-hd' } as const;
  const node = await startNode('30.0', { wallets, losesOnMigration: true });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await button(walletRow(app, say('Unnamed wallet')), 'Migrate').click();
  await button(page, 'Use the safe way').waitFor();
  await lookAt(app, 'Migrate 2, stopped');
  await button(page, 'Use the safe way').click();
  await page.getByLabel(say('Wallet name')).fill('a/b');
  await page.getByRole('alert').waitFor();
  await lookAt(app, 'Migrate 2, a new name that cannot be');
  await goTo(app, 'Wallets');
  await prepareMigration(app, 'legacy-hd');
  await button(page, 'Migrate this wallet').click();
  await heading(page, 'The wallet is migrated', 2).waitFor();
  await shown(page, 'Scripts that are missing').click();
  await lookAt(app, 'Migrate 6, something differs');
});

test('a migration that was done, and whose node was stopped before it said so', async ({
  openApp,
  startNode,
}) => {
  const node = await startNode('31.0', { holdAt: 'Loading new wallets' });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await startMigration(app, 'legacy-watchonly');
  await node.standsStill();
  await node.kill();
  await page.getByRole('main').getByText(say('The line to the node is lost')).waitFor();
  await node.restart();
  await heading(page, 'The wallet is migrated', 2).waitFor(LONG);
  const title = say('{count, plural, one {The wallet is not loaded} other {The wallets are not loaded}}', {
    count: 2,
  });
  await page.getByText(title).waitFor();
  await lookAt(app, 'Migrate 6, not loaded');
  const parts = page.getByRole('list', { name: say('Wallets that came of the migration') });
  await button(
    page,
    say('{count, plural, one {Load the wallet} other {Load the wallets}}', { count: 2 }),
  ).click();
  await expect(page.getByText(title)).toHaveCount(0);
  await expect(parts.getByRole('listitem').first()).toContainText(/\d\srBTC/);
  expect(node.countCalls('migratewallet')).toBe(1);
});

test('migrating several', async ({ openApp, startNode }) => {
  const node = await startNode('28.1', HELD);
  const app = await openApp();
  const { page } = app;
  const checks = page.getByRole('main').locator('summary');
  await connect(app, node);
  await button(page, 'Migrate several…').click();
  await heading(page, 'Migrate several wallets').waitFor();
  await button(page, 'Choose all').click();
  await lookAt(app, 'Several 1, choose');
  await next(app);
  await shown(page, '{count, plural, one {# wallet can be migrated} other {# wallets can be migrated}}', {
    count: 3,
  }).waitFor();
  await checks.first().click();
  await lookAt(app, 'Several 2, checks');
  await next(app);
  await next(app);
  await page.getByRole('alert').waitFor();
  await lookAt(app, 'Several 3, passphrases');
  const field = page.getByLabel(say('Passphrase of {wallet}', { wallet: ENCRYPTED }), { exact: true });
  await field.fill('not the passphrase');
  await next(app);
  await page.getByRole('list', { name: say('Wallets to migrate, in this order') }).waitFor();
  await lookAt(app, 'Several 4, review');
  await button(
    page,
    say('{count, plural, one {Migrate # wallet} other {Migrate # wallets}}', { count: 3 }),
  ).click();
  await shown(page, '{percent} rescanned', { percent: '42 %' }).waitFor();
  await lookAt(app, 'Several 5, running');
  await button(page, 'Stop after this one').click();
  await shown(page, 'The queue was stopped before its turn').first().waitFor();
  await lookAt(app, 'Several 5, stopped');
  await goTo(app, 'Wallets');
  await page.getByRole('region', { name: say('Migration of several wallets') }).waitFor();
  await lookAt(app, 'Wallets, a queue');
  await button(page.getByRole('main'), 'Show').click();
  node.letGo();
  const done = say(
    '{done, plural, one {# of {all, number} wallets is migrated} other {# of {all, number} wallets are migrated}}',
    { done: 1, all: 3 },
  );
  await heading(page, done, 2).waitFor(LONG);
  for (const summary of await page.getByRole('main').locator('summary').all()) await summary.click();
  await lookAt(app, 'Several 5, done');
  await button(page, 'Proof and new backup').click();
  await button(page, 'Undo this migration…').waitFor();
  await lookAt(app, 'Migrate 6, with a way back');
});
