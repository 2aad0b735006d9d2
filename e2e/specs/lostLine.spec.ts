/** When the line to the node breaks in the middle: nothing fails by itself, and the outcome is found out. */
import { button, connect, goTo, heading, runningJob, startMigration, walletRow } from '../app/steps.ts';
import { expect, type Scenario, test } from '../app.ts';

const held: Scenario = { rescan: { shares: [0.42], ms: 100, hold: true } };

test('says that the outcome is unknown if the node stays away', async ({ openApp, startNode }) => {
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
  await expect(heading(page, 'Outcome not known', 2)).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('The app stopped waiting for the node.');
  await expect(page.getByRole('alert')).toContainText('Migrated if the wallet list says descriptor');
  await goTo(app, 'History');
  await expect(page.getByRole('list', { name: 'Jobs' }).getByRole('article')).toContainText(
    'Outcome not known',
  );
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
