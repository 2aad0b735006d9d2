/** The app's own file dialog, where a new backup is to go. */
import { join } from 'node:path';
import { button, connect, walletRow } from '../../app/steps.ts';
import { expect, test } from '../../app.ts';

test('the app’s own file dialog saves nowhere but where the user looks', async ({
  openApp,
  startNode,
  home,
}) => {
  const node = await startNode('28.1', { loaded: ['savings'] });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await button(walletRow(app, 'savings'), 'Back up').click();
  await button(page, 'Choose…').click();
  const dialog = page.getByRole('dialog');
  const folder = dialog.getByLabel('Folder', { exact: true });
  await expect(folder).toHaveValue(home);
  await folder.fill(join(home, 'not-there'));
  await button(dialog, 'Save here').click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await expect(button(dialog, 'Save here')).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(button(page, 'Choose…')).toBeFocused();
  expect(node.countCalls('backupwallet')).toBe(0);
});
