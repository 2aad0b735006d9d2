/** The app's menu and its shortcuts on each system. Every role has a label, because Electron's own ones are English. */
import type { Menu, MenuItemConstructorOptions } from 'electron';
import type { EventValue } from '../../shared/contract.ts';
import { say } from '../../shared/wording/say.ts';

type Route = EventValue<'showRoute'>['route'];

interface MenuOptions {
  mac: boolean;
  /** Adds the reload and developer tools items. */
  development: boolean;
  show(route: Route): void;
  /** Null if the app was packed without a feed of releases, which leaves the item out. */
  checkForUpdates: (() => void) | null;
  about(): void;
}

export function appMenu(options: MenuOptions): MenuItemConstructorOptions[] {
  const { mac, development, show, checkForUpdates, about } = options;
  const aboutItem: MenuItemConstructorOptions = { label: say('About Wallet Ferry'), click: about };
  const settingsItem: MenuItemConstructorOptions = {
    label: say('Settings…'),
    accelerator: 'CmdOrCtrl+,',
    click: () => show('settings'),
  };
  return [
    ...(mac ? [macMenu(aboutItem, settingsItem)] : []),
    {
      label: say('&File'),
      submenu: [
        { label: say('Open a wallet file…'), accelerator: 'CmdOrCtrl+O', click: () => show('open') },
        { type: 'separator' },
        ...(mac ? [] : [settingsItem, separator]),
        mac
          ? { role: 'close', label: say('Close the window') }
          : { role: 'quit', label: say('Quit'), accelerator: 'Ctrl+Q' },
      ],
    },
    {
      label: say('&Edit'),
      submenu: [
        { role: 'undo', label: say('Undo') },
        { role: 'redo', label: say('Redo') },
        { type: 'separator' },
        { role: 'cut', label: say('Cut') },
        { role: 'copy', label: say('Copy') },
        { role: 'paste', label: say('Paste') },
        { role: 'delete', label: say('Delete') },
        { type: 'separator' },
        { role: 'selectAll', label: say('Select all') },
      ],
    },
    {
      label: say('&View'),
      submenu: [
        { role: 'resetZoom', label: say('Actual size') },
        { role: 'zoomIn', label: say('Zoom in') },
        // The same key without Shift, where most keyboards have the plus.
        { role: 'zoomIn', accelerator: 'CmdOrCtrl+=', visible: false },
        { role: 'zoomOut', label: say('Zoom out') },
        { type: 'separator' },
        { role: 'togglefullscreen', label: say('Full screen') },
        ...(development ? developmentItems : []),
      ],
    },
    {
      label: say('&Go'),
      submenu: ROUTES.map(({ route, label }, index) => ({
        id: menuIdOf(route),
        label,
        type: 'checkbox',
        accelerator: `CmdOrCtrl+${index + 1}`,
        click: () => show(route),
      })),
    },
    ...(mac ? [windowMenu] : []),
    {
      // With this role macOS adds its menu search here.
      role: 'help',
      label: say('&Help'),
      submenu: [
        { label: say('Wallet Ferry help'), accelerator: 'F1', click: () => show('help') },
        ...(checkForUpdates ? [{ label: say('Check for updates…'), click: checkForUpdates }] : []),
        ...(mac ? [] : [separator, aboutItem]),
      ],
    },
  ];
}

/** The page's main screens, in its order. */
const ROUTES: readonly { route: Route; label: string }[] = [
  { route: 'home', label: say('Home') },
  { route: 'wallets', label: say('All wallets') },
  { route: 'history', label: say('History') },
  { route: 'connect', label: say('Node') },
];

function menuIdOf(route: string): string {
  return `route ${route}`;
}

/** Ticks only the item of the page's current route. */
export function tickRoute(menu: Pick<Menu, 'getMenuItemById'> | null, current: string): void {
  for (const { route } of ROUTES) {
    const item = menu?.getMenuItemById(menuIdOf(route));
    if (item) item.checked = route === current;
  }
}

function macMenu(
  about: MenuItemConstructorOptions,
  settings: MenuItemConstructorOptions,
): MenuItemConstructorOptions {
  return {
    label: 'Wallet Ferry',
    submenu: [
      about,
      { type: 'separator' },
      settings,
      { type: 'separator' },
      { role: 'services', label: say('Services') },
      { type: 'separator' },
      { role: 'hide', label: say('Hide Wallet Ferry') },
      { role: 'hideOthers', label: say('Hide others') },
      { role: 'unhide', label: say('Show all') },
      { type: 'separator' },
      { role: 'quit', label: say('Quit Wallet Ferry') },
    ],
  };
}

const windowMenu: MenuItemConstructorOptions = {
  role: 'windowMenu',
  label: say('Window'),
  submenu: [
    { role: 'minimize', label: say('Minimize') },
    { role: 'zoom', label: say('Zoom') },
    { type: 'separator' },
    { role: 'front', label: say('Bring all to front') },
  ],
};

const developmentItems: MenuItemConstructorOptions[] = [
  { type: 'separator' },
  { role: 'reload', label: say('Reload') },
  { role: 'toggleDevTools', label: say('Developer tools') },
];

const separator: MenuItemConstructorOptions = { type: 'separator' };
