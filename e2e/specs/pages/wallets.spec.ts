/** The pages of wallets and backups, the app's own file dialog, and the pages of a node on another machine. */
import { join } from 'node:path';
import { say } from '../../../shared/wording/say.ts';
import { checkPage } from '../../app/checkPage.ts';
import { test } from '../../app/inPseudoLanguage.ts';
import {
  actionCard,
  button,
  connect,
  connectByHand,
  foundNode,
  goTo,
  heading,
  openWallet,
  planIsMade,
  prepareMigration,
  run,
  shown,
  verdictSays,
  walletRow,
} from '../../app/steps.ts';
import { expect } from '../../app.ts';

test('the list of wallets, a backup and the file dialog are accessible, translated and fit', async ({
  openApp,
  startNode,
  home,
}) => {
  const many = await startNode('28.1', { loaded: ['savings', 'legacy-hd'], manyWallets: 496 });
  const none = await startNode('31.0', { wallets: {} }, 'none');
  const app = await openApp();
  const { page } = app;
  await connect(app, many);
  const count = shown(page, '{count, plural, one {# wallet} other {# wallets}}', { count: 500 });
  await count.first().waitFor();
  await checkPage(app, 'Wallets, many');
  await page.getByLabel(say('Find a wallet')).fill('no such wallet');
  await expect(walletRow(app, 'savings')).toHaveCount(0);
  await checkPage(app, 'Wallets, none found');
  await page.getByLabel(say('Find a wallet')).fill('');
  await button(walletRow(app, 'savings'), 'Back up').click();
  await planIsMade(app);
  await checkPage(app, 'Check, a backup');
  await app.pickFile(join(home, 'new.bak'), () => button(page, 'Choose…').click());
  await run(app, 'Back up');
  await verdictSays(app, 'Backup made');
  await checkPage(app, 'Result, a backup');
  await openWallet(app, 'savings');
  await checkPage(app, 'A descriptor wallet');
  await connectByHand(app, { port: none.port, cookieFile: none.cookieFile });
  await heading(page, 'All wallets').waitFor();
  await checkPage(app, 'Wallets, empty');

  const dialog = page.getByRole('dialog');
  const folder = dialog.getByLabel(say('Folder'), { exact: true });
  await goTo(app, 'Node');
  await button(page, 'Disconnect').click();
  // Wait for the found node, because it moves the button down.
  await foundNode(app, many).waitFor();
  await button(page, 'Choose another folder…').click();
  await button(dialog, 'Go').waitFor();
  await checkPage(app, 'File dialog, a folder');
  await page.keyboard.press('Escape');
  await connect(app, many);
  await goTo(app, 'Home');
  await button(page, 'Choose a file…').click();
  await dialog.getByRole('option').first().waitFor();
  await folder.fill(many.backupsFolder);
  await button(dialog, 'Go').click();
  await dialog.getByRole('option').filter({ hasText: 'descriptor.bak' }).click();
  await checkPage(app, 'File dialog, a file');
  await page.keyboard.press('Escape');
  await goTo(app, 'All wallets');
  await button(walletRow(app, 'savings'), 'Back up').click();
  await button(page, 'Choose…').click();
  await folder.fill(join(many.backupsFolder, 'not-there'));
  await button(dialog, 'Save here').click();
  await dialog.getByRole('alert').waitFor();
  await checkPage(app, 'File dialog to save, a missing folder');
});

test('the pages of a node on another machine are accessible, translated and fit', async ({ openRemote }) => {
  const { app, node } = await openRemote('31.0', { loaded: ['savings'] });
  const { page } = app;
  const pathThere = page.getByLabel(say('Path on the node’s machine'));
  await button(page, 'Back up all to…').click();
  await button(page, 'Save here').waitFor();
  await checkPage(app, 'Wallets, the folder for all');
  await page.keyboard.press('Escape');
  await button(walletRow(app, 'savings'), 'Back up').click();
  await planIsMade(app);
  await page.getByLabel(say('New backup')).fill(join(node.backupsFolder, 'not-there', 'new.bak'));
  await run(app, 'Back up');
  await heading(page, 'Not backed up', 2).waitFor();
  await checkPage(app, 'Result, a failed backup');
  await goTo(app, 'All wallets');
  await prepareMigration(app, 'legacy-hd');
  await actionCard(app).getByRole('checkbox').check();
  await planIsMade(app);
  await checkPage(app, 'Check, a migration on another machine');
  await run(app, 'Migrate');
  await verdictSays(app, 'One step left: save a backup.');
  await checkPage(app, 'Result, a migration on another machine');
  await goTo(app, 'Home');
  await pathThere.waitFor();
  await checkPage(app, 'Home, connected to another machine');
});
