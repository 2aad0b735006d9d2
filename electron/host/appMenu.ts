/** The menu of the app with its keys, as each system has it. */
import type { MenuItemConstructorOptions } from 'electron';
import { say } from '../../shared/say.ts';

export interface MenuOptions {
  mac: boolean;
  /** Work on the app itself: only then can its page be loaded anew and looked into. */
  development: boolean;
  restore(): void;
  inspect(): void;
  guide(): void;
  about(): void;
}

export function appMenu(options: MenuOptions): MenuItemConstructorOptions[] {
  const { mac, development, restore, inspect, guide, about } = options;
  const aboutItem: MenuItemConstructorOptions = { label: say('About Wallet Ferry'), click: about };
  return [
    ...(mac ? [macMenu(aboutItem)] : []),
    {
      label: say('&File'),
      submenu: [
        { label: say('Restore a backup…'), accelerator: 'CmdOrCtrl+O', click: restore },
        { label: say('Inspect a file…'), accelerator: 'CmdOrCtrl+I', click: inspect },
        { type: 'separator' },
        mac ? { role: 'close' } : { role: 'quit', accelerator: 'Ctrl+Q' },
      ],
    },
    {
      label: say('&Edit'),
      submenu: [
        { role: 'undo' },
        { role: 'redo' },
        { type: 'separator' },
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'delete' },
        { type: 'separator' },
        { role: 'selectAll' },
      ],
    },
    {
      label: say('&View'),
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        // The same key without Shift, as on most keyboards.
        { role: 'zoomIn', accelerator: 'CmdOrCtrl+=', visible: false },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
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
      { role: 'services' },
      { type: 'separator' },
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      { type: 'separator' },
      { role: 'quit' },
    ],
  };
}

const windowMenu: MenuItemConstructorOptions = {
  role: 'windowMenu',
  submenu: [{ role: 'minimize' }, { role: 'zoom' }, { type: 'separator' }, { role: 'front' }],
};

const developmentItems: MenuItemConstructorOptions[] = [
  { type: 'separator' },
  { role: 'reload' },
  { role: 'toggleDevTools' },
];

const separator: MenuItemConstructorOptions = { type: 'separator' };
