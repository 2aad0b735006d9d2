/** The result of a migration: the comparison, the copies, and the undo. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Locator } from '@playwright/test';
import { factsOf } from '../../electron/walletfile/testing/wallets.ts';
import { filesBelow } from '../app/filesBelow.ts';
import {
  actionCard,
  button,
  connect,
  copyPath,
  goTo,
  heading,
  nameField,
  openDetails,
  otherJobs,
  planIsMade,
  RESCANNING,
  run,
  sidebar,
  startEngineThere,
  startMigration,
  verdict,
  walletRow,
} from '../app/steps.ts';
import { type App, expect, fixtureFile, test } from '../app.ts';

const proof = ({ page }: App): Locator => page.getByRole('region', { name: 'Proof', exact: true });
const row = (app: App, what: string): Locator => proof(app).getByRole('row').filter({ hasText: what });

/** From the result of a migration to the restored legacy wallet next to the new wallets. */
async function undo(app: App, backup: string): Promise<void> {
  const { page } = app;
  await page.getByText('Undo the migration').click();
  await button(page, 'Undo').click();
  await expect(verdict(app)).toContainText('Now migrate it');
  await expect(page.getByRole('group', { name: 'The backup' })).toContainText(backup);
}

async function bringBack(app: App, backup: string): Promise<void> {
  await expect(heading(app.page, 'Undo the migration', 2)).toBeVisible();
  await planIsMade(app);
  await expect(await nameField(app)).toHaveValue('legacy-hd (before migration)');
  await openDetails(app);
  await expect(app.page.getByText(backup, { exact: true }).first()).toBeVisible();
  await run(app, 'Undo');
  await expect(verdict(app)).toContainText('Now migrate it');
}

// On a release that loads no legacy wallet: `migrate.spec.ts`.
test('proves on 28.1 that everything arrived, and keeps a copy of its own', async ({ openConnected }) => {
  const name = 'legacy-watchonly';
  const { app, page } = await openConnected('28.1', { loaded: [name] });
  await startMigration(app, name);
  await expect(verdict(app)).toContainText('Everything arrived');
  await expect(proof(app)).toContainText(/All \d+ addresses, \d+ labels and \d+ transactions are here\./);
  await proof(app).getByText('All that was compared').click();
  const { transactions } = factsOf(name).before;
  await expect(row(app, 'Transactions')).toContainText(`all ${transactions.length}`);
  await expect(row(app, 'Scripts')).toContainText('all ');
  const balance = row(app, 'Balance').first();
  await expect(balance.getByRole('cell').nth(0)).toContainText(/10\.050/);
  await expect(balance.getByRole('cell').nth(1)).toContainText(/10\.050/);
  await expect(balance).not.toContainText('last known');
  const wallets = page.getByRole('list', { name: 'New wallets' }).getByRole('listitem');
  await expect(wallets.nth(1)).toContainText(/\d+ descriptors?, \d+ transactions?/);

  const copy = await copyPath(app, 'Safety copy');
  const copyLine = page.getByRole('group', { name: 'Safety copy' });
  await expect(copyLine).toContainText(/Read again\. .*[0-9a-f]{64}/);
  expect(copy.startsWith(app.dataFolder)).toBe(true);
  expect(readFileSync(copy)).toEqual(readFileSync(fixtureFile(name)));
  await goTo(app, 'History');
  await expect(page.getByRole('article').getByText('Everything arrived')).toBeVisible();
});

test('says in red what did not arrive, and what it means', async ({ openConnected }) => {
  const { app } = await openConnected('31.0', { losesOnMigration: true });
  await startMigration(app, 'legacy-hd');
  await expect(verdict(app)).toContainText('Something differs');
  const alerts = proof(app).getByRole('alert');
  await expect(alerts.first()).toContainText('Don’t use the new wallets yet');
  await expect(alerts.filter({ hasText: /\d+ scripts are missing/ })).toContainText('the safety copy');
  await expect(row(app, 'Scripts')).toContainText('some missing');
  await proof(app)
    .getByText(/^Missing scripts/)
    .click();
  await expect(proof(app).locator('details').first().getByRole('listitem').first()).toBeVisible();
});

test('on 31.0 explains why undo is not possible, and offers the engine', async ({ openConnected }) => {
  const { app, page } = await openConnected('31.0');
  await startMigration(app, 'legacy-hd');
  await expect(verdict(app)).toContainText('Everything arrived');
  const backup = await copyPath(app, 'The old wallet’s backup');
  await page.getByText('Undo the migration').click();
  await expect(page.getByText('Release 31.0 opens no legacy wallets.')).toBeVisible();
  await expect(button(page, 'Undo')).toHaveCount(0);
  await button(page, 'Undo without a node…').click();
  await planIsMade(app);
  const stop = page.getByRole('list', { name: 'Warnings' }).getByRole('listitem').first();
  await expect(stop).toContainText('Stop: This release cannot load legacy wallets');
  await expect(stop).toContainText('or work without a node');
  await expect(button(actionCard(app), 'Undo')).toHaveAttribute('aria-disabled', 'true');
  await button(actionCard(app), 'Work without a node').click();
  await startEngineThere(app);
  // Back at the plan that was left, as it stands there.
  await bringBack(app, backup);
});

test('takes over the job of a killed app, and proves what came of it', async ({ openApp, startNode }) => {
  const node = await startNode('31.0', RESCANNING);
  const first = await openApp({ ownProcess: true });
  await connect(first, node);
  await startMigration(first, 'legacy-hd');
  await expect(first.page.getByText('42\u00a0%', { exact: true })).toBeVisible();
  await first.kill();
  const app = await openApp({ ownProcess: true });
  const { page } = app;
  await expect(otherJobs(app)).toContainText('legacy-hd');
  node.resume();
  await expect(otherJobs(app)).toContainText('Wallet migrated', { timeout: 30_000 });
  await goTo(app, 'History');
  const card = page.getByRole('list', { name: 'Jobs' }).getByRole('article');
  await expect(card).toContainText('Done');
  await button(card, 'Show').click();
  await expect(verdict(app)).toContainText('Everything arrived');
  await expect(page.getByText('Finished while Wallet Ferry was closed.')).toBeVisible();
  expect(node.countCalls('migratewallet')).toBe(1);
});

test('undoes a migration under a new name, with the app’s own copy where the old wallet’s backup is not found', async ({
  openApp,
  startNode,
}) => {
  const node = await startNode('28.1');
  const first = await openApp({ ownProcess: true });
  await connect(first, node);
  await startMigration(first, 'legacy-hd');
  await expect(verdict(first)).toContainText('Everything arrived');
  await first.close();
  // As of a node that sees other folders than the app does.
  changeJournal(first.dataFolder, ({ result }) => {
    result.backupSeen = false;
  });
  const app = await openApp({ ownProcess: true });
  // It goes back to the node of last time by itself.
  await expect(sidebar(app)).toContainText('Bitcoin Core');
  await goTo(app, 'History');
  await button(app.page.getByRole('article'), 'Show').click();
  await expect(app.page.getByText('Old wallet’s backup not found')).toBeVisible();
  await undo(app, await copyPath(app, 'Safety copy'));
  await goTo(app, 'All wallets');
  await expect(walletRow(app, 'legacy-hd (before migration)')).toContainText('Legacy');
  await expect(walletRow(app, 'legacy-hd')).toContainText('Descriptor');
});

type Written = { result: { backupSeen: boolean | null; [more: string]: unknown } };

/** Changes the migrations in the journal, as if another app or node had written them. */
function changeJournal(dataFolder: string, change: (job: Written) => void): void {
  for (const path of filesBelow(dataFolder).filter((file) => file.endsWith('.json'))) {
    const content = JSON.parse(readFileSync(path, 'utf8'));
    if (content.job?.proof) {
      change(content.job);
      writeFileSync(path, JSON.stringify(content));
    }
  }
}
