/** Paths that the app shows can be copied and shown in the file manager. Files can be dropped on the window. */
import { renameSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  button,
  copyPath,
  dropFile,
  goTo,
  goToFolder,
  nameField,
  nameWallet,
  openDetails,
  planIsMade,
  run,
  shownPath,
  startMigration,
  verdict,
} from '../app/steps.ts';
import { expect, test } from '../app.ts';
import { copyToStick } from '../testNode/walletFixture.ts';

// One after the other, because all apps of a screen share its clipboard.
test.describe.configure({ mode: 'default' });

test('copies the path of the backup, and shows it in the file manager', { tag: '@desktop' }, async ({
  openConnected,
}) => {
  const { app, page } = await openConnected('31.0');
  const { electron } = app;
  await startMigration(app, 'legacy-watchonly');
  await expect(verdict(app)).toContainText('Everything arrived');
  const path = await copyPath(app, 'The old wallet’s backup');
  expect(path).toContain('.legacy.bak');
  const backup = page.getByRole('group', { name: 'The old wallet’s backup' });

  if (electron) {
    await electron.evaluate(({ shell }) => {
      shell.showItemInFolder = (path) => {
        process.env.SHOWN = path;
      };
    });
    await button(backup, 'Show in folder').click();
    await expect.poll(() => electron.evaluate(() => process.env.SHOWN)).toBe(path);
    const step = page.getByRole('group', { name: 'Old wallet’s backup', exact: true });
    renameSync(path, `${path}.moved`);
    for (const line of [backup, step]) {
      await button(line, 'Show in folder').click();
      await expect(line.getByRole('alert')).toContainText('This file is gone.');
    }
    renameSync(`${path}.moved`, path);
  }

  await backup.getByRole('button', { name: /Copy/ }).click();
  await expect(backup).toContainText('Copied');
  // If a path is too long for one line, it continues on further lines.
  await page.setViewportSize({ width: 900, height: 600 });
  const files = page.getByRole('list', { name: 'Files', exact: true });
  const copy = files.getByRole('group', { name: 'Safety copy' }).locator('code');
  const text = await copy.evaluate((frame) => {
    const letters = document.createRange();
    letters.selectNodeContents(frame);
    const { left, right } = letters.getBoundingClientRect();
    const edge = frame.getBoundingClientRect();
    return { isCut: left < edge.left || right > edge.right, isWrapped: frame.clientHeight > 24 };
  });
  expect(text).toEqual({ isCut: false, isWrapped: true });
  await goTo(app, 'All wallets');
  const field = page.getByLabel('Find a wallet');
  await field.focus();
  await page.keyboard.press('ControlOrMeta+V');
  await expect(field).toHaveValue(path);
});

// `electron/hostileDrops.spec.ts` drops files on the desktop window.
test('opens a dropped file, copies its hash, and restores it', async ({ openConnected, home }) => {
  const { app, page } = await openConnected('28.1');
  const file = await copyToStick('descriptor-hd', home);
  await dropFile(app, file);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Find the dropped file')).toBeVisible();
  await goToFolder(dialog, dirname(file));
  await button(dialog, 'Choose').click();
  await expect(page.getByRole('tab', { name: 'Overview' })).toBeVisible();
  await expect(page.getByTitle(file)).toBeVisible();
  await planIsMade(app);
  await openDetails(app);
  await expect(
    page.getByRole('region', { name: 'File' }).getByText(shownPath(file), { exact: true }),
  ).toBeVisible();
  const hash = page.getByRole('region', { name: 'File' }).getByText(/^[0-9a-f]{64}$/);
  await expect(hash).toBeVisible();
  const digits = (await hash.textContent()) ?? '';
  const copy = button(page.getByText('SHA-256').locator('xpath=ancestor::p'), 'Copy');
  await expect(copy).toHaveAccessibleDescription(/^[0-9a-f]{64}$/);
  await copy.click();
  const field = await nameField(app);
  await field.fill('');
  await field.press('ControlOrMeta+V');
  await expect(field).toHaveValue(digits);
  // A path that is selected is copied in full, too.
  await page.getByRole('region', { name: 'File' }).getByText(shownPath(file), { exact: true }).selectText();
  await page.keyboard.press('ControlOrMeta+C');
  await field.fill('');
  await field.press('ControlOrMeta+V');
  await expect(field).toHaveValue(file);
  await nameWallet(app, 'restored');
  await run(app, 'Restore');
  await expect(verdict(app)).toContainText('Everything arrived');
});
