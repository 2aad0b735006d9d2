/** Home: finds wallets on this computer, opens recent files, and leads to the job for a file. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  actionCard,
  button,
  connect,
  goTo,
  heading,
  LONG,
  openFile,
  press,
  shownPath,
  sidebar,
  tabTo,
  walletRow,
} from '../app/steps.ts';
import { type App, expect, fixtureFile, test } from '../app.ts';
import { copyToStick } from '../testNode/walletFixture.ts';

const found = ({ page }: App) => page.getByRole('region', { name: 'Find wallets' });
const recent = ({ page }: App) => page.getByRole('region', { name: 'Recent files' });

test('shows every way to begin in a small window, finds a wallet by its content, and opens it', async ({
  openApp,
  home,
}) => {
  const folder = join(home, 'pictures', '2013');
  const wallet = join(folder, 'holiday.jpg');
  mkdirSync(folder, { recursive: true });
  copyFileSync(fixtureFile('legacy-hd'), wallet);
  writeFileSync(join(folder, 'notes.dat'), 'not a wallet');
  const app = await openApp();
  const { page } = app;
  await page.setViewportSize({ width: 900, height: 600 });
  for (const name of ['Choose a file…', 'Search this computer', 'Paste keys'])
    await expect(button(page, name).last()).toBeInViewport({ ratio: 1 });
  await button(page, 'Search this computer').click();
  await button(found(app), 'Search').click();
  const hit = found(app).getByRole('list', { name: 'Wallets found' }).getByRole('listitem');
  await expect(hit.getByRole('button', { name: 'Open' })).toBeInViewport({ ratio: 1 });
  await expect(found(app)).toContainText(/Files searched: \d/, LONG);
  await expect(button(found(app), 'Stop')).toHaveCount(0, LONG);
  const row = found(app).getByRole('listitem').filter({ hasText: 'holiday.jpg' });
  await expect(row).toContainText(shownPath(folder));
  await expect(row).toContainText(/8\.599/, LONG);
  await expect(row).toContainText('Legacy');
  await expect(found(app).getByRole('listitem').filter({ hasText: 'notes.dat' })).toHaveCount(0);
  await button(row, 'Open').click();
  await expect(page.getByRole('heading', { name: 'holiday.jpg', level: 1 })).toBeVisible();

  // The results remain after a visit to another page.
  await goTo(app, 'Home');
  await expect(row).toBeVisible();
});

test('remembers its node and recent files over a restart, until the user disconnects and clears the list', async ({
  openApp,
  startNode,
  home,
}) => {
  const node = await startNode('31.0');
  const file = await copyToStick('descriptor-hd', home);
  const first = await openApp();
  const { dataFolder } = first;
  await connect(first, node);
  await walletRow(first, 'savings').waitFor();
  await openFile(first, file);
  await expect(button(actionCard(first), 'Restore')).toBeVisible();
  await first.close();

  const second = await openApp({ dataFolder });
  await expect(sidebar(second)).toContainText('Bitcoin Core 31.0 Regtest');
  await expect(heading(second.page, 'Bring an old Bitcoin Core wallet up to date')).toBeVisible();
  await button(
    recent(second)
      .getByRole('listitem')
      .filter({ hasText: shownPath(file) }),
    'Open',
  ).click();
  await expect(second.page.getByRole('tab', { name: 'Overview' })).toBeVisible();
  await goTo(second, 'Home');
  await button(recent(second), 'Clear the list').click();
  await expect(recent(second)).toHaveCount(0);
  await goTo(second, 'Node');
  await button(second.page, 'Disconnect').click();
  await expect(second.page.getByText('No node', { exact: true })).toBeVisible();
  await second.close();

  const third = await openApp({ dataFolder });
  await expect(third.page.getByText('No node', { exact: true })).toBeVisible();
  await expect(button(third.page, 'Choose a file…')).toBeVisible();
  await expect(recent(third)).toHaveCount(0);
});

test('leads from Home to the migration of a found legacy file, with the keyboard alone', async ({
  openApp,
  home,
}) => {
  await copyToStick('legacy-imported', home);
  const app = await openApp();
  const { page } = app;
  await heading(page, 'Bring an old Bitcoin Core wallet up to date').waitFor();
  await press(page, 'Search this computer', 'Space');
  await press(page, 'Search');
  await expect(button(found(app), 'Open')).toBeVisible(LONG);
  await press(page, 'Open');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  const where = page.getByLabel('Where');
  await expect(where).toContainText('On this computer, without Bitcoin Core');
  // The arrow is in the padding.
  const overflow = await where.evaluate((select: HTMLSelectElement) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(select);
    const pen = document.createElement('canvas').getContext('2d');
    if (pen) pen.font = font;
    const widest = Math.max(...[...select.options].map(({ text }) => pen?.measureText(text).width ?? 0));
    return widest + Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight) - select.clientWidth;
  });
  expect(overflow, 'the widest option fits').toBeLessThanOrEqual(1);
  // `keyboard.spec.ts` goes on from here.
  await tabTo(page, 'button', 'Migrate');
});

test('opens a pasted path at once, in a dialog that fits a small and a magnified window', async ({
  openApp,
  home,
}) => {
  mkdirSync(join(home, 'old disk'));
  copyFileSync(fixtureFile('legacy-hd'), join(home, 'old disk', 'my old wallet.dat'));
  for (let count = 0; count < 30; count += 1) writeFileSync(join(home, `file ${count}`), '');
  const app = await openApp();
  const { page } = app;
  await button(page, 'Choose a file…').click();
  const dialog = page.getByRole('dialog');
  const list = dialog.getByRole('listbox');
  await expect(list).toContainText('file 29');
  for (const height of [600, 300]) {
    await page.setViewportSize({ width: 1.5 * height, height });
    for (const part of [list, button(dialog, 'Cancel'), button(dialog, 'Choose')])
      await expect(part).toBeInViewport({ ratio: 1 });
  }
  const paste = (text: string) =>
    list.evaluate((element, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  await paste(`"${join(home, 'gone')}"`);
  await expect(dialog.getByRole('alert')).toContainText('No folder');
  await paste('old disk');
  await expect(list).toHaveText('my old wallet.dat');
  await dialog.getByLabel('Folder', { exact: true }).fill('..');
  await button(dialog, 'Go').click();
  await expect(list).toContainText('file 29');
  await paste('~/old\\ disk/my\\ old\\ wallet.dat');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'my old wallet.dat', level: 1 })).toBeVisible();
});

test('lets the user enter a node on the page of a file, and returns to that page', async ({
  openApp,
  startNode,
  home,
}) => {
  const node = await startNode('31.0', {}, 'elsewhere');
  const app = await openApp();
  const { page } = app;
  await openFile(app, await copyToStick('legacy-hd', home));
  await page.getByLabel('Where').selectOption('Connect to a node…');
  const form = page.getByRole('form', { name: 'Connect by hand' });
  await form.getByLabel('Port').fill(String(node.port));
  await form.getByLabel('Cookie file path').fill(node.cookieFile);
  await button(form, 'Connect by hand').click();
  await expect(page.getByRole('tab', { name: 'Overview' })).toBeVisible();
  await expect(page.getByLabel('Where')).toContainText('On your Bitcoin Core 31.0');
  await expect(actionCard(app)).toHaveAttribute('data-planned', 'yes', LONG);
});
