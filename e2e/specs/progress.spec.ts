/** How far it is, seen from everywhere in the app, out of the node's own log. */
import { join } from 'node:path';
import {
  button,
  connect,
  goTo,
  openTab,
  otherJobs,
  runningJob,
  startMigration,
  startRestore,
  verdict,
  walletRow,
} from '../app/steps.ts';
import { expect, type Scenario, test } from '../app.ts';

const PERCENT = '\u00a0%';
const held: Scenario = { rescan: { shares: [0.1, 0.42], ms: 200, hold: true } };

test('shows the share of a restore’s rescan while it runs', async ({ openApp, startNode }) => {
  const node = await startNode('31.0', {
    ...held,
    rescan: { shares: [0.1, 0.42], ms: 200, hold: true, fast: true },
  });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await startRestore(app, join(node.backupsFolder, 'descriptor.bak'), 'long one');
  await expect(runningJob(app)).toBeVisible();
  const bar = page.getByRole('main').getByRole('progressbar', { name: 'Rescan' });
  await expect(bar).toHaveAttribute('aria-valuenow', /^42/);
  await expect(page.getByRole('heading', { level: 2 }).first()).toContainText(`42${PERCENT}`);
  await expect(page.getByText(/^Running for \d/)).toBeVisible();
  await openTab(app, 'Technical');
  await expect(page.getByText('Rescanned wallet').locator('..')).toContainText('long one');
  await expect(
    page.getByText(/\[long one\] Still rescanning\. At block \d+\. Progress=0\.420000/),
  ).toBeVisible();
  // The wallet is not there yet: the node lists it only when it is done.
  expect(node.loaded()).toEqual([]);
  node.letGo();
  await expect(verdict(app)).toContainText('Wallet restored');
});

test('shows the phases of a migration and its rescan', async ({ openApp, startNode }) => {
  const node = await startNode('29.3', held);
  const app = await openApp();
  await connect(app, node);
  await startMigration(app, 'legacy-watchonly');
  await expect(runningJob(app)).toBeVisible();
  await expect(runningJob(app)).toHaveAttribute('aria-valuenow', /^42/);
  const strip = app.page.getByRole('list', { name: 'Steps', exact: true }).getByRole('listitem');
  await expect(strip.nth(2)).toContainText('Migrate: now');
  await openTab(app, 'Technical');
  const steps = app.page.getByRole('list', { name: 'All steps' }).getByRole('listitem');
  await expect(steps.filter({ hasText: 'now' })).toHaveCount(1);
  expect(await steps.filter({ hasText: 'done' }).count()).toBeGreaterThanOrEqual(4);
  node.letGo();
  await expect(verdict(app)).toContainText('Everything arrived');
});

test('shows a running job in the sidebar of other pages, which leads back, and runs one on another wallet', async ({
  openApp,
  startNode,
}) => {
  const node = await startNode('31.0', held);
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await startMigration(app, 'legacy-hd');
  await expect(runningJob(app)).toBeVisible();
  const bar = otherJobs(app);
  await expect(bar).toBeEmpty();
  for (const place of ['All wallets', 'History', 'Node', 'Home'] as const) {
    await goTo(app, place);
    await expect(bar).toContainText('legacy-hd');
    await expect(bar).toContainText(`42${PERCENT}`);
  }
  await goTo(app, 'All wallets');
  await expect(walletRow(app, 'legacy-hd')).toContainText('Being migrated');
  await expect(button(walletRow(app, 'legacy-hd'), 'Migrate')).toHaveAttribute('aria-disabled', 'true');
  await bar.getByRole('button').click();
  await expect(runningJob(app)).toBeVisible();
  await startRestore(app, join(node.backupsFolder, 'descriptor.bak'), 'beside');
  await expect(runningJob(app)).toBeVisible();
  await expect(bar).toContainText('legacy-hd');
  node.letGo();
  await expect(verdict(app)).toContainText('Wallet restored');
  await goTo(app, 'History');
  const card = page.getByRole('article', { name: 'Migration: legacy-hd' });
  await expect(card).toContainText('Done');
  await button(card, 'Show').click();
  await expect(verdict(app)).toContainText('Everything arrived');
});
