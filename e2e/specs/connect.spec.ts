/** Connecting to a node: found by the app or entered by hand, busy, with a wrong password, on another machine. */
import { join } from 'node:path';
import {
  button,
  connect,
  connectByHand,
  foundNode,
  goTo,
  heading,
  nameField,
  nameWallet,
  openFile,
  planIsMade,
  run,
  shownPath,
  verdict,
  walletRow,
} from '../app/steps.ts';
import { expect, test } from '../app.ts';

const login = { user: 'ana', password: 'a long pass:word ÄÖ' };

test('finds the node of this computer, shows its status, and warns before an unencrypted connection', async ({
  openApp,
  startNode,
}) => {
  const node = await startNode('31.0', {
    blockFilters: 'on',
    pruneHeight: 12,
    nodeWarnings: ['Mind the gap'],
  });
  const app = await openApp();
  const { page } = app;
  await goTo(app, 'Node');
  const card = foundNode(app, node);
  for (const text of ['regtest', '31.0', 'Block filters', 'On', 'from block 12 on', 'Mind the gap']) {
    await expect(card).toContainText(text, { ignoreCase: true });
  }
  await expect(page.locator('main button[data-variant="filled"]')).toHaveText(['Connect']);
  await expect(card).toContainText(shownPath(node.dataFolder));
  expect((await page.getByRole('heading', { level: 2 }).allTextContents()).slice(0, 2)).toEqual([
    'Nodes on this computer',
    'Work without a node',
  ]);

  const warning = page.getByText('Connection not encrypted');
  const host = page.getByLabel('Host');
  await expect(warning).toHaveCount(0);
  await host.fill('node.example');
  await expect(warning).toBeVisible();
  await page.getByLabel('Use TLS (https)').check();
  await expect(warning).toHaveCount(0);
  await page.getByLabel('Use TLS (https)').uncheck();
  for (const here of ['localhost', '127.0.0.1', '127.8.9.1', '::1']) {
    await host.fill(here);
    await expect(warning).toHaveCount(0);
  }
  await connect(app, node);
  await expect(walletRow(app, 'savings')).toBeVisible();
});

test('connects by hand with a password, which it does not save, or with a chosen cookie file', async ({
  openApp,
  startNode,
}) => {
  const node = await startNode('25.2', { login }, 'elsewhere');
  const app = await openApp();
  const { page } = app;
  await connectByHand(app, { port: node.port, user: login.user, password: 'wrong' });
  const alert = page.getByRole('form', { name: 'Connect by hand' }).getByRole('alert');
  await expect(alert).toContainText(/user|password|log/i);
  // The app empties the password field, and keeps the user and the port.
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
  await expect(page.getByLabel('User', { exact: true })).toHaveValue(login.user);
  await page.getByLabel('Password', { exact: true }).fill(login.password);
  await button(page, 'Connect by hand').click();
  await expect(walletRow(app, 'savings')).toBeVisible();

  await goTo(app, 'Node');
  await button(page, 'Disconnect').click();
  const remembered = page.getByRole('list', { name: 'Remembered nodes' }).getByRole('listitem');
  await expect(remembered).toContainText(login.user);
  await button(remembered, 'Connect').click();
  await remembered.getByLabel('Password', { exact: true }).fill(login.password);
  await remembered.getByLabel('Password', { exact: true }).press('Enter');
  await expect(walletRow(app, 'savings')).toBeVisible();

  await goTo(app, 'Node');
  await button(remembered, 'Forget').click();
  await expect(remembered).toHaveCount(0);

  await button(page, 'Disconnect').click();
  const form = page.getByRole('form', { name: 'Connect by hand' });
  await form.getByLabel('Port').fill(String(node.port));
  await form.getByRole('radio', { name: 'Cookie file' }).check();
  await app.pickFile(node.cookieFile, () => button(form, 'Choose…').click());
  await expect(form.getByLabel('Cookie file path')).toHaveValue(node.cookieFile);
  await button(form, 'Connect by hand').click();
  await expect(walletRow(app, 'savings')).toBeVisible();
});

test('asks for paths instead of files for a node on another machine', async ({ openRemote }) => {
  const { app, node } = await openRemote('31.0', { loaded: ['savings'] });
  const { page } = app;
  await expect(walletRow(app, 'savings')).toBeVisible();
  const check = async (file: string) => {
    await goTo(app, 'Home');
    await page.getByLabel('Path on the node’s machine').fill(`${node.backupsFolder}/${file}`);
    await button(page.getByRole('main'), 'Check').click();
    await planIsMade(app);
  };

  await check('gone.bak');
  await nameWallet(app, 'far away');
  await run(app, 'Restore');
  await expect(heading(page, 'Not restored', 2)).toBeVisible();
  await page.locator('summary', { hasText: 'Node’s exact answer' }).click();
  await expect(page.getByRole('blockquote')).toContainText('Backup file does not exist');
  // The page keeps the name and the path.
  await button(page, 'Try again').click();
  await planIsMade(app);
  await expect(await nameField(app)).toHaveValue('far away');
  await expect(page.getByText(`${node.backupsFolder}/gone.bak`, { exact: true })).toBeVisible();

  await check('descriptor.bak');
  await nameWallet(app, 'far away');
  await run(app, 'Restore');
  await expect(verdict(app)).toContainText('Wallet restored');

  await goTo(app, 'All wallets');
  await button(walletRow(app, 'far away'), 'Back up').click();
  await planIsMade(app);
  await page.getByLabel('New backup').fill(`${node.backupsFolder}/far.bak`);
  await run(app, 'Back up');
  await expect(verdict(app)).toContainText('Backup made');
  await expect(page.getByRole('region', { name: 'New backup' })).toContainText('File not seen');
  await expect(button(page, 'Show in folder')).toHaveCount(0);

  // A file of this computer is not one of that machine, even if a file there has the same path.
  await openFile(app, join(node.backupsFolder, 'descriptor.bak'));
  await expect(page.getByLabel('Where')).toContainText('On this computer, without Bitcoin Core');
});
