/// <reference types="electron-vite/node" />
/** The desktop entry: one window on the page, the services behind it, and how both end. */
import './files/ownLanguage.ts';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app, BrowserWindow, dialog, Menu, protocol, screen, session } from 'electron';
import windowIcon from '../build/icons/256x256.png?asset';
import { errorShapeOf } from '../shared/errors.ts';
import { say } from '../shared/say.ts';
import { lockDataFolder } from './files/lockDataFolder.ts';
import { refuseSharedFolder } from './files/refuseSharedFolder.ts';
import { appMenu } from './host/appMenu.ts';
import { fileArgument } from './host/fileArgument.ts';
import { fitWindow, SMALLEST_WINDOW } from './host/fitWindow.ts';
import { originOf, serveOverIpc } from './host/ipc.ts';
import { keepChromiumOffline } from './host/keepChromiumOffline.ts';
import { leavingWords } from './host/leavingWords.ts';
import { pageFile } from './host/page.ts';
import { refuseDebugging } from './host/refuseDebugging.ts';
import { refusePermissions } from './host/refusePermissions.ts';
import { runsAlreadyWords } from './host/runsAlreadyWords.ts';
import { readWindowPlace, writeWindowPlace } from './host/windowPlace.ts';
import { asksAboutSandbox, OPEN_WITHOUT_SANDBOX, withoutSandboxQuestion } from './host/withoutSandbox.ts';
import type { RunningWork, Services } from './services.ts';

const SCHEME = 'ferry';
const PAGE = `${SCHEME}://app/`;
const ORIGIN = originOf(PAGE);
const pageFolder = fileURLToPath(new URL('../renderer', import.meta.url));
const engineProgram = fileURLToPath(new URL('./engine.cjs', import.meta.url));
const walletThread = new URL('./walletThread.cjs', import.meta.url);
const preload = fileURLToPath(new URL('../preload/preload.cjs', import.meta.url));

let window: BrowserWindow | null = null;
let services: Services | null = null;
/** A file the app was opened with before its services were there. */
let firstFile: string | null = null;
/** Set once the user has agreed to leave while operations run, so that the question comes once. */
let leaving = false;

// The folder is set before anything asks for it, so that tests and portable installs keep their own.
const ownFolder = process.env.WALLET_FERRY_DATA;
if (ownFolder) app.setPath('userData', ownFolder);

// The dev server of electron-vite, for work on the page; a packaged app takes no such word.
const devServer = app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL;
if (devServer === undefined) keepChromiumOffline();

protocol.registerSchemesAsPrivileged([
  { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
]);
// Chromium's own switch rules its sandbox out (as root there is none): forcing it then kills every process.
const noSandbox = app.commandLine.hasSwitch('no-sandbox');
if (!noSandbox) app.enableSandbox();
refuseDebugging();

// Else Electron makes one of its own first.
Menu.setApplicationMenu(null);

if (app.requestSingleInstanceLock()) {
  app.on('second-instance', (_event, argv, workingFolder) => {
    if (window?.isMinimized()) window.restore();
    window?.focus();
    openWith(fileArgument(argv, workingFolder));
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    openWith(path);
  });
  app.on('web-contents-created', (_, contents) => {
    contents.on('will-navigate', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  });
  void app.whenReady().then(begin);
} else {
  app.quit();
}

async function begin(): Promise<void> {
  if (asksAboutSandbox({ packaged: app.isPackaged, noSandbox, user: process.getuid?.() })) {
    const question = withoutSandboxQuestion();
    process.stderr.write(`${question.message}.\n${question.detail}\n`);
    const { response } = await dialog.showMessageBox(question);
    if (response !== OPEN_WITHOUT_SANDBOX) return app.exit();
  }
  start();
}

function start(): void {
  // The browser entry may use the same folder; Electron's own lock knows only of desktop ones.
  const dataFolder = app.getPath('userData');
  try {
    refuseSharedFolder(dataFolder);
  } catch (error) {
    const { message, hint } = errorShapeOf(error);
    endWith(message, hint);
    return;
  }
  const lock = lockDataFolder(dataFolder);
  if (!lock.taken) {
    const { message, detail } = runsAlreadyWords({ dataFolder, ...lock });
    endWith(message, detail);
    return;
  }
  refusePermissions(session.defaultSession);
  servePage();

  // They load from the next turn on, beside what the window asks of the system: that takes as long.
  const loading = loadServices(dataFolder);
  openWindow(loading);
  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', (event) => {
    // The offline engine ends in good order only while the app is there to ask it.
    event.preventDefault();
    void loading
      .then((built) => built.close())
      .finally(() => {
        lock.release();
        app.exit();
      });
  });
}

/** Says why there is no window, and ends. */
function endWith(message: string, detail: string): void {
  process.stderr.write(`${message}\n${detail}\n`);
  dialog.showErrorBox(message, detail);
  app.exit(1);
}

async function loadServices(dataFolder: string): Promise<Services> {
  const { createDesktopServices } = await import('./desktopServices.ts');
  const built = createDesktopServices({
    window: () => window,
    engineProgram,
    walletThread,
    dataFolder,
    version: app.getVersion(),
  });
  services = built;
  setMenu(built);
  openWith(firstFile ?? fileArgument(process.argv, process.cwd()));
  return built;
}

function openWith(path: string | null): void {
  if (path === null) return;
  if (services) services.openFile(path);
  else firstFile = path;
}

function setMenu(services: Services): void {
  app.setAboutPanelOptions({
    applicationName: 'Wallet Ferry',
    applicationVersion: app.getVersion(),
    copyright: say('MIT licence'),
    iconPath: windowIcon,
  });
  const menu = appMenu({
    mac: process.platform === 'darwin',
    development: !app.isPackaged,
    restore: () => services.showPlace('restore'),
    inspect: () => services.showPlace('inspect'),
    guide: () => services.showPlace('guide'),
    about: () => app.showAboutPanel(),
  });
  Menu.setApplicationMenu(Menu.buildFromTemplate(menu));
}

function servePage(): void {
  protocol.handle(SCHEME, async (request) => {
    if (originOf(request.url) !== ORIGIN || request.method !== 'GET') {
      return new Response('Not found', { status: 404 });
    }
    const file = await pageFile(pageFolder, new URL(request.url).pathname);
    return new Response(new Uint8Array(file.body), { status: file.status, headers: file.headers });
  });
}

function openWindow(loading: Promise<Services>): void {
  const placeFile = join(app.getPath('userData'), 'window.json');
  const place = readWindowPlace(placeFile);
  const displays = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()];
  const opened = new BrowserWindow({
    title: 'Wallet Ferry',
    ...fitWindow(
      place?.area ?? null,
      displays.map(({ workArea }) => workArea),
    ),
    minWidth: SMALLEST_WINDOW.width,
    minHeight: SMALLEST_WINDOW.height,
    icon: windowIcon,
    show: false,
    autoHideMenuBar: true,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      spellcheck: false,
    },
  });
  window = opened;
  const page = devServer ?? PAGE;
  const stop = serveOverIpc(loading, opened.webContents, originOf(page));
  opened.once('ready-to-show', () => {
    if (place?.maximized) opened.maximize();
    opened.show();
  });
  opened.on('close', (event) => {
    writeWindowPlace(placeFile, { area: opened.getNormalBounds(), maximized: opened.isMaximized() });
    const running = services?.running();
    if (leaving || !running || running.all === 0) return;
    event.preventDefault();
    void confirmLeaving(opened, running);
  });
  opened.on('closed', () => {
    stop();
    window = null;
  });
  void opened.loadURL(page);
}

/** What becomes of what runs when the app quits: said once, plainly, before the window closes. */
async function confirmLeaving(opened: BrowserWindow, running: RunningWork): Promise<void> {
  const { response } = await dialog.showMessageBox(opened, {
    type: 'warning',
    title: 'Wallet Ferry',
    ...leavingWords(running),
    buttons: [say('Stay'), say('Quit the app')],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  if (response !== 1) return;
  leaving = true;
  opened.close();
}
