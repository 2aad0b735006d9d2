/** When the line to the node breaks in the middle: nothing fails by itself, and the outcome is found out. */
import { button, connect, goTo, runningJob, startMigration, verdict, walletRow } from '../app/steps.ts';
import { expect, type Scenario, test } from '../app.ts';

const held: Scenario = { rescan: { shares: [0.42], ms: 100, hold: true } };

test('finds the outcome in the files if the node stays away, and proves it later', async ({
  openApp,
  startNode,
}) => {
  const node = await startNode('31.0', held);
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await startMigration(app, 'legacy-hd');
  await expect(runningJob(app)).toHaveAttribute('aria-valuenow', /^42/);
  await node.kill();
  const lost = page.getByRole('main').getByText('Disconnected');
  await expect(lost).toBeVisible();
  await button(page.getByRole('main'), 'Stop waiting').click();
  await expect(verdict(app)).toContainText('Wallet migrated.', { timeout: 60_000 });
  await expect(verdict(app)).toContainText('One step left: save a backup.');
  await expect(runningJob(app)).toHaveCount(0);
  node.letGo();
  await node.restart();
  // The files are compared then. The balance is not: the node has not loaded the wallet.
  await expect(verdict(app)).toContainText('Not everything could be compared.', { timeout: 60_000 });
  await goTo(app, 'History');
  const job = page.getByRole('list', { name: 'Jobs' }).getByRole('article');
  await expect(job).toContainText('Done');
});

test('shows that the node stops answering and answers again', async ({ openApp, startNode }) => {
  const node = await startNode('31.0');
  const app = await openApp();
  await connect(app, node);
  const banner = app.page.getByRole('status', { name: 'Connection' });
  await expect(banner).toBeEmpty();
  await node.cut();
  await expect(banner).toContainText('Disconnected', { timeout: 30_000 });
  await node.mend();
  await expect(banner).toBeEmpty({ timeout: 30_000 });
  await expect(walletRow(app, 'savings')).toBeVisible();
});
