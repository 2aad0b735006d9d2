/** The desktop entry's menu, theme and window position. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseInMenu } from '../../app/openElectron.ts';
import { goTo, heading, walletHeading } from '../../app/steps.ts';
import { type App, expect, fixtureFile, test } from '../../app.ts';

test('the menus of the window and of the icon open a file, each page and the help; the app quits without a question', async ({
  openApp,
  home,
}) => {
  const [first, second] = [join(home, 'first.dat'), join(home, 'second.dat')];
  for (const file of [first, second]) copyFileSync(fixtureFile('descriptor-hd'), file);
  const app = await openApp();
  await app.pickFile(first, async () => {
    expect(await chooseInMenu(app.electron, 'Open a wallet file…')).toBe('CmdOrCtrl+O');
  });
  await expect(walletHeading(app.page, 'first.dat')).toBeVisible();
  // A second start from the icon's menu.
  await app.pickFile(second, async () => {
    await app.electron?.evaluate(({ app: own }) => {
      own.emit('second-instance', {}, ['wallet-ferry', '--choose-file'], '/');
    });
  });
  await expect(walletHeading(app.page, 'second.dat')).toBeVisible();
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
  await expect(app.page.getByRole('checkbox', { name: 'Notify after long work' })).toBeChecked();
  await expect.poll(ticked).toEqual([]);
  // The help menu offers no update, because this app was built without a feed of releases.
  const help = await app.electron?.evaluate(({ Menu }) => {
    const menu = Menu.getApplicationMenu()?.items.find(({ role }) => role === 'help');
    return menu?.submenu?.items.flatMap(({ type, label }) => (type === 'separator' ? [] : [label]));
  });
  expect(help).toEqual([
    'Wallet Ferry help',
    ...(process.platform === 'darwin' ? [] : ['About Wallet Ferry']),
  ]);
  await app.electron?.evaluate(({ app: own }) => {
    own.showAboutPanel = () => Object.assign(globalThis, { aboutShown: true });
  });
  await chooseInMenu(app.electron, 'About Wallet Ferry');
  await expect.poll(() => app.electron?.evaluate(() => Reflect.get(globalThis, 'aboutShown'))).toBe(true);

  // Nothing runs, so the app quits without a question.
  const closed = app.electron?.waitForEvent('close');
  await app.electron?.evaluate(({ app: own, dialog }) => {
    dialog.showMessageBox = () => Promise.reject(new Error('asked'));
    own.quit();
  });
  await closed;
});

const boundsOf = ({ electron }: App) =>
  electron?.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());

const isDark = ({ electron }: App) =>
  electron?.evaluate(({ nativeTheme }) => [nativeTheme.themeSource, nativeTheme.shouldUseDarkColors]);

test('the window reopens with its theme and at its last position, but always on the screen', async ({
  openApp,
  home,
}) => {
  const dataFolder = join(home, 'ferry-data');
  const file = join(dataFolder, 'window.json');
  const wanted = { x: 120, y: 90, width: 900, height: 640 };
  const first = await openApp({ dataFolder });
  await goTo(first, 'Settings');
  await first.page.getByRole('radio', { name: 'Dark' }).check();
  await expect.poll(() => isDark(first)).toEqual(['dark', true]);
  await first.electron?.evaluate(({ BrowserWindow }, area) => {
    BrowserWindow.getAllWindows()[0]?.setBounds(area);
  }, wanted);
  await expect.poll(() => boundsOf(first)).toEqual(wanted);
  await first.close();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ area: wanted, maximized: false });

  const second = await openApp({ dataFolder });
  expect(await boundsOf(second)).toEqual(wanted);
  expect(await isDark(second)).toEqual(['dark', true]);
  await second.close();

  writeFileSync(file, JSON.stringify({ area: { ...wanted, x: 50_000 }, maximized: false }));
  const third = await openApp({ dataFolder });
  const { x = -1, width } = (await boundsOf(third)) ?? {};
  expect(width).toBe(900);
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x).toBeLessThan(1600);
});
