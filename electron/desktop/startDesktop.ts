/** What stands behind the window of the desktop entry: the folder of data, the services, and how both end. */
import '../backend/setLanguage.ts';
import { once } from 'node:events';
import { join } from 'node:path';
import { app, type BrowserWindow, dialog, Menu, screen } from 'electron';
import windowIcon from '../../build/icons/256x256.png?asset';
import { say } from '../../shared/wording/say.ts';
import type { RunningWork, Services } from '../backend/host.ts';
import { leavingWords } from '../backend/leavingWords.ts';
import { takeDataFolder } from '../backend/takeDataFolder.ts';
import { readJsonFile, tryToWriteJsonFile } from '../files/jsonFile.ts';
import { appMenu } from './appMenu.ts';
import type { Programs } from './desktopServices.ts';
import { endWith } from './endWith.ts';
import { fitWindow } from './fitWindow.ts';
import { serveOverIpc } from './ipc.ts';
import { newRelease } from './newRelease.ts';
import { updateFeed } from './updateFeed.ts';
import { windowPlace } from './windowPlace.ts';

/** Opens a backup that the system gave to the app. */
export type OpenFile = (path: string) => void;

/**
 * `page`: its origin; no other one is served. Null where the folder of data is not for this process: it has said why, and
 * the app ends.
 */
export function openDesktop(window: BrowserWindow, page: string, programs: Programs): OpenFile | null {
  const data = takeDataFolder(app.getPath('userData'));
  if (!data.taken) {
    endWith(data.message, data.hint);
    return null;
  }
  const { dataFolder } = data;

  rememberPlace(window, join(dataFolder, 'window.json'));
  // The page's files come first: the page needs the services only when it has read those.
  const loading = pageIsRead(window).then(() => loadServices(window, dataFolder, programs));
  window.on('closed', serveOverIpc(loading, window.webContents, page));
  askBeforeClosing(window, loading);
  app.on('will-quit', (event) => {
    // The offline engine ends in good order only while the app is there to ask it.
    event.preventDefault();
    void loading
      .then((services) => services.close())
      .finally(() => {
        data.release();
        app.exit();
      });
  });
  return (path) => void loading.then((services) => services.openFile(path));
}

/** Puts the hidden window where it was when it was closed, and remembers where it is when it is. */
function rememberPlace(window: BrowserWindow, file: string): void {
  const place = readJsonFile(file, windowPlace);
  const displays = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()];
  const area = fitWindow(
    place?.area ?? null,
    displays.map(({ workArea }) => workArea),
  );
  if ('x' in area) {
    window.setBounds(area);
  } else {
    window.setSize(area.width, area.height);
    window.center();
  }
  if (place?.maximized) window.once('ready-to-show', () => window.maximize());
  window.on('close', () => {
    // At once, as the window is about to be gone; a disk that cannot take it is no reason not to close.
    tryToWriteJsonFile(file, { area: window.getNormalBounds(), maximized: window.isMaximized() });
  });
}

/** Also when it could not be read, or its window is gone: what waits for this has to end some time. */
async function pageIsRead({ webContents }: BrowserWindow): Promise<void> {
  if (!webContents.isLoadingMainFrame()) return;
  await Promise.race(['dom-ready', 'did-fail-load', 'destroyed'].map((event) => once(webContents, event)));
}

async function loadServices(
  window: BrowserWindow,
  dataFolder: string,
  programs: Programs,
): Promise<Services> {
  const [{ createDesktopServices }, { showWork }] = await Promise.all([
    import('./desktopServices.ts'),
    import('./showWork.ts'),
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
    show: (place) => services.showPlace(place),
    lookForRelease: releaseLooker(window),
    about: () => app.showAboutPanel(),
  });
  Menu.setApplicationMenu(Menu.buildFromTemplate(menu));
}

/** Null where the app was packed without a feed. */
function releaseLooker(window: BrowserWindow): (() => void) | null {
  const feed = updateFeed(app.getAppPath());
  if (feed === null) return null;
  return newRelease({
    feed,
    version: app.getVersion(),
    async tell(words) {
      if (!window.isDestroyed()) await dialog.showMessageBox(window, { title: 'Wallet Ferry', ...words });
    },
  });
}

/** What becomes of what runs when the app quits is said once, plainly, before the window closes. */
function askBeforeClosing(window: BrowserWindow, loading: Promise<Services>): void {
  let services: Services | null = null;
  /** Set once the user has agreed, so that the question comes once. */
  let leaving = false;
  void loading.then((loaded) => {
    services = loaded;
  });
  window.on('close', (event) => {
    const running = services?.running();
    if (leaving || !running || running.all === 0) return;
    event.preventDefault();
    void agreesToLeave(window, running).then((agreed) => {
      if (!agreed) return;
      leaving = true;
      window.close();
    });
  });
}

async function agreesToLeave(window: BrowserWindow, running: RunningWork): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    title: 'Wallet Ferry',
    ...leavingWords(running),
    buttons: [say('Stay'), say('Quit')],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  return response === 1;
}
