/** The services of the desktop entry, in a file of their own so that they can load while the window opens. */
import { app, type BrowserWindow, nativeTheme } from 'electron';
import type { Services } from '../backend/host.ts';
import { createServices } from '../backend/services.ts';
import { walletWork } from '../workers/walletWork.ts';
import { createElectronHost } from './electronHost.ts';

/** The programs that are bundled next to the main process. */
export interface Programs {
  readonly engineProgram: string;
  /** `walletThread.ts`. */
  readonly walletThread: URL;
}

/** `window` shows the dialogs; null in a terminal. */
export function createDesktopServices(
  window: BrowserWindow | null,
  dataFolder: string,
  { engineProgram, walletThread }: Programs,
): Services {
  const services = createServices({
    host: createElectronHost(window, engineProgram),
    dataFolder,
    walletWork: walletWork(walletThread),
    version: app.getVersion(),
    fromTerminal: window === null,
    reconnects: true,
  });
  // Sets the theme of dialogs, of the window's frame and of the page.
  const setTheme = () => {
    nativeTheme.themeSource = services.settings().theme;
  };
  setTheme();
  services.subscribe((name) => name === 'settings' && setTheme());
  return services;
}
