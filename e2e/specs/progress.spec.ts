/** How far it is, seen from everywhere in the app, out of the node's own log. */
import { join } from 'node:path';
import { button, connect, goTo, heading, startMigration, startRestore, walletRow } from '../app/steps.ts';
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
  await expect(heading(page, 'Restoring “long one”')).toBeVisible();
  await expect(page.getByText(`42${PERCENT}`, { exact: true })).toBeVisible();
  const bar = page.getByRole('main').getByRole('progressbar', { name: 'Rescan' });
  await expect(bar).toHaveAttribute('aria-valuenow', /^42/);
  await expect(page.getByText(/Elapsed/)).toBeVisible();
  await page.getByText('Details', { exact: true }).click();
  await expect(page.getByText('Rescanned wallet').locator('..')).toContainText('long one');
  await expect(
    page.getByText(/\[long one\] Still rescanning\. At block \d+\. Progress=0\.420000/),
  ).toBeVisible();
  // The wallet is not there yet: the node lists it only when it is done.
  expect(node.loaded()).toEqual([]);
  node.letGo();
  await expect(heading(page, 'Wallet restored')).toBeVisible();
});

test('shows the phases of a migration and its rescan', async ({ openApp, startNode }) => {
  const node = await startNode('29.3', held);
  const app = await openApp();
  await connect(app, node);
  await startMigration(app, 'legacy-watchonly');
  await expect(heading(app.page, 'Migrating “legacy-watchonly”')).toBeVisible();
  await expect(app.page.getByText(`42${PERCENT}`, { exact: true })).toBeVisible();
  await app.page.getByText('Details', { exact: true }).click();
  const steps = app.page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
  await expect(steps.filter({ hasText: 'now' })).toHaveCount(1);
  expect(await steps.filter({ hasText: 'done' }).count()).toBeGreaterThanOrEqual(4);
  node.letGo();
  await expect(heading(app.page, 'Everything arrived')).toBeVisible();
});

test('shows a running job in a bar on other pages, which leads back', async ({ openApp, startNode }) => {
  const node = await startNode('31.0', held);
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await startMigration(app, 'legacy-hd');
  await expect(heading(page, 'Migrating “legacy-hd”')).toBeVisible();
  const bar = page.getByRole('status', { name: 'Running job' });
  await expect(bar).toHaveCount(0);
  for (const place of ['Wallets', 'Activity', 'Node', 'Start'] as const) {
    await goTo(app, place);
    await expect(bar).toContainText('legacy-hd');
    await expect(bar).toContainText(`42${PERCENT}`);
  }
  await goTo(app, 'Wallets');
  await expect(walletRow(app, 'legacy-hd')).toContainText('Being migrated');
  await button(bar, 'Show').click();
  await expect(heading(page, 'Migrating “legacy-hd”')).toBeVisible();
  await goTo(app, 'Activity');
  node.letGo();
  const card = page.getByRole('list', { name: 'Jobs' }).getByRole('article');
  await expect(card).toContainText('Done');
  await button(card, 'Show').click();
  await expect(heading(page, 'Everything arrived')).toBeVisible();
});

test('offers no second job on the same wallet, and runs one on another', async ({ openApp, startNode }) => {
  const node = await startNode('31.0', held);
  const app = await openApp();
  await connect(app, node);
  await startMigration(app, 'legacy-hd');
  await expect(heading(app.page, 'Migrating “legacy-hd”')).toBeVisible();
  await goTo(app, 'Wallets');
  await expect(button(walletRow(app, 'legacy-hd'), 'Migrate')).toHaveAttribute('aria-disabled', 'true');
  await startRestore(app, join(node.backupsFolder, 'descriptor.bak'), 'beside');
  await expect(heading(app.page, 'Restoring “beside”')).toBeVisible();
  await expect(app.page.getByRole('status', { name: 'Running job' })).toContainText('legacy-hd');
  node.letGo();
  await expect(heading(app.page, 'Wallet restored')).toBeVisible();
});
