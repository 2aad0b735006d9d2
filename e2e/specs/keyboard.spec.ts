/** A restore and a migration with the keyboard alone. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import type { App } from '../app/app.ts';
import {
  button,
  goTo,
  heading,
  LONG,
  openFile,
  openTab,
  openWallet,
  planIsMade,
  press,
  reach,
  tabTo,
  verdict,
  walletRow,
} from '../app/steps.ts';
import { expect, fixtureFile, fixturePassphrase, test } from '../app.ts';

/** Opens the app's own dialog, and goes to a folder. */
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

async function chooseByKeys({ page }: App, file: string, opener: string): Promise<void> {
  await openDialogAt(page, dirname(file), opener);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('option').filter({ hasText: basename(file) })).toBeVisible();
  await page.keyboard.type(basename(file).slice(0, 4));
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
}

async function chooseFolderByKeys({ page }: App, folder: string, opener: string): Promise<void> {
  await openDialogAt(page, folder, opener);
  await press(page, 'Choose this folder');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

async function connectByKeys(app: App): Promise<void> {
  const { page } = app;
  await goTo(app, 'Node');
  await expect(button(page.getByRole('main'), 'Connect')).toBeVisible();
  await press(page, 'Connect');
  // The new page's heading has the focus, so that Tab continues from there.
  await expect(heading(page, 'All wallets')).toBeFocused();
}

test('restores a backup, migrates an encrypted wallet and saves its backup with the keyboard alone', async ({
  openApp,
  startNode,
  home,
}) => {
  const node = await startNode('31.0', { wallets: { old: 'legacy-hd-encrypted' } });
  const app = await openApp();
  const { page } = app;
  const file = join(node.backupsFolder, 'descriptor.bak');
  await connectByKeys(app);
  await chooseByKeys(app, file, 'Open wallet…');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await planIsMade(app);
  await reach(page.locator('summary', { hasText: 'Name and place' }));
  await page.keyboard.press('Enter');
  await tabTo(page, 'textbox', 'Wallet name');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('by keyboard');
  await page.keyboard.press('Tab');
  await expect(page.locator('summary:focus')).toHaveText('Options');
  await page.keyboard.press('Enter');
  await tabTo(page, 'combobox', 'Load at node start');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByLabel('Load at node start')).toHaveValue('true');
  await planIsMade(app);
  await press(page, 'Restore');
  await expect(verdict(app)).toContainText('Everything arrived');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect(node.loaded()).toEqual(['by keyboard']);

  await press(page, 'All wallets');
  await expect(heading(page, 'All wallets')).toBeFocused();
  await press(page, 'Migrate');
  await planIsMade(app);
  await expect(page.getByLabel('Passphrase', { exact: true })).toBeFocused();
  await page.keyboard.type(fixturePassphrase('legacy-hd-encrypted'));
  await expect(page.getByText('Right passphrase').first()).toBeVisible();
  await planIsMade(app);
  // Enter in a field presses the button.
  await page.keyboard.press('Enter');
  await expect(verdict(app)).toContainText('Everything arrived', LONG);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  const folder = join(home, 'stick');
  mkdirSync(folder);
  await chooseFolderByKeys(app, folder, 'Save a backup…');
  await expect(verdict(app)).toContainText('Safe and backed up');
  expect(node.countCalls('migratewallet')).toBe(1);
});

/** Presses Tab through the page, and lists the controls whose ring of focus is missing or cut off. */
async function withoutRing(page: Page): Promise<string[]> {
  const found: string[] = [];
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  for (let stops = 0; stops < 90; stops += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const focused = document.activeElement;
      if (focused === null || focused === document.body) return null;
      const ringed = [focused, focused.parentElement].find(
        (element) => element && getComputedStyle(element).outlineStyle === 'solid',
      );
      const name = focused.outerHTML.slice(0, 120);
      if (!ringed) return { name, fault: 'no ring' };
      const { outlineWidth, outlineOffset } = getComputedStyle(ringed);
      const reach = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
      const { left, right, top, bottom } = ringed.getBoundingClientRect();
      for (let around = ringed.parentElement; around; around = around.parentElement) {
        if (!/hidden|clip/.test(getComputedStyle(around).overflow)) continue;
        const edge = around.getBoundingClientRect();
        const isCut =
          left - reach < edge.left - 1 ||
          right + reach > edge.right + 1 ||
          top - reach < edge.top - 1 ||
          bottom + reach > edge.bottom + 1;
        if (isCut) return { name, fault: 'cut off' };
      }
      return { name, fault: null };
    });
    if (stop === null) return [...new Set(found)];
    if (stop.fault !== null) found.push(`${stop.fault}: ${stop.name}`);
  }
  return [...new Set(found)];
}

test('shows where the focus is on every control', async ({ openApp, startNode, home }) => {
  await startNode('31.0', { wallets: { main: 'descriptor-hd' } });
  const app = await openApp();
  const { page } = app;
  await connectByKeys(app);
  await walletRow(app, 'main').waitFor();
  expect(await withoutRing(page), 'All wallets').toEqual([]);
  await goTo(app, 'Node');
  await page.getByText('No other node found.').waitFor();
  expect(await withoutRing(page), 'Connect').toEqual([]);
  await goTo(app, 'Settings');
  await page.getByText('Data folder').waitFor();
  expect(await withoutRing(page), 'Settings').toEqual([]);
  await openWallet(app, 'main');
  await openTab(app, 'Transactions');
  await page.getByRole('tabpanel').getByRole('list').first().waitFor(LONG);
  expect(await withoutRing(page), 'a wallet').toEqual([]);
  await goTo(app, 'Home');
  await button(page, 'Paste keys').click();
  expect(await withoutRing(page), 'Home').toEqual([]);
  copyFileSync(fixtureFile('legacy-hd-encrypted'), join(home, 'old.dat'));
  await openFile(app, join(home, 'old.dat'));
  await page.getByLabel('Passphrase', { exact: true }).waitFor(LONG);
  await page.getByText('Name and place').click();
  expect(await withoutRing(page), 'a file').toEqual([]);
});
