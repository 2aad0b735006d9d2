/** Themes, small windows, magnification, many wallets. */
import type { App } from '../app/app.ts';
import {
  actionCard,
  button,
  goTo,
  openFile,
  openTab,
  sidebar,
  walletHeading,
  walletRow,
} from '../app/steps.ts';
import { expect, fixtureFile, test } from '../app.ts';

const scheme = ({ page }: App) => page.evaluate(() => document.documentElement.dataset.mantineColorScheme);
const background = ({ page }: App) =>
  page.evaluate(() => {
    const [red = 0, green = 0, blue = 0] = (
      getComputedStyle(document.body).backgroundColor.match(/\d+/g) ?? []
    ).map(Number);
    return (red + green + blue) / 3;
  });

test('follows the system’s theme unless the user chooses another, which it remembers, and shows ticks in forced colours', async ({
  openApp,
}) => {
  const app = await openApp({ colorScheme: 'dark' });
  await expect.poll(() => scheme(app)).toBe('dark');
  expect(await background(app)).toBeLessThan(80);
  await goTo(app, 'Settings');
  await app.page.getByRole('radio', { name: 'Light' }).check();
  await expect.poll(() => background(app)).toBeGreaterThan(200);
  await app.page.reload();
  await expect(app.page.getByRole('radio', { name: 'Light' })).toBeChecked();
  expect(await background(app)).toBeGreaterThan(200);
  await app.page.emulateMedia({ forcedColors: 'active' });
  const [tick, ground] = await app.page.getByLabel('Reconnect at start').evaluate((box) => {
    const mark = box.parentElement?.querySelector('svg');
    return [mark && getComputedStyle(mark).color, getComputedStyle(box).backgroundColor];
  });
  expect(tick, 'a tick in forced colours').not.toBe(ground);
});

// `pages` checks that every page fits 900 × 600 and 450 × 300, with longer texts.
test('shows what to do with a file in a small window at 200 %, and brings what a tab shows into view', async ({
  openApp,
}) => {
  const app = await openApp();
  const { page } = app;
  await page.setViewportSize({ width: 450, height: 300 });
  for (const name of ['legacy-hd', 'legacy-hd-encrypted'] as const) {
    await openFile(app, fixtureFile(name));
    // The card of the other file differs in its field.
    await expect(page.getByLabel('Passphrase', { exact: true })).toHaveCount(name === 'legacy-hd' ? 0 : 1);
    await expect(button(actionCard(app), 'Migrate')).toBeInViewport({ ratio: 1 });
  }
  for (const [width, height] of [
    [550, 380],
    [640, 450],
  ] as const) {
    await page.setViewportSize({ width, height });
    await goTo(app, 'Home');
    await openFile(app, fixtureFile('legacy-hd-encrypted'));
    await expect(button(actionCard(app), 'Migrate')).toBeInViewport({ ratio: 1 });
  }

  await page.setViewportSize({ width: 900, height: 600 });
  await openFile(app, fixtureFile('legacy-hd'));
  await expect(button(page, 'Migrate')).toBeInViewport({ ratio: 1 });
  await openTab(app, 'Transactions');
  const found = page.getByRole('searchbox').or(page.getByRole('list', { name: 'Transactions' }));
  await expect(found.first()).toBeInViewport();
  await expect(page.getByRole('tab', { name: 'Transactions' })).toBeInViewport({ ratio: 1 });
});

test('lists 500 wallets without holding them all in the page, and shows the open one in a low sidebar', async ({
  openConnected,
}) => {
  const { app, page } = await openConnected('31.0', { manyWallets: 496 });
  await expect(page.getByText('500 wallets').first()).toBeVisible();
  const table = page.getByRole('table', { name: 'Wallets', exact: true });
  await expect(table).toHaveAttribute('aria-rowcount', '501');
  const rows = table.getByRole('row').filter({ has: page.getByRole('rowheader') });
  await expect(rows.first()).toHaveAttribute('aria-rowindex', '2');
  expect(await rows.count()).toBeLessThan(60);
  await page.getByLabel('Find a wallet').fill('437');
  await expect(rows).toHaveCount(1);
  await expect(walletRow(app, 'wallet 437')).toBeVisible();
  await button(walletRow(app, 'wallet 437'), 'Load').click();
  await expect(walletRow(app, 'wallet 437')).toContainText('9.300');
  await page.getByLabel('Find a wallet').fill('');
  await expect(rows.nth(1)).toBeVisible();
  await rows.first().getByRole('button').first().focus();
  await page.keyboard.press('End');
  await expect(walletRow(app, 'wallet 496')).toBeInViewport();

  // The sidebar of a low window shows the wallet of the page.
  await page.setViewportSize({ width: 900, height: 500 });
  await button(walletRow(app, 'wallet 496'), 'wallet 496').click();
  await expect(walletHeading(page, 'wallet 496')).toBeVisible();
  await expect(sidebar(app).getByRole('button', { name: 'wallet 496' })).toBeInViewport({ ratio: 1 });
});
