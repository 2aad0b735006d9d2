/** The services of the desktop entry: a file of its own, so that they can be loaded while the window opens. */
import { type BrowserWindow, nativeTheme } from 'electron';
import { createElectronHost } from './host/desktop/electronHost.ts';
import type { Services } from './host/host.ts';
import { createServices } from './services.ts';
import { walletWork } from './threads/walletWork.ts';

export interface DesktopServicesOptions {
  /** The one to show dialogs in. */
  window: () => BrowserWindow | null;
  /** The bundled offline engine. */
  engineProgram: string;
  /** The bundled `walletThread.ts`. */
  walletThread: URL;
  dataFolder: string;
  version: string;
}

export function createDesktopServices(options: DesktopServicesOptions): Services {
  const { window, engineProgram, walletThread, dataFolder, version } = options;
  const services = createServices({
    host: createElectronHost(window, engineProgram),
    dataFolder,
    walletWork: walletWork(walletThread),
    version,
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
