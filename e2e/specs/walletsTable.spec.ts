/** The table of wallets: its order, its width, the menu of a row, and the backup of all wallets. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../app/app.ts';
import {
  button,
  connect,
  goTo,
  heading,
  openWallet,
  startMigration,
  walletHeading,
  walletRow,
} from '../app/steps.ts';
import { expect, test } from '../app.ts';

const names = ({ page }: App) =>
  page.getByRole('table', { name: 'Wallets', exact: true }).getByRole('rowheader');

test('sorts by each column, shows unloaded wallets from their files, and offers the actions of a row, by keyboard too', async ({
  openApp,
  startNode,
}) => {
  const node = await startNode('31.0', { loaded: ['savings'] });
  const app = await openApp();
  const { page } = app;
  const title = (name: string) => page.getByRole('columnheader', { name, exact: true });
  await connect(app, node);
  const encrypted = walletRow(app, 'legacy-hd-encrypted');
  await expect(encrypted).toContainText('18.299 971 80 rBTC');
  await expect(encrypted).toContainText('last known');
  await expect(encrypted).toContainText('Encrypted');
  await expect(encrypted).toContainText('kB');
  await expect(walletRow(app, 'savings')).not.toContainText('last known');
  const byName = await names(app).allTextContents();
  expect(byName).toEqual([...byName].sort());
  await expect(title('Name')).toHaveAttribute('aria-sort', 'ascending');

  await button(title('Balance'), 'Balance').click();
  await expect(title('Balance')).toHaveAttribute('aria-sort', 'descending');
  await expect(title('Name')).not.toHaveAttribute('aria-sort');
  await expect(names(app).first()).toHaveText('legacy-hd-encrypted');
  await button(title('Balance'), 'Balance').click();
  await expect(title('Balance')).toHaveAttribute('aria-sort', 'ascending');
  await expect(names(app).last()).toHaveText('legacy-hd-encrypted');
  await button(title('Kind'), 'Kind').click();
  await expect(names(app).first()).toHaveText('savings');
  await page.getByLabel('Find a wallet').fill('LEGACY');
  await expect(names(app).first()).toHaveText(/^legacy/);

  // The app remembers the order over a reload.
  await page.reload();
  await goTo(app, 'All wallets');
  await expect(title('Kind')).toHaveAttribute('aria-sort', 'ascending');

  const items = page.getByRole('menuitem');
  const more = button(walletRow(app, 'savings'), 'More');
  await expect(more).toHaveAccessibleDescription('savings');
  // The menu gets the focus, and with it the keys, a moment after it appears.
  const focused = page.getByRole('menu').locator(':focus');
  await more.press('Enter');
  await expect(items).toHaveText(['Back up…', 'Unload', 'Rescan everything…', 'Open']);
  await focused.waitFor({ state: 'attached' });
  await page.keyboard.press('Escape');
  await expect(items).toHaveCount(0);
  await expect(more).toBeFocused();
  await more.press('Enter');
  await focused.waitFor({ state: 'attached' });
  await page.keyboard.press('ArrowDown');
  await expect(items.first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(walletRow(app, 'savings')).toContainText('Not loaded');
  await button(walletRow(app, 'legacy-watchonly'), 'More').click();
  // Release 31 cannot load a legacy wallet.
  await expect(items).toHaveText(['Migrate', 'Back up…', 'Open']);
  await items.filter({ hasText: 'Open' }).click();
  await expect(walletHeading(page, 'legacy-watchonly')).toBeVisible();
  await expect(
    page.getByRole('region', { name: 'After the migration' }).getByText('legacy-watchonly_watchonly'),
  ).toBeVisible();
  await expect(heading(page, 'Migrate this wallet', 2)).toBeVisible();
});

test('backs up and migrates the ticked wallets, by keyboard too', async ({ openConnected, home }) => {
  const { app, page } = await openConnected('31.0', { loaded: ['savings'] });
  const box = (name: string) => page.getByRole('checkbox', { name, exact: true });
  await expect(box('savings')).toBeVisible();
  await box('legacy-hd').focus();
  await page.keyboard.press('Space');
  await expect(box('legacy-hd')).toBeChecked();
  await expect(button(page, 'Migrate 1 wallet…')).toBeVisible();
  await page.keyboard.press('End');
  await expect(box('savings')).toBeFocused();
  await page.keyboard.press('Space');
  // What the search hides stays ticked.
  await page.getByLabel('Find a wallet').fill('savings');
  const folder = join(home, 'stick');
  mkdirSync(folder);
  await app.pickFile(folder, () => button(page, 'Back up 2 wallets to…').click());
  await expect(page.getByText('2 of 2 backed up')).toBeVisible();
  expect(readdirSync(folder)).toHaveLength(2);
  await page.getByLabel('Find a wallet').fill('legacy');
  await box('Select all').check();
  await button(page, 'Migrate 3 wallets…').click();
  await expect(heading(page, 'Migrate 3 wallets')).toBeVisible();
  await goTo(app, 'All wallets');
  await box('Select all').check();
  await box('Select all').uncheck();
  await expect(button(page, 'Back up all to…')).toBeVisible();
});

test('never cuts off a name, and hides the sizes first', async ({ openApp, startNode }) => {
  const long = 'the savings wallet of 2014 that was copied from the old laptop';
  const node = await startNode('31.0', { wallets: { [long]: 'legacy-hd', w: 'descriptor-hd' } });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await expect(walletRow(app, long)).toContainText('kB');
  const isWhole = (element: Element) =>
    element.scrollWidth <= element.clientWidth && element.scrollHeight <= element.clientHeight;
  for (const width of [900, 1200, 1280, 1500, 2560]) {
    await page.setViewportSize({ width, height: 760 });
    const name = names(app).filter({ hasText: long });
    expect(await name.evaluate(isWhole), `the name at ${width}`).toBe(true);
    expect(await page.evaluate(() => document.body.scrollWidth), 'no scrolling sideways').toBeLessThanOrEqual(
      width,
    );
    const size = walletRow(app, long).getByRole('cell', { name: 'kB' });
    await expect(size, `the size at ${width}`).toHaveCount(width === 1200 || width === 1280 ? 0 : 1);
  }
});

test('backs up all wallets to one folder, loaded or not', async ({ openApp, startNode, home }) => {
  const node = await startNode('31.0', { loaded: ['savings'] });
  const app = await openApp();
  const { page } = app;
  const folder = join(home, 'stick');
  mkdirSync(folder);
  await connect(app, node);
  await startMigration(app, 'legacy-hd');
  await goTo(app, 'All wallets');
  await expect(button(walletRow(app, 'legacy-hd'), 'Back up now')).toBeVisible();
  await expect(walletRow(app, 'savings')).toContainText('Not backed up here');
  await openWallet(app, 'savings');
  await expect(page.getByRole('region', { name: 'Next' })).toContainText('Not backed up here.');
  await goTo(app, 'All wallets');
  await app.pickFile(folder, () => button(page, 'Back up all to…').click());
  await expect(page.getByText('4 of 4 backed up')).toBeVisible();
  expect(readdirSync(folder)).toEqual([
    expect.stringMatching(/^legacy-hd \d{4}-\d\d-\d\d \d{6}\.dat$/),
    expect.stringMatching(/^legacy-hd-encrypted /),
    expect.stringMatching(/^legacy-watchonly /),
    expect.stringMatching(/^savings \d{4}-\d\d-\d\d \d{6}\.dat$/),
  ]);
  for (const name of ['legacy-hd', 'savings']) {
    await expect(walletRow(app, name)).toContainText(String(new Date().getFullYear()));
    await expect(button(walletRow(app, name), 'Back up')).toBeVisible();
  }
  await goTo(app, 'History');
  await goTo(app, 'All wallets');
  await expect(walletRow(app, 'savings')).not.toContainText('Not backed up here');
  await expect(page.getByText('4 of 4 backed up')).toBeVisible();
});
