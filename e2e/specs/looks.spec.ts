/** Themes, small windows, magnification, many wallets. */
import { join } from 'node:path';
import type { App } from '../app/app.ts';
import { cutOffOn } from '../app/lookAt.ts';
import {
  button,
  chooseBackup,
  connect,
  connectByHand,
  goTo,
  openDetails,
  prepareMigration,
  run,
  runningJob,
  startRestore,
  verdict,
  walletRow,
} from '../app/steps.ts';
import { expect, test } from '../app.ts';

const scheme = ({ page }: App) => page.evaluate(() => document.documentElement.dataset.mantineColorScheme);
const background = ({ page }: App) =>
  page.evaluate(() => {
    const [red = 0, green = 0, blue = 0] = (
      getComputedStyle(document.body).backgroundColor.match(/\d+/g) ?? []
    ).map(Number);
    return (red + green + blue) / 3;
  });

test('follows the system’s theme, unless another one is chosen, for good', async ({ openApp }) => {
  const app = await openApp({ colorScheme: 'dark' });
  await expect.poll(() => scheme(app)).toBe('dark');
  expect(await background(app)).toBeLessThan(80);
  await goTo(app, 'Settings');
  await app.page.getByRole('radio', { name: 'Light' }).check();
  await expect.poll(() => background(app)).toBeGreaterThan(200);
  await app.page.reload();
  await expect(app.page.getByRole('radio', { name: 'Light' })).toBeChecked();
  expect(await background(app)).toBeGreaterThan(200);
});

/** What would move: elements and pseudo-elements that the page has a transition or an animation for. */
const moving = ({ page }: App) =>
  page.evaluate(() => {
    const longest = (durations: string) =>
      Math.max(...durations.split(',').map((one) => Number.parseFloat(one)));
    const moves = (element: Element, part?: string) => {
      const style = getComputedStyle(element, part);
      // Chromium gives them in seconds.
      const animated = style.animationName !== 'none' && longest(style.animationDuration) > 0.001;
      return animated || longest(style.transitionDuration) > 0;
    };
    return [...document.querySelectorAll('*')]
      .filter((element) => [undefined, '::before', '::after'].some((part) => moves(element, part)))
      .map(({ outerHTML, innerHTML }) => outerHTML.replace(innerHTML, '…'));
  });

test('stands still where the system asks for less motion', async ({ openApp, startNode }) => {
  const node = await startNode('28.1', { rescan: { shares: [0.42], ms: 100, hold: true } });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await startRestore(app, join(node.backupsFolder, 'descriptor.bak'), 'still');
  await expect(runningJob(app)).toHaveAttribute('aria-valuenow', /^42/);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect((await moving(app)).join()).toContain('-size: 42');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await moving(app)).toEqual([]);
});

/** The window, or its page, so wide and high in CSS pixels. */
async function resize(app: App, width: number, height: number): Promise<void> {
  if (app.electron) {
    // A window that small is only reached by magnification: the emulated page is what counts.
    const session = await app.page.context().newCDPSession(app.page);
    await session.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: false,
    });
  } else {
    await app.page.setViewportSize({ width, height });
  }
  await expect.poll(() => app.page.evaluate(() => window.innerWidth)).toBe(width);
}

async function fits({ page }: App): Promise<void> {
  expect(await cutOffOn(page)).toEqual([]);
}

// Every place in a window of 900 × 600, and in longer words: `places`.
test('is usable at 450 × 300', async ({ openApp, startNode }) => {
  const node = await startNode('31.0', { loaded: ['savings'] });
  const app = await openApp();
  const { page } = app;
  await resize(app, 450, 300);
  await expect(button(page, 'Choose a file…')).toBeVisible();
  await fits(app);
  await connect(app, node);
  await expect(walletRow(app, 'savings')).toBeVisible();
  await fits(app);
  await chooseBackup(app, join(node.backupsFolder, 'descriptor.bak'));
  await fits(app);
  await openDetails(app);
  await fits(app);
  await run(app, 'Restore');
  await expect(verdict(app)).toContainText('Wallet restored');
  await fits(app);
  await goTo(app, 'All wallets');
  await prepareMigration(app, 'legacy-watchonly');
  await openDetails(app);
  await fits(app);
  await run(app, 'Migrate');
  await expect(verdict(app)).toContainText('Everything arrived');
  await fits(app);
  await goTo(app, 'History');
  await fits(app);
});

test('shows an error within a small window', async ({ openApp }) => {
  const app = await openApp();
  await resize(app, 450, 300);
  await connectByHand(app, { port: 1, user: 'x', password: 'y' });
  await expect(app.page.getByRole('alert')).toBeVisible();
  await fits(app);
});

test('lists 500 wallets without holding them all in the page', async ({ openApp, startNode }) => {
  const node = await startNode('31.0', { manyWallets: 496 });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
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
});
