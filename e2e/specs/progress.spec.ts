/** The progress of jobs, read from the node's log and shown on every page. */
import { join } from 'node:path';
import {
  button,
  goTo,
  openTab,
  otherJobs,
  prepareMigration,
  run,
  runningJob,
  startRestore,
  verdict,
  walletHeading,
  walletRow,
} from '../app/steps.ts';
import { type App, expect, type Scenario, test } from '../app.ts';

const PAUSED: Scenario = { rescan: { shares: [0.1, 0.42], ms: 200, hold: true } };

/** The elements with a transition or an animation, including their pseudo-elements. */
const moving = ({ page }: App) =>
  page.evaluate(() => {
    const longest = (durations: string) =>
      Math.max(...durations.split(',').map((one) => Number.parseFloat(one)));
    const moves = (element: Element, part?: string) => {
      const style = getComputedStyle(element, part);
      // Chromium returns durations in seconds.
      const animated = style.animationName !== 'none' && longest(style.animationDuration) > 0.001;
      return animated || longest(style.transitionDuration) > 0;
    };
    return [...document.querySelectorAll('*')]
      .filter((element) => [undefined, '::before', '::after'].some((part) => moves(element, part)))
      .map(({ outerHTML, innerHTML }) => outerHTML.replace(innerHTML, '…'));
  });

test('shows the steps of a migration, the same tabs all along, and the running job on other pages and after a reload', async ({
  openConnected,
}) => {
  const { app, node, page } = await openConnected('31.0', PAUSED);
  const strip = page.getByLabel('About this wallet').getByRole('tab');
  const expectTabs = async () => {
    await expect(strip).toHaveText([
      ...['Overview', 'Transactions', 'Addresses and labels'],
      ...['Technical', 'Export', 'History'],
    ]);
    await expect(strip.and(page.getByRole('tab', { selected: true }))).toHaveText('Overview');
  };
  await prepareMigration(app, 'legacy-hd');
  await expectTabs();
  await run(app, 'Migrate');
  await expect(runningJob(app)).toHaveAttribute('aria-valuenow', /^42/);
  await expectTabs();
  await expect(page.getByText('Shown after the job.')).toBeVisible();
  const overview = page.getByRole('list', { name: 'Steps', exact: true }).getByRole('listitem');
  await expect(overview.nth(2)).toContainText('Migrate: done');
  await expect(overview.nth(3)).toContainText('Rescan: now');
  const files = page.getByRole('list', { name: 'Files', exact: true }).getByRole('listitem');
  await expect(files).toHaveText([
    /Safety copy.*safety copies.*wallet\.dat/,
    /Old wallet’s backup.*\.legacy\.bak/,
  ]);
  expect(
    (await files.first().boundingBox())?.height,
    'the path and its buttons stand on one line',
  ).toBeLessThan(32);
  await expect(page.getByRole('heading', { level: 2 }).first()).toContainText('42%');
  await expect(page.getByText(/^Running for \d/)).toBeVisible();
  await test.step('moves nothing if the user prefers reduced motion, and shows the bar in forced colours', async () => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect((await moving(app)).join()).toContain('-size: 42');
    await expect(page.getByRole('main').locator('> div').first()).toHaveCSS('animation-duration', '0.15s');
    await page.emulateMedia({ reducedMotion: 'reduce', forcedColors: 'active' });
    expect(await moving(app)).toEqual([]);
    const [section, ground, border] = await runningJob(app).evaluate((bar) =>
      [bar.children[0] ?? bar, document.body, bar].map((element) => {
        const { backgroundColor, borderStyle } = getComputedStyle(element);
        return element === bar ? borderStyle : backgroundColor;
      }),
    );
    expect(section).not.toBe(ground);
    expect(border).toBe('solid');
    await page.emulateMedia({ forcedColors: 'none' });
  });
  await openTab(app, 'Technical');
  await expect(page.getByText(/\[legacy-hd\] Still rescanning\. .*Progress=0\.420000/)).toBeVisible();
  const steps = page.getByRole('list', { name: 'All steps' }).getByRole('listitem');
  await expect(steps.filter({ hasText: 'now' })).toHaveCount(1);
  expect(await steps.filter({ hasText: 'done' }).count()).toBeGreaterThanOrEqual(4);

  const bar = otherJobs(app);
  await expect(bar).toBeEmpty();
  for (const to of ['All wallets', 'History', 'Node', 'Home'] as const) {
    await goTo(app, to);
    await expect(bar).toContainText('legacy-hd');
    await expect(bar).toContainText('42%');
  }
  await goTo(app, 'All wallets');
  await expect(walletRow(app, 'legacy-hd')).toContainText('Migrating');
  await expect(button(walletRow(app, 'legacy-hd'), 'Migrate')).toHaveAttribute('aria-disabled', 'true');
  await bar.getByRole('button').click();
  await expect(runningJob(app)).toBeVisible();
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.type());
    void dialog.accept();
  });
  await page.reload();
  expect(dialogs).toEqual(['beforeunload']);
  // The job belongs to the app, not to the page.
  await expect(runningJob(app)).toBeVisible();
  await startRestore(app, join(node.backupsFolder, 'descriptor.bak'), 'beside');
  await expect(runningJob(app)).toBeVisible();
  await expect(bar).toContainText('legacy-hd');
  node.resume();
  await expect(verdict(app)).toContainText('Everything arrived');
  await goTo(app, 'History');
  const card = page.getByRole('article', { name: 'Migration: legacy-hd' });
  await expect(card).toContainText('Done');
  await button(card, 'Open').click();
  await expect(verdict(app)).toContainText('Everything arrived');
  await expectTabs();
  await button(page, 'Read its file').click();
  await expect(page.getByRole('tabpanel', { name: 'Overview' })).toContainText('Needs no migration.');
  await page.reload();
  await expect(walletHeading(page, 'legacy-hd')).toBeVisible();
  expect(dialogs).toEqual(['beforeunload']);
});
