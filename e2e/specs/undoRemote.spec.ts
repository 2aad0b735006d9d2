/** A node of another machine: the path of a backup there comes along to its undoing, and a file of this one stays here. */
import { dirname } from 'node:path';
import {
  button,
  copyPath,
  dropFile,
  goTo,
  goToFolder,
  heading,
  planIsMade,
  run,
  startMigration,
  walletRow,
} from '../app/steps.ts';
import { expect, test } from '../app.ts';
import { ontoStick } from '../testNode/walletFixture.ts';

test('carries the path of the backup into the restore, and takes no file from here there', async ({
  openRemote,
  home,
}) => {
  const { app } = await openRemote('28.1', { loaded: ['legacy-hd'] });
  const { page } = app;
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

  // That node would open another file of the same path.
  const file = await ontoStick('descriptor-hd', home);
  await dropFile(app, file);
  const dialog = page.getByRole('dialog');
  await goToFolder(dialog, dirname(file));
  await button(dialog, 'Choose').click();
  await expect(heading(page, 'Wallet file')).toBeVisible();
  await expect(page.getByText('This computer has no node on Regtest. None is needed.')).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText('Best on your node');
});
