/** The desktop entry behind its window: takes the data folder, loads the services, and closes both. */
import '../backend/setLanguage.ts';
import { once } from 'node:events';
import { join } from 'node:path';
import { app, type BrowserWindow, dialog, Menu, screen } from 'electron';
import windowIcon from '../../build/icons/256x256.png?asset';
import { say } from '../../shared/wording/say.ts';
import { leavingWords, type Services } from '../backend/host.ts';
import { takeDataFolder } from '../backend/takeDataFolder.ts';
import { readJsonFile, tryToWriteJsonFile } from '../files/durableFile.ts';
import { appMenu } from './appMenu.ts';
import type { Programs } from './desktopServices.ts';
import { iconTask, type OpenRequest } from './fileArgument.ts';
import { fitWindow, windowBounds } from './fitWindow.ts';
import { serveOverIpc } from './ipc.ts';
import { createReleaseCheck, updateFeed } from './newRelease.ts';
import { exitWithError } from './startDialogs.ts';

/** Shows what the system asked the app for. */
export type ShowRequested = (request: OpenRequest) => void;

/**
 * `page`: the page's origin, the only one it serves. Null if this process cannot use the data folder: it then shows the
 * reason and exits.
 */
export function openDesktop(window: BrowserWindow, page: string, programs: Programs): ShowRequested | null {
  const data = takeDataFolder(app.getPath('userData'));
  if (!data.taken) {
    exitWithError(data.message, data.hint);
    return null;
  }
  const { dataFolder } = data;

  rememberBounds(window, join(dataFolder, 'window.json'));
  // The page gets its files first: it needs the services only after that, and nothing is served while they load.
  const loading = pageLoaded(window).then(() => loadServices(window, dataFolder, programs));
  window.on('closed', serveOverIpc(loading, window.webContents, page));
  askBeforeClosing(window, loading);
  app.on('will-quit', (event) => {
    // The app must stay until it has shut down the offline engine.
    event.preventDefault();
    void loading
      .then((services) => services.close())
      .finally(() => {
        data.release();
        app.exit();
      });
  });
  return (request) =>
    void loading.then((services) =>
      'file' in request ? services.openFile(request.file) : services.showRoute(request.route),
    );
}

/** Restores the hidden window's bounds from `file`, and saves them there when the window closes. */
function rememberBounds(window: BrowserWindow, file: string): void {
  const saved = readJsonFile(file, windowBounds);
  const displays = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()];
  const area = fitWindow(
    saved?.area ?? null,
    displays.map(({ workArea }) => workArea),
  );
  if ('x' in area) {
    window.setBounds(area);
  } else {
    window.setSize(area.width, area.height);
    window.center();
  }
  if (saved?.maximized) window.once('ready-to-show', () => window.maximize());
  window.on('close', () => {
    // Synchronously, before the window is gone. A full disk must not keep it open.
    tryToWriteJsonFile(file, { area: window.getNormalBounds(), maximized: window.isMaximized() });
  });
}

/** Resolves even if the page fails to load or its window closes, so that nothing waits forever. */
async function pageLoaded({ webContents }: BrowserWindow): Promise<void> {
  if (!webContents.isLoadingMainFrame()) return;
  await Promise.race(
    ['did-finish-load', 'did-fail-load', 'destroyed'].map((event) => once(webContents, event)),
  );
}

async function loadServices(
  window: BrowserWindow,
  dataFolder: string,
  programs: Programs,
): Promise<Services> {
  const [{ createDesktopServices }, { showRunningJobs: showWork }] = await Promise.all([
    import('./desktopServices.ts'),
    import('./jobIndicators.ts'),
  ]);
  const services = createDesktopServices(window, dataFolder, programs);
  setMenu(services, window);
  showWork(services, window);
  return services;
}

function setMenu(services: Services, window: BrowserWindow): void {
  app.setAboutPanelOptions({
    applicationName: 'Wallet Ferry',
    applicationVersion: app.getVersion(),
    copyright: say('MIT licence'),
    iconPath: windowIcon,
  });
  const menu = appMenu({
    mac: process.platform === 'darwin',
    development: !app.isPackaged,
    show: (route) => services.showRoute(route),
    checkForUpdates: updateCheck(window),
    about: () => app.showAboutPanel(),
  });
  Menu.setApplicationMenu(Menu.buildFromTemplate(menu));
  offerTask(() => services.showRoute('open'));
}

/** Offers to choose a wallet file in the menu of the taskbar's or the dock's icon; `build/electron-builder.mjs` does so for Linux. */
function offerTask(choose: () => void): void {
  const label = say('Open a wallet file…');
  // Only macOS has a dock.
  app.dock?.setMenu(Menu.buildFromTemplate([{ label, click: choose }]));
  const task = iconTask(label, {
    platform: process.platform,
    packaged: app.isPackaged,
    portable: process.env.PORTABLE_EXECUTABLE_FILE,
    path: process.execPath,
  });
  if (task !== null) app.setUserTasks([task]);
}

/** Null if the app was packed without a feed. */
function updateCheck(window: BrowserWindow): (() => void) | null {
  const feed = updateFeed(app.getAppPath());
  if (feed === null) return null;
  return createReleaseCheck({
    feed,
    version: app.getVersion(),
    async show(message) {
      if (!window.isDestroyed()) await dialog.showMessageBox(window, { title: 'Wallet Ferry', ...message });
    },
  });
}

/** Asks before the window closes while jobs run or wait, and says what happens to them. */
function askBeforeClosing(window: BrowserWindow, loading: Promise<Services>): void {
  let services: Services | null = null;
  /** The user agreed to quit: do not ask again. */
  let leaving = false;
  void loading.then((loaded) => {
    services = loaded;
  });
  window.on('close', (event) => {
    if (leaving || services === null) return;
    const [running, waits] = [services.running(), services.waits()];
    if (running.length === 0 && !waits) return;
    event.preventDefault();
    void agreesToLeave(window, leavingWords(running, waits)).then((agreed) => {
      if (!agreed) return;
      leaving = true;
      window.close();
    });
  });
}

async function agreesToLeave(
  window: BrowserWindow,
  words: ReturnType<typeof leavingWords>,
): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    title: 'Wallet Ferry',
    ...words,
    buttons: [say('Stay'), say('Quit')],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  return response === 1;
}
