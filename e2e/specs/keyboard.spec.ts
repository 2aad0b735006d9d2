/** A whole restore and a whole migration without a mouse. */
import { existsSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import type { App } from '../app/app.ts';
import { heading } from '../app/steps.ts';
import { expect, fixturePassphrase, test } from '../app.ts';

/** Presses Tab, or another key, until what has the focus is called `name`, and is visibly focused. */
async function tabTo(
  page: Page,
  role: 'button' | 'textbox' | 'radio',
  name: string,
  key: 'Tab' | 'Shift+Tab' = 'Tab',
): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: true });
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press(key);
    if (await wanted.evaluateAll((found) => found.some((element) => element === document.activeElement))) {
      // Fields show the focus by their border, buttons by a ring around them.
      if (role === 'button') await expect(page.locator(':focus')).toHaveCSS('outline-style', 'solid');
      return;
    }
  }
  throw new Error(`Tab does not reach ${role} “${name}”.`);
}

async function press(page: Page, name: string): Promise<void> {
  await tabTo(page, 'button', name);
  await page.keyboard.press('Enter');
}

/** Chooses a file that is there, or names a new one, in the dialog that a button opens. */
async function chooseByKeys(app: App, file: string, opener: string): Promise<void> {
  const { page } = app;
  // The system's own dialog is not the app's to drive.
  if (app.entry === 'electron') return app.pickFile(file, () => press(page, opener));
  await press(page, opener);
  const dialog = page.getByRole('dialog');
  const list = dialog.getByRole('listbox');
  await expect(list).toBeFocused();
  await tabTo(page, 'textbox', 'Folder', 'Shift+Tab');
  await page.keyboard.press('Control+a');
  await page.keyboard.type(dirname(file));
  await page.keyboard.press('Enter');
  await expect(list).toBeFocused();
  if (existsSync(file)) {
    await expect(dialog.getByRole('option').filter({ hasText: basename(file) })).toBeVisible();
    await page.keyboard.type(basename(file).slice(0, 4));
  } else {
    await tabTo(page, 'textbox', 'File name');
    await page.keyboard.press('Control+a');
    await page.keyboard.type(basename(file));
  }
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
}

async function connectByKeys({ page }: App): Promise<void> {
  await expect(page.getByRole('button', { name: 'Connect', exact: true })).toBeVisible();
  await press(page, 'Connect');
  // The focus went to the new place's heading, so that Tab goes on from there.
  await expect(heading(page, 'Wallets')).toBeFocused();
}

test('restores a backup with the keyboard alone', { tag: '@desktop' }, async ({ openApp, startNode }) => {
  const node = await startNode('31.0');
  const app = await openApp();
  const { page } = app;
  const file = join(node.backupsFolder, 'descriptor.bak');
  await connectByKeys(app);
  await tabTo(page, 'button', 'Restore a backup');
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Backup', 2)).toBeFocused();
  await chooseByKeys(app, file, 'Choose a file…');
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

test('migrates an encrypted wallet with the keyboard alone, and makes its new backup', async ({
  openApp,
  startNode,
  home,
}) => {
  const node = await startNode('31.0', { wallets: { old: 'legacy-hd-encrypted' } });
  const app = await openApp();
  const { page } = app;
  await connectByKeys(app);
  await press(page, 'Migrate');
  await expect(heading(page, 'Check', 2)).toBeFocused();
  await expect(page.getByRole('button', { name: 'Next', exact: true })).toBeEnabled();
  await press(page, 'Next');
  await expect(heading(page, 'Passphrase', 2)).toBeFocused();
  await tabTo(page, 'textbox', 'Passphrase');
  await page.keyboard.type(fixturePassphrase('legacy-hd-encrypted'));
  await press(page, 'Next');
  await expect(heading(page, 'Review', 2)).toBeFocused();
  await press(page, 'Migrate this wallet');
  await expect(heading(page, 'The wallet is migrated', 2)).toBeFocused();
  await press(page, 'Make a new backup');
  await expect(heading(page, 'New backup', 2)).toBeFocused();
  const file = join(home, 'stick', 'new.bak');
  mkdirSync(dirname(file));
  await chooseByKeys(app, file, 'Choose where…');
  await expect(page.getByText(/^[0-9a-f]{64}$/).first()).toBeVisible();
  expect(node.countCalls('migratewallet')).toBe(1);
});
