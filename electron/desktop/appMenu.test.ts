import type { MenuItem, MenuItemConstructorOptions } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import { appMenu, tickRoute } from './appMenu.ts';

const nothing = { show() {}, checkForUpdates: null, about() {} };
const usual = { mac: false, development: false, ...nothing };

function itemsOf(menu: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return menu.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
}
const rolesOf = (menu: MenuItemConstructorOptions[]) => itemsOf(menu).map(({ role }) => role);
const find = (menu: MenuItemConstructorOptions[], label: string) =>
  itemsOf(menu).find((item) => item.label === label);

describe('the menu', () => {
  it('opens each screen and the help, each with its own shortcut', () => {
    const show = vi.fn();
    const menu = appMenu({ ...usual, show });
    const press = (label: string) => {
      const item = find(menu, label);
      Reflect.apply(item?.click ?? (() => {}), null, []);
      return [item?.accelerator, show.mock.lastCall?.[0]];
    };
    const labels = ['Open a wallet file…', 'Settings…', 'All wallets', 'Node', 'Wallet Ferry help'];
    expect(labels.map(press)).toEqual([
      ['CmdOrCtrl+O', 'open'],
      ['CmdOrCtrl+,', 'settings'],
      ['CmdOrCtrl+2', 'wallets'],
      ['CmdOrCtrl+4', 'connect'],
      ['F1', 'help'],
    ]);
  });

  it('ticks only the item of the page’s current route', () => {
    const items = new Map(
      itemsOf(appMenu(usual)).flatMap(({ id, checked = true }) => (id ? [[id, { checked }]] : [])),
    );
    tickRoute({ getMenuItemById: (id) => items.get(id) as MenuItem }, 'wallets');
    expect([...items.values()].map(({ checked }) => checked)).toEqual([false, true, false, false]);
    tickRoute({ getMenuItemById: (id) => items.get(id) as MenuItem }, 'settings');
    expect([...items.values()].some(({ checked }) => checked)).toBe(false);
    expect(() => tickRoute(null, 'home')).not.toThrow();
  });

  it.each([true, false])('has one About and one Quit, also on macOS (%s)', (mac) => {
    const menu = appMenu({ ...usual, mac });
    expect(itemsOf(menu).filter(({ label }) => label === 'About Wallet Ferry')).toHaveLength(1);
    expect(rolesOf(menu).filter((role) => role === 'quit')).toHaveLength(1);
    expect(menu[0]?.label).toBe(mac ? 'Wallet Ferry' : '&File');
  });

  it('reloads the page and opens developer tools in development only', () => {
    expect(rolesOf(appMenu(usual))).not.toContain('reload');
    expect(rolesOf(appMenu(usual))).not.toContain('toggleDevTools');
    expect(rolesOf(appMenu({ ...usual, development: true }))).toContain('reload');
  });

  it.each([true, false])('has its own label for each visible item, also on macOS (%s)', (mac) => {
    const menu = appMenu({ ...usual, mac, development: true });
    const visibleItems = [...menu, ...itemsOf(menu)].filter(
      ({ type, visible }) => type !== 'separator' && visible !== false,
    );
    expect(visibleItems.filter(({ label }) => !label).map(({ role }) => role)).toEqual([]);
  });

  it.each([true, false])('checks for updates only with a feed, also on macOS (%s)', (mac) => {
    const label = 'Check for updates…';
    const checkForUpdates = vi.fn();
    expect(find(appMenu({ ...usual, mac }), label)).toBeUndefined();
    const item = find(appMenu({ ...usual, mac, checkForUpdates }), label);
    expect(checkForUpdates).not.toHaveBeenCalled();
    Reflect.apply(item?.click ?? (() => {}), null, []);
    expect(checkForUpdates).toHaveBeenCalledOnce();
  });

  it('uses no shortcut twice', () => {
    for (const mac of [true, false]) {
      const keys = itemsOf(appMenu({ ...usual, mac })).flatMap(({ accelerator }) => accelerator ?? []);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });
});
