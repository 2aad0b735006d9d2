/** The help beside the page: it leads from an old wallet.dat to its restore, and explains terms. */
import { join } from 'node:path';
import {
  actionCard,
  button,
  chooseBackup,
  dropFile,
  nameField,
  openDetails,
  openHelp,
  planIsMade,
  shownPath,
} from '../app/steps.ts';
import { expect, test } from '../app.ts';
import { copyToStick } from '../testNode/walletFixture.ts';

test('leads from an encrypted legacy file to its restore, without a connection', async ({
  openApp,
  startNode,
  home,
}) => {
  const node = await startNode('28.1');
  const app = await openApp();
  const { page } = app;
  const file = await copyToStick('legacy-hd-encrypted', home, 'wallet.dat');
  const help = await openHelp(app);
  await expect(help.getByText('I found an old wallet.dat')).toBeVisible();
  await expect(page.getByText('~/.bitcoin', { exact: true })).toBeVisible();
  await help.getByText('I found an old wallet.dat').click();
  await help.getByText('Glossary').click();
  await expect(help.getByRole('term').filter({ hasText: /^rescan$/ })).toHaveCount(1);
  await expect(help.getByRole('term')).toHaveCount(17);
  await help.getByText('I found an old wallet.dat').click();
  await app.pickFile(file, () => button(help, 'Choose a file…').click());
  await expect(page.getByRole('tab', { name: 'Overview' })).toBeVisible();
  // The help closes, because it would cover the page.
  await expect(help).toHaveCount(0);
  await expect(page.getByRole('form', { name: 'Try the passphrase' })).toBeVisible();
  await planIsMade(app);
  await expect(page.getByLabel('Where')).toContainText('On your Bitcoin Core 28.1');
  await expect(button(actionCard(app), 'Restore')).toBeVisible();
  await openDetails(app);
  await expect(page.getByText('Legacy wallet (Berkeley DB)')).toBeVisible();
  await expect(
    page.getByRole('region', { name: 'File' }).getByText(shownPath(file), { exact: true }),
  ).toBeVisible();

  // A file dropped on the help opens too.
  await openHelp(app);
  const picture = join(node.backupsFolder, 'picture.png');
  await app.pickFile(picture, () => dropFile(app, picture));
  await expect(page.getByText('Not a Bitcoin Core wallet', { exact: true })).toBeVisible();
  await expect(page.getByText(/PNG image/)).toBeVisible();
});

test('keeps the plan of the page below, and returns the focus to it', async ({ openConnected }) => {
  const { app, node, page } = await openConnected('31.0');
  await chooseBackup(app, join(node.backupsFolder, 'descriptor.bak'));
  const name = await nameField(app);
  await name.fill('holiday?');
  await page.keyboard.press('F1');
  const help = page.getByRole('dialog', { name: 'Help' });
  await help.getByText('Keyboard').click();
  await expect(help.getByText('Find a wallet')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  await expect(name).toBeFocused();
  await expect(name).toHaveValue('holiday?');
});
