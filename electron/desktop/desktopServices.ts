/** The services of the desktop entry: a file of its own, so that they can be loaded while the window opens. */
import { app, type BrowserWindow, nativeTheme } from 'electron';
import type { Services } from '../backend/host.ts';
import { createServices } from '../backend/services.ts';
import { walletWork } from '../workers/walletWork.ts';
import { createElectronHost } from './electronHost.ts';

/** What is bundled beside the main process. */
export interface Programs {
  /** The offline engine. */
  readonly engineProgram: string;
  /** `walletThread.ts`. */
  readonly walletThread: URL;
}

/** `window`: the one to show dialogs in; null in a terminal. */
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
    goesBack: true,
  });
  // Dialogs, the window's frame and what the page takes for the system's theme go by it.
  const follow = () => {
    nativeTheme.themeSource = services.settings().theme;
  };
  follow();
  services.subscribe((name) => name === 'settings' && follow());
  return services;
}
