/** The result of a migration: the proof, the copies, and the undo. */
import { readFileSync, writeFileSync } from 'node:fs';
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
  shownPath,
  sidebar,
  startMigration,
  startOfferedEngine,
  verdict,
  walletRow,
} from '../app/steps.ts';
import { type App, expect, test } from '../app.ts';

/** Undoes a migration from the page of its result. */
async function undo(app: App, backup: string): Promise<void> {
  const { page } = app;
  await page.getByText('Undo the migration').click();
  await button(page, 'Undo').click();
  await expect(verdict(app)).toContainText('Old wallet put back');
  const kept = page.getByRole('listitem', { name: 'Keep the old file' });
  await expect(kept.getByRole('group', { name: 'Backup', exact: true })).toContainText(shownPath(backup));
}

/** Runs the plan of an undo that is shown. */
async function runUndo(app: App, backup: string): Promise<void> {
  await expect(heading(app.page, 'Undo the migration', 2)).toBeVisible();
  await planIsMade(app);
  await expect(await nameField(app)).toHaveValue('legacy-hd (before migration)');
  await openDetails(app);
  await expect(app.page.getByText(shownPath(backup), { exact: true }).first()).toBeVisible();
  await run(app, 'Undo');
  await expect(verdict(app)).toContainText('Old wallet put back');
}

test('explains why 31.0 cannot undo a migration, and offers the engine', async ({ openConnected }) => {
  const { app, page } = await openConnected('31.0');
  await startMigration(app, 'legacy-hd');
  await expect(verdict(app)).toContainText('Everything arrived');
  const backup = await copyPath(app, 'The old wallet’s backup');
  await page.getByText('Undo the migration').click();
  await expect(page.getByText('Undo without a node, or on release 29 or earlier.')).toBeVisible();
  await expect(button(page, 'Undo')).toHaveCount(0);
  await button(page, 'Undo without a node…').click();
  await planIsMade(app);
  const stop = page.getByRole('list', { name: 'Warnings' }).getByRole('listitem').first();
  await expect(stop).toContainText('cannot load legacy wallets');
  await expect(stop).toContainText('or work without a node');
  await expect(button(actionCard(app), 'Undo')).toHaveCount(0);
  await button(actionCard(app), 'Work without a node').click();
  await startOfferedEngine(app);
  // The app returns to the plan, made for the engine.
  await runUndo(app, backup);
});

test('continues the job of a killed app, and proves its result', async ({ openApp, startNode }) => {
  const node = await startNode('31.0', RESCANNING);
  const first = await openApp({ ownProcess: true });
  await connect(first, node);
  await startMigration(first, 'legacy-hd');
  await expect(first.page.getByText('42%', { exact: true })).toBeVisible();
  await first.kill();
  const app = await openApp({ ownProcess: true });
  const { page } = app;
  await expect(otherJobs(app)).toContainText('legacy-hd');
  node.resume();
  await expect(otherJobs(app)).toContainText('Wallet migrated');
  await goTo(app, 'History');
  const card = page.getByRole('list', { name: 'Jobs' }).getByRole('article');
  await expect(card).toContainText('Done');
  await button(card, 'Open').click();
  await expect(verdict(app)).toContainText('Everything arrived');
  await expect(page.getByText('Finished while the app was closed.')).toBeVisible();
  expect(node.countCalls('migratewallet')).toBe(1);
});

test('undoes a migration from the safety copy if the old wallet’s backup is not found', async ({
  openApp,
  startNode,
}) => {
  const node = await startNode('28.1');
  const first = await openApp();
  await connect(first, node);
  await startMigration(first, 'legacy-hd');
  await expect(verdict(first)).toContainText('Everything arrived');
  await first.close();
  // As on a node that sees other folders than the app.
  changeJournal(first.dataFolder, ({ result }) => {
    result.backupSeen = false;
  });
  const app = await openApp();
  // The app connects to its last node by itself.
  await expect(sidebar(app)).toContainText('Bitcoin Core');
  await goTo(app, 'History');
  await button(app.page.getByRole('article'), 'Open').click();
  await expect(app.page.getByText('Old wallet’s backup not found')).toBeVisible();
  await undo(app, await copyPath(app, 'Safety copy'));
  await goTo(app, 'All wallets');
  await expect(walletRow(app, 'legacy-hd (before migration)')).toContainText('Legacy');
  await expect(walletRow(app, 'legacy-hd')).toContainText('Descriptor');
});

type JournalJob = { result: { backupSeen: boolean | null; [more: string]: unknown } };

/** Changes the migrations in the journal. */
function changeJournal(dataFolder: string, change: (job: JournalJob) => void): void {
  for (const path of filesBelow(dataFolder).filter((file) => file.endsWith('.json'))) {
    const content = JSON.parse(readFileSync(path, 'utf8'));
    if (content.job?.proof) {
      change(content.job);
      writeFileSync(path, JSON.stringify(content));
    }
  }
}
