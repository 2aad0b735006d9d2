/** Undoing a migration on a node of another machine: the path of its backup comes along. */
import { elsewhere } from '../app/elsewhere.ts';
import {
  button,
  connectByHand,
  copyPath,
  goTo,
  heading,
  planIsMade,
  run,
  startMigration,
  walletRow,
} from '../app/steps.ts';
import { expect, test } from '../app.ts';

test('carries the path of the backup into the restore', async ({ openApp, startNode }) => {
  test.skip(elsewhere === undefined, 'this machine has no address but its own loopback');
  const host = elsewhere ?? '';
  const login = { user: 'ana', password: 'far away' };
  const node = await startNode('28.1', { login, host, loaded: ['legacy-hd'] }, 'elsewhere');
  const app = await openApp();
  const { page } = app;
  await connectByHand(app, { host, port: node.port, ...login });
  await startMigration(app, 'legacy-hd');
  await expect(
    heading(page, 'Everything arrived').or(heading(page, 'Not everything could be compared')),
  ).toBeVisible();
  const backup = await copyPath(app, 'The node’s backup');
  await button(page, 'Undo').click();
  await planIsMade(app);
  await expect(page.getByRole('main')).toContainText(backup);
  await expect(page.getByLabel('Wallet name')).toHaveValue('legacy-hd (before migration)');
  await run(app, 'Bring it back');
  await expect(heading(page, 'Wallet restored')).toBeVisible();
  await goTo(app, 'Wallets');
  await expect(walletRow(app, 'legacy-hd (before migration)')).toContainText('Legacy');
});
