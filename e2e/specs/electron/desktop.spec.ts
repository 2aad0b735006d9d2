/** What the system adds around the page: the menu with its keys, and a window that comes back where it was. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseInMenu } from '../../app/openElectron.ts';
import { connect, goTo, heading } from '../../app/steps.ts';
import { type App, expect, test } from '../../app.ts';

test('the menu leads to the places and to the help, and ticks where one is', async ({
  openApp,
  startNode,
}) => {
  const node = await startNode('31.0');
  const app = await openApp();
  await connect(app, node);
  await app.pickFile(join(node.backupsFolder, 'descriptor.bak'), async () => {
    expect(await chooseInMenu(app.electron, 'Open a wallet file…')).toBe('CmdOrCtrl+O');
  });
  await expect(heading(app.page, 'descriptor.bak')).toBeVisible();
  await goTo(app, 'Home');
  expect(await chooseInMenu(app.electron, 'History')).toBe('CmdOrCtrl+3');
  await expect(heading(app.page, 'History')).toBeVisible();
  const ticked = () =>
    app.electron?.evaluate(({ Menu }) =>
      Menu.getApplicationMenu()
        ?.items.flatMap(({ submenu }) => submenu?.items ?? [])
        .filter(({ type, checked }) => type === 'checkbox' && checked)
        .map(({ label }) => label),
    );
  await expect.poll(ticked).toEqual(['History']);
  await app.page.goBack();
  await expect.poll(ticked).toEqual(['Home']);
  await chooseInMenu(app.electron, 'Wallet Ferry help');
  await expect(app.page.getByRole('dialog', { name: 'Help' })).toBeVisible();
  await chooseInMenu(app.electron, 'Settings…');
  await expect(heading(app.page, 'Settings')).toBeVisible();
  await expect(app.page.getByRole('checkbox', { name: 'Notify me when long work ends' })).toBeChecked();
  await expect.poll(ticked).toEqual([]);
});

test('the window takes the theme that is set, and keeps it', async ({ openApp, home }) => {
  const dataFolder = join(home, 'ferry-data');
  const isDark = ({ electron }: App) =>
    electron?.evaluate(({ nativeTheme }) => [nativeTheme.themeSource, nativeTheme.shouldUseDarkColors]);
  const first = await openApp({ dataFolder });
  await goTo(first, 'Settings');
  await first.page.getByRole('radio', { name: 'Dark' }).check();
  await expect.poll(() => isDark(first)).toEqual(['dark', true]);
  await first.close();
  expect(await isDark(await openApp({ dataFolder }))).toEqual(['dark', true]);
});

test('About tells the version', async ({ openApp }) => {
  const app = await openApp();
  await app.electron?.evaluate(({ app: own }) => {
    own.showAboutPanel = () => Object.assign(globalThis, { aboutShown: true });
  });
  await chooseInMenu(app.electron, 'About Wallet Ferry');
  await expect.poll(() => app.electron?.evaluate(() => Reflect.get(globalThis, 'aboutShown'))).toBe(true);
});

const boundsOf = ({ electron }: App) =>
  electron?.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());

test('the window comes back where it was, and into sight', async ({ openApp, home }) => {
  const dataFolder = join(home, 'ferry-data');
  const file = join(dataFolder, 'window.json');
  const wanted = { x: 120, y: 90, width: 900, height: 640 };
  const first = await openApp({ dataFolder });
  await first.electron?.evaluate(({ BrowserWindow }, area) => {
    BrowserWindow.getAllWindows()[0]?.setBounds(area);
  }, wanted);
  await expect.poll(() => boundsOf(first)).toEqual(wanted);
  await first.close();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ area: wanted, maximized: false });

  const second = await openApp({ dataFolder });
  expect(await boundsOf(second)).toEqual(wanted);
  await second.close();

  writeFileSync(file, JSON.stringify({ area: { ...wanted, x: 50_000 }, maximized: false }));
  const third = await openApp({ dataFolder });
  const { x = -1, width } = (await boundsOf(third)) ?? {};
  expect(width).toBe(900);
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x).toBeLessThan(1600);
});
