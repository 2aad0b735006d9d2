/** What people expect of any app: Back, a reload, the keyboard, and that it remembers. */
import { join } from 'node:path';
import { button, connect, goTo, heading, walletRow } from '../app/steps.ts';
import { expect, test } from '../app.ts';

test('goes back through its places, and stays where it was over a reload', async ({ openApp, startNode }) => {
  const node = await startNode('31.0');
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await goTo(app, 'Activity');
  await goTo(app, 'Start');
  await app.pickFile(join(node.backupsFolder, 'descriptor.bak'), () =>
    button(page, 'Choose a file…').click(),
  );
  await expect(heading(page, 'Wallet file')).toBeVisible();
  await page.reload();
  await expect(heading(page, 'Wallet file')).toBeVisible();
  // The node, too, is as it was, and taken for the file.
  await expect(page.getByRole('navigation', { name: 'Places' })).toContainText('Regtest · 31.0');
  await expect(page.getByText('Best on your node, Bitcoin Core 31.0.')).toBeVisible();
  await page.goBack();
  await expect(heading(page, 'Start')).toBeVisible();
  await page.goBack();
  await expect(heading(page, 'Activity')).toBeVisible();
  await page.goForward();
  await expect(heading(page, 'Start')).toBeVisible();
  expect(await page.title()).toBe('Start – Wallet Ferry');
});

test('has keyboard shortcuts', async ({ openApp, startNode }) => {
  const node = await startNode('31.0');
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await walletRow(app, 'savings').waitFor();
  await page.keyboard.press('Control+f');
  await expect(page.getByRole('searchbox', { name: 'Find a wallet' })).toBeFocused();
  // A question mark that is typed is one.
  await page.keyboard.type('?');
  await expect(page.getByRole('complementary', { name: 'Help' })).toHaveCount(0);
  await page.keyboard.press('Control+,');
  await expect(heading(page, 'Settings')).toBeVisible();
  await page.keyboard.press('Control+o');
  await expect(heading(page, 'Start')).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByRole('complementary', { name: 'Help' })).toBeVisible();
});

test('goes back to the node of last time, unless it was left', async ({ openApp, startNode }) => {
  const node = await startNode('31.0');
  const first = await openApp({ ownProcess: true });
  await connect(first, node);
  await walletRow(first, 'savings').waitFor();
  await first.close();

  const second = await openApp({ dataFolder: first.dataFolder, ownProcess: true });
  await expect(second.page.getByText('Regtest · 31.0').first()).toBeVisible({ timeout: 30_000 });
  await expect(heading(second.page, 'Start')).toBeVisible();
  await goTo(second, 'Node');
  await button(second.page, 'Disconnect').click();
  await expect(second.page.getByText('No node', { exact: true })).toBeVisible();
  await second.close();

  const third = await openApp({ dataFolder: first.dataFolder, ownProcess: true });
  await expect(button(third.page, 'Connect').first()).toBeVisible();
  await expect(third.page.getByText('No node', { exact: true })).toBeVisible();
});
