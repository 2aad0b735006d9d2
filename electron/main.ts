/** The desktop entry: one window on the page, the services behind it, and how both end. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app, BrowserWindow, dialog, protocol, session } from 'electron';
import { lockDataFolder } from './files/lockDataFolder.ts';
import { walletWork } from './files/walletWork.ts';
import { createElectronHost } from './host/electronHost.ts';
import { originOf, serveOverIpc } from './host/ipc.ts';
import { leavingWords } from './host/leavingWords.ts';
import { pageFile } from './host/page.ts';
import { createServices, type RunningWork, type Services } from './services.ts';

const SCHEME = 'ferry';
const PAGE = `${SCHEME}://app/`;
const ORIGIN = originOf(PAGE);
const pageFolder = fileURLToPath(new URL('../renderer', import.meta.url));
const engineProgram = fileURLToPath(new URL('./engine.cjs', import.meta.url));
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

protocol.registerSchemesAsPrivileged([
  { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
]);
// Chromium's own switch rules its sandbox out (as root there is none): forcing it then kills every process.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();

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
  void app.whenReady().then(start);
} else {
  app.quit();
}

function start(): void {
  const ours = session.defaultSession;
  ours.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  ours.setPermissionCheckHandler(() => false);
  ours.setDevicePermissionHandler(() => false);
  servePage();

  const built = createServices({
    host: createElectronHost(() => window, engineProgram),
    dataFolder: app.getPath('userData'),
    walletWork: walletWork(new URL('./walletThread.cjs', import.meta.url)),
    version: app.getVersion(),
  });
  services = built;
  openWith(firstFile ?? fileArgument(process.argv, process.cwd()));
  openWindow(built);
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) openWindow(built);
  });
  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', (event) => {
    // The offline engine ends in good order only while the app is there to ask it.
    event.preventDefault();
    void built.close().finally(() => app.exit());
  });
}

function openWith(path: string | null): void {
  if (path === null) return;
  if (services) services.openFile(path);
  else firstFile = path;
}

/** The backup file among a command line's words: the last one that is a `.bak` or `.dat`, made absolute. */
function fileArgument(argv: readonly string[], workingFolder: string): string | null {
  const word = argv.slice(1).findLast((one) => !one.startsWith('-') && /\.(bak|dat)$/i.test(one));
  return word === undefined ? null : resolve(workingFolder, word);
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

function openWindow(services: Services): void {
  const opened = new BrowserWindow({
    title: 'Wallet Ferry',
    width: 1100,
    height: 760,
    minWidth: 480,
    minHeight: 400,
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
  // The dev server of electron-vite, for work on the page; a packaged app takes no such word.
  const devServer = app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL;
  const page = devServer ?? PAGE;
  const stop = serveOverIpc(services, opened.webContents, originOf(page));
  opened.once('ready-to-show', () => opened.show());
  opened.on('close', (event) => {
    const running = services.running();
    if (leaving || running.all === 0) return;
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
    buttons: ['Stay', 'Quit the app'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  if (response !== 1) return;
  leaving = true;
  opened.close();
}
