import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import { appMenu } from './appMenu.ts';

const nothing = { start() {}, guide() {}, lookForRelease: null, about() {} };
const usual = { mac: false, development: false, ...nothing };

function itemsOf(menu: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return menu.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
}
const rolesOf = (menu: MenuItemConstructorOptions[]) => itemsOf(menu).map(({ role }) => role);
const find = (menu: MenuItemConstructorOptions[], label: string) =>
  itemsOf(menu).find((item) => item.label === label);

describe('the menu', () => {
  it('leads to the place that takes a file and to the guide, each by a key of its own', () => {
    const [start, guide] = [vi.fn(), vi.fn()];
    const menu = appMenu({ ...usual, start, guide });
    const labels = ['Open a wallet file…', 'I found an old wallet.dat'];
    const items = labels.map((label) => find(menu, label));
    expect(items.map((item) => item?.accelerator)).toEqual(['CmdOrCtrl+O', 'F1']);
    for (const item of items) Reflect.apply(item?.click ?? (() => {}), null, []);
    expect([start, guide].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  });

  it.each([true, false])('has one About and one Quit, also on macOS (%s)', (mac) => {
    const menu = appMenu({ ...usual, mac });
    expect(itemsOf(menu).filter(({ label }) => label === 'About Wallet Ferry')).toHaveLength(1);
    expect(rolesOf(menu).filter((role) => role === 'quit')).toHaveLength(1);
    expect(menu[0]?.label).toBe(mac ? 'Wallet Ferry' : '&File');
  });

  it('can reload the page and look into it in development alone', () => {
    expect(rolesOf(appMenu(usual))).not.toContain('reload');
    expect(rolesOf(appMenu(usual))).not.toContain('toggleDevTools');
    expect(rolesOf(appMenu({ ...usual, development: true }))).toContain('reload');
  });

  it.each([true, false])('has words of its own for all that shows, also on macOS (%s)', (mac) => {
    const menu = appMenu({ ...usual, mac, development: true });
    const shown = [...menu, ...itemsOf(menu)].filter(
      ({ type, visible }) => type !== 'separator' && visible !== false,
    );
    expect(shown.filter(({ label }) => !label).map(({ role }) => role)).toEqual([]);
  });

  it.each([true, false])('looks for a new release only where there is a feed, also on macOS (%s)', (mac) => {
    const label = 'Check for updates…';
    const lookForRelease = vi.fn();
    expect(find(appMenu({ ...usual, mac }), label)).toBeUndefined();
    const item = find(appMenu({ ...usual, mac, lookForRelease }), label);
    expect(lookForRelease).not.toHaveBeenCalled();
    Reflect.apply(item?.click ?? (() => {}), null, []);
    expect(lookForRelease).toHaveBeenCalledOnce();
  });

  it('uses no key twice', () => {
    for (const mac of [true, false]) {
      const keys = itemsOf(appMenu({ ...usual, mac })).flatMap(({ accelerator }) => accelerator ?? []);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });
});
