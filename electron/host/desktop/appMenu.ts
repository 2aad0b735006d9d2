/** The menu of the app with its keys, as each system has it. Electron's own labels of roles are English everywhere. */
import type { MenuItemConstructorOptions } from 'electron';
import { say } from '../../../shared/text/say.ts';

interface MenuOptions {
  mac: boolean;
  /** Work on the app itself: only then can its page be loaded anew and looked into. */
  development: boolean;
  start(): void;
  guide(): void;
  /** Null where the app was packed without a feed of releases: then there is no such entry. */
  lookForRelease: (() => void) | null;
  about(): void;
}

export function appMenu(options: MenuOptions): MenuItemConstructorOptions[] {
  const { mac, development, start, guide, lookForRelease, about } = options;
  const aboutItem: MenuItemConstructorOptions = { label: say('About Wallet Ferry'), click: about };
  return [
    ...(mac ? [macMenu(aboutItem)] : []),
    {
      label: say('&File'),
      submenu: [
        { label: say('Open a wallet file…'), accelerator: 'CmdOrCtrl+O', click: start },
        { type: 'separator' },
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
    ...(mac ? [windowMenu] : []),
    {
      // The role has macOS put its search of the menus here.
      role: 'help',
      label: say('&Help'),
      submenu: [
        { label: say('I found an old wallet.dat'), accelerator: 'F1', click: guide },
        ...(lookForRelease ? [{ label: say('Check for updates…'), click: lookForRelease }] : []),
        ...(mac ? [] : [separator, aboutItem]),
      ],
    },
  ];
}

function macMenu(about: MenuItemConstructorOptions): MenuItemConstructorOptions {
  return {
    label: 'Wallet Ferry',
    submenu: [
      about,
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
