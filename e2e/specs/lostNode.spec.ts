/** A node that dies during a migration: the app does not give up, and finds the outcome. */
import { button, goTo, LONG, runningJob, startMigration, verdict, walletRow } from '../app/steps.ts';
import { expect, test } from '../app.ts';

test('finds the outcome in the files if the node stays away, and proves it later', async ({
  openConnected,
}) => {
  const { app, node, page } = await openConnected('31.0', {
    rescan: { shares: [0.42], ms: 100, hold: true },
  });
  const banner = page.getByRole('status', { name: 'Connection' });
  await expect(banner).toBeEmpty();
  await startMigration(app, 'legacy-hd');
  await expect(runningJob(app)).toHaveAttribute('aria-valuenow', /^42/);
  await node.kill();
  await expect(page.getByRole('main').getByText('Disconnected')).toBeVisible();
  await button(page.getByRole('main'), 'Stop waiting').click();
  await expect(verdict(app)).toContainText('Wallet migrated.', LONG);
  await expect(verdict(app)).toContainText('One step left: save a backup.');
  await expect(runningJob(app)).toHaveCount(0);
  await expect(banner).toContainText('Disconnected', LONG);
  node.resume();
  await node.restart();
  // The app then compares the files, but not the balance, because the node has not loaded the wallet.
  await expect(verdict(app)).toContainText('Not everything could be compared.', LONG);
  await expect(banner).toBeEmpty(LONG);
  await goTo(app, 'History');
  await expect(page.getByRole('list', { name: 'Jobs' }).getByRole('article')).toContainText('Done');
  await goTo(app, 'All wallets');
  await expect(walletRow(app, 'savings')).toBeVisible();
});
