/** Two nodes with wallets of the same name: the app must not confuse their jobs. */
import {
  button,
  connect,
  connectByHand,
  goTo,
  heading,
  otherJobs,
  RESCANNING,
  runningJob,
  startMigration,
  verdict,
  walletRow,
} from '../app/steps.ts';
import { expect, test } from '../app.ts';

test('does not back up a wallet of the same name on another node', async ({ openApp, startNode }) => {
  const first = await startNode('31.0', RESCANNING);
  const other = await startNode(
    '28.1',
    { wallets: { 'legacy-hd': 'descriptor-hd' }, loaded: ['legacy-hd'] },
    'elsewhere',
  );
  const app = await openApp();
  const { page } = app;
  await connect(app, first);
  await startMigration(app, 'legacy-hd');
  await expect(runningJob(app)).toHaveAttribute('aria-valuenow', /^42/);

  await goTo(app, 'Node');
  await button(page, 'Disconnect').click();
  await connectByHand(app, { port: other.port, cookieFile: other.cookieFile });
  await expect(heading(page, 'All wallets')).toBeVisible();
  await expect(walletRow(app, 'legacy-hd')).toContainText('Descriptor');
  await expect(walletRow(app, 'legacy-hd')).not.toContainText('Migrating');

  const running = otherJobs(app);
  await running.getByRole('button').click();
  first.resume();
  await expect(verdict(app)).toContainText('Everything arrived');
  // The balance of the migrated wallet, not of its namesake.
  await expect(page.getByRole('main')).toContainText(/8\.599/);
  await expect(page.getByRole('main')).not.toContainText(/9\.300/);
  await expect(page.getByRole('main')).toContainText(/Connect to .*\./);
  await expect(button(page, 'Save a backup…')).toHaveCount(0);
  expect(other.countCalls('backupwallet')).toBe(0);
});
