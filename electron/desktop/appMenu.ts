/** The menu of the app with its keys, as each system has it. Electron's own labels of roles are English everywhere. */
import type { Menu, MenuItemConstructorOptions } from 'electron';
import type { EventValue } from '../../shared/contract.ts';
import { say } from '../../shared/wording/say.ts';

export type ShownPlace = EventValue<'showPlace'>['place'];

interface MenuOptions {
  mac: boolean;
  /** Work on the app itself: only then can its page be loaded anew and looked into. */
  development: boolean;
  show(place: ShownPlace): void;
  /** Null where the app was packed without a feed of releases: then there is no such entry. */
  lookForRelease: (() => void) | null;
  about(): void;
}

export function appMenu(options: MenuOptions): MenuItemConstructorOptions[] {
  const { mac, development, show, lookForRelease, about } = options;
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
        { label: say('Open a wallet file…'), accelerator: 'CmdOrCtrl+O', click: () => show('start') },
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
        // The same key without Shift, as on most keyboards.
        { role: 'zoomIn', accelerator: 'CmdOrCtrl+=', visible: false },
        { role: 'zoomOut', label: say('Zoom out') },
        { type: 'separator' },
        { role: 'togglefullscreen', label: say('Full screen') },
        ...(development ? developmentItems : []),
      ],
    },
    {
      label: say('&Go'),
      submenu: PLACES.map(({ place, label }, index) => ({
        id: menuIdOf(place),
        label,
        type: 'checkbox',
        accelerator: `CmdOrCtrl+${index + 1}`,
        click: () => show(place),
      })),
    },
    ...(mac ? [windowMenu] : []),
    {
      // The role has macOS put its search of the menus here.
      role: 'help',
      label: say('&Help'),
      submenu: [
        { label: say('Wallet Ferry help'), accelerator: 'F1', click: () => show('help') },
        ...(lookForRelease ? [{ label: say('Check for updates…'), click: lookForRelease }] : []),
        ...(mac ? [] : [separator, aboutItem]),
      ],
    },
  ];
}

/** As the page has them. */
const PLACES: readonly { place: ShownPlace; label: string }[] = [
  { place: 'start', label: say('Start') },
  { place: 'wallets', label: say('Wallets') },
  { place: 'activity', label: say('Activity') },
  { place: 'connect', label: say('Node') },
];

function menuIdOf(place: string): string {
  return `place ${place}`;
}

/** Ticks the place that the page is at, and no other one. */
export function tickPlace(menu: Pick<Menu, 'getMenuItemById'> | null, at: string): void {
  for (const { place } of PLACES) {
    const item = menu?.getMenuItemById(menuIdOf(place));
    if (item) item.checked = place === at;
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
