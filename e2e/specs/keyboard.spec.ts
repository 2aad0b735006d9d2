/** A whole restore without a mouse. */
import { basename, dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { heading } from '../app/steps.ts';
import { expect, test } from '../app.ts';

/** Presses Tab until what has the focus is called `name`, and is visibly focused. */
async function tabTo(page: Page, role: 'button' | 'textbox' | 'radio', name: string): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: true });
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab');
    if (await wanted.evaluateAll((found) => found.some((element) => element === document.activeElement))) {
      // Fields show the focus by their border, buttons by a ring around them.
      if (role === 'button') await expect(page.locator(':focus')).toHaveCSS('outline-style', 'solid');
      return;
    }
  }
  throw new Error(`Tab does not reach ${role} “${name}”.`);
}

test('restores a backup with the keyboard alone', async ({ openApp, startNode }) => {
  const node = await startNode('31.0');
  const app = await openApp();
  const { page } = app;
  const file = join(node.backupsFolder, 'descriptor.bak');
  await expect(page.getByRole('button', { name: 'Connect', exact: true })).toBeVisible();
  await tabTo(page, 'button', 'Connect');
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Wallets')).toBeVisible();
  // The focus went to the new place's heading, so that Tab goes on from there.
  await expect(heading(page, 'Wallets')).toBeFocused();

  await tabTo(page, 'button', 'Restore a backup');
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Backup', 2)).toBeFocused();
  if (app.entry === 'electron') {
    await app.pickFile(file, async () => {
      await tabTo(page, 'button', 'Choose a file…');
      await page.keyboard.press('Space');
    });
  } else {
    await tabTo(page, 'button', 'Choose a file…');
    await page.keyboard.press('Space');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('listbox')).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    await expect(dialog.getByRole('button').last()).toBeVisible();
    await dialog.getByLabel('Folder', { exact: true }).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type(dirname(file));
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('option').filter({ hasText: basename(file) })).toBeVisible();
    await expect(dialog.getByRole('listbox')).toBeFocused();
    await page.keyboard.type('desc');
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
  }
  await expect(page.getByText('descriptor wallet (SQLite)').first()).toBeVisible();
  await tabTo(page, 'button', 'Next');
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Name and options', 2)).toBeFocused();
  await tabTo(page, 'textbox', 'Wallet name');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('by keyboard');
  await tabTo(page, 'radio', 'Leave as it is');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: 'Yes', exact: true })).toBeChecked();
  await tabTo(page, 'button', 'Next');
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Review', 2)).toBeFocused();
  await expect(page.getByRole('button', { name: 'Restore this backup', exact: true })).toBeEnabled();
  await tabTo(page, 'button', 'Restore this backup');
  await page.keyboard.press('Enter');
  await expect(heading(page, 'The wallet is restored', 2)).toBeFocused();
  await tabTo(page, 'button', 'To the wallets');
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Wallets')).toBeFocused();
  expect(node.loaded()).toEqual(['by keyboard']);
});
