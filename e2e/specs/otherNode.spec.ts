/** Two nodes with a wallet of the same name: what was done on one must not be shown or done on the other. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { button, connect, connectByHand, goTo, heading, startMigration, walletRow } from '../app/steps.ts';
import { expect, test } from '../app.ts';

test('a migration’s new backup is not made of a namesake on another node', async ({
  openApp,
  startNode,
  home,
}) => {
  const first = await startNode('31.0', { rescan: { shares: [0.42], ms: 100, hold: true } });
  const other = await startNode(
    '28.1',
    { wallets: { 'legacy-hd': 'descriptor-hd' }, loaded: ['legacy-hd'] },
    'elsewhere',
  );
  const app = await openApp();
  const { page } = app;
  await connect(app, first);
  await startMigration(app, 'legacy-hd');
  await expect(page.getByText('42 % rescanned')).toBeVisible();

  await goTo(app, 'Node');
  await button(page, 'Disconnect').click();
  await connectByHand(app, { port: other.port, cookieFile: other.cookieFile });
  await expect(heading(page, 'Wallets')).toBeVisible();
  await expect(walletRow(app, 'legacy-hd')).toContainText('Descriptor');
  await expect(walletRow(app, 'legacy-hd')).not.toContainText('Being migrated');

  const running = page.getByRole('status', { name: 'Running operation' });
  await button(running, 'Show').click();
  first.letGo();
  await expect(heading(page, 'The wallet is migrated', 2)).toBeVisible();
  // What the migration's proof found: not the balance of the namesake, which is 9.3.
  await expect(page.getByText(/^Balance: 8\.599/)).toBeVisible();
  await button(page, 'Make a new backup').click();
  await expect(page.getByText('This was done on another node')).toBeVisible();

  const destination = join(home, 'wrong.bak');
  await app.pickFile(destination, () => button(page, 'Choose where…').click());
  await expect(page.getByRole('alert')).toContainText('connected to another one');
  expect(other.countCalls('backupwallet')).toBe(0);
  expect(existsSync(destination)).toBe(false);
  await expect(page.getByText('0 of 1 made')).toBeVisible();
});
