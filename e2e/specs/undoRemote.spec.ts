/** Undoing a migration on a node of another machine: the path of its backup comes along. */
import { networkInterfaces } from 'node:os';
import { button, connectByHand, goTo, heading, next, startMigration, walletRow } from '../app/steps.ts';
import { expect, test } from '../app.ts';

/** An address of this machine that looks to the app like one of another. */
const elsewhere = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

test('carries the path of the backup into the restore', async ({ openApp, startNode }) => {
  test.skip(elsewhere === undefined, 'this machine has no address but its own loopback');
  const host = elsewhere ?? '';
  const login = { user: 'ana', password: 'far away' };
  const node = await startNode('28.1', { login, host, loaded: ['legacy-hd'] }, 'elsewhere');
  const app = await openApp();
  const { page } = app;
  await connectByHand(app, { host, port: node.port, ...login });
  await startMigration(app, 'legacy-hd');
  await expect(heading(page, 'The wallet is migrated', 2)).toBeVisible();
  const backup = await page
    .getByRole('group', { name: 'Backup of the legacy wallet' })
    .locator('code')
    .textContent();
  await button(page.getByRole('region', { name: 'Undo' }), 'Undo this migration…').click();
  await expect(heading(page, 'Backup', 2)).toBeVisible();
  await expect(page.getByLabel('Path on the node’s machine')).toHaveValue(backup ?? 'none');
  await next(app);
  await expect(page.getByLabel('Wallet name')).toHaveValue('legacy-hd-undone');
  await next(app);
  await button(page, 'Restore this backup').click();
  await expect(heading(page, 'The wallet is restored', 2)).toBeVisible();
  await goTo(app, 'Wallets');
  await expect(walletRow(app, 'legacy-hd-undone')).toContainText('Legacy');
});
