/** A whole restore and a whole migration without a mouse. */
import { mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import type { App } from '../app/app.ts';
import { heading, planIsMade, press, tabTo } from '../app/steps.ts';
import { expect, fixturePassphrase, test } from '../app.ts';

/** Opens the app's own dialog, and goes to a folder in it. */
async function openDialogAt(page: Page, folder: string, opener: string): Promise<void> {
  await press(page, opener);
  const list = page.getByRole('dialog').getByRole('listbox');
  await expect(list).toBeFocused();
  await tabTo(page, 'textbox', 'Folder', 'Shift+Tab');
  await page.keyboard.press('Control+a');
  await page.keyboard.type(folder);
  await page.keyboard.press('Enter');
  await expect(list).toBeFocused();
}

async function chooseByKeys(app: App, file: string, opener: string): Promise<void> {
  const { page } = app;
  // The system's own dialog is not the app's to drive.
  if (app.entry === 'electron') return app.pickFile(file, () => press(page, opener));
  await openDialogAt(page, dirname(file), opener);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('option').filter({ hasText: basename(file) })).toBeVisible();
  await page.keyboard.type(basename(file).slice(0, 4));
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
}

async function chooseFolderByKeys(app: App, folder: string, opener: string): Promise<void> {
  const { page } = app;
  if (app.entry === 'electron') return app.pickFile(folder, () => press(page, opener));
  await openDialogAt(page, folder, opener);
  await press(page, 'Choose this folder');
  await expect(page.getByRole('dialog')).toHaveCount(0);
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
  await tabTo(page, 'button', 'Start');
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Start')).toBeFocused();
  await chooseByKeys(app, file, 'Choose a file…');
  await expect(heading(page, 'Wallet file')).toBeFocused();
  await expect(page.getByRole('button', { name: 'Restore', exact: true })).toBeVisible();
  await press(page, 'Restore');
  await planIsMade(app);
  await expect(heading(page, 'Restore a backup')).toBeFocused();
  await tabTo(page, 'textbox', 'Wallet name');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('by keyboard');
  await page.keyboard.press('Tab');
  await expect(page.locator('summary:focus')).toHaveText('Options');
  await page.keyboard.press('Enter');
  await tabTo(page, 'combobox', 'Load it when the node starts');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByLabel('Load it when the node starts')).toHaveValue('true');
  await planIsMade(app);
  await press(page, 'Restore');
  await expect(heading(page, 'Wallet restored')).toBeFocused();
  await tabTo(page, 'button', 'Go to wallets');
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
  await expect(heading(page, 'Migrate a wallet')).toBeFocused();
  await planIsMade(app);
  await tabTo(page, 'textbox', 'Passphrase');
  await page.keyboard.type(fixturePassphrase('legacy-hd-encrypted'));
  await expect(page.getByText('The passphrase is right').first()).toBeVisible();
  await planIsMade(app);
  // Enter in a field sends what the button does.
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Everything arrived')).toBeFocused();
  const folder = join(home, 'stick');
  mkdirSync(folder);
  await chooseFolderByKeys(app, folder, 'Save new backups…');
  await expect(page.getByText('1 of 1 backed up')).toBeVisible();
  expect(node.countCalls('migratewallet')).toBe(1);
});
