/** A node of another machine: the path of a backup there comes along to its undoing, and a file of this one stays here. */
import { dirname } from 'node:path';
import {
  button,
  copyPath,
  dropFile,
  goTo,
  goToFolder,
  nameField,
  planIsMade,
  run,
  startMigration,
  verdict,
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
    verdict(app).filter({ hasText: /Everything arrived|Not everything could be compared/ }),
  ).toBeVisible();
  const backup = await copyPath(app, 'The old wallet’s backup');
  await page.getByText('Undo the migration').click();
  await button(page, 'Undo').click();
  await planIsMade(app);
  await expect(page.getByTitle(backup)).toBeVisible();
  await expect(await nameField(app)).toHaveValue('legacy-hd (before migration)');
  await run(app, 'Undo');
  await expect(verdict(app)).toContainText('Now migrate it');
  await goTo(app, 'All wallets');
  await expect(walletRow(app, 'legacy-hd (before migration)')).toContainText('Legacy');

  // That node would open another file of the same path.
  const file = await ontoStick('descriptor-hd', home);
  await dropFile(app, file);
  const dialog = page.getByRole('dialog');
  await goToFolder(dialog, dirname(file));
  await button(dialog, 'Choose').click();
  await expect(page.getByRole('tab', { name: 'Overview' })).toBeVisible();
  await expect(page.getByLabel('Where')).toContainText('On this computer, no Bitcoin Core needed');
  await expect(page.getByLabel('Where')).not.toContainText('On your Bitcoin Core');
});
