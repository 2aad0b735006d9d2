/// <reference types="electron-vite/node" />
/**
 * The desktop entry: opens its window first, hands the page its document, and loads what stands behind the window while
 * the page reads that. What is imported here comes before the window, so it is little.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  app,
  BrowserWindow,
  dialog,
  Menu,
  type ProtocolRequest,
  type ProtocolResponse,
  protocol,
  session,
} from 'electron';
import windowIcon from '../build/icons/256x256.png?asset';
import { temporaryFolder } from './backend/temporaryFolder.ts';
import { ferryArguments, fileArgument } from './desktop/fileArgument.ts';
import { FIRST_WINDOW, SMALLEST_WINDOW } from './desktop/fitWindow.ts';
import { originOf } from './desktop/ipc.ts';
import { refusePermissions } from './desktop/refusePermissions.ts';
import { keepChromiumOffline, refuseDebugging } from './desktop/restrainChromium.ts';
import type { OpenFile } from './desktop/startDesktop.ts';
import { sharedDataFolder } from './files/owned/sharedFolder.ts';

const SCHEME = 'ferry';
const PAGE = `${SCHEME}://app/`;
const ORIGIN = originOf(PAGE);
const preload = fileURLToPath(new URL('../preload/preload.cjs', import.meta.url));
const pageFolder = fileURLToPath(new URL('../renderer', import.meta.url));
const programs = {
  engineProgram: fileURLToPath(new URL('./engine.cjs', import.meta.url)),
  walletThread: new URL('./walletThread.cjs', import.meta.url),
};

const NOT_FOUND: ProtocolResponse = {
  data: Buffer.from('Not found'),
  statusCode: 404,
  mimeType: 'text/plain',
};

let window: BrowserWindow | null = null;
/** Null where the folder of data is not for this process. */
let desktop: Promise<OpenFile | null> | null = null;
/** A file the app was opened with before there was a window. */
let firstFile: string | null = null;

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

const dataFolder = app.getPath('userData');
const forTerminal = ferryArguments(process.argv, app.isPackaged);
if (forTerminal !== null) {
  // No window opens, none that is open is told, and nothing of Chromium's is written beside its files.
  app.setPath('userData', temporaryFolder());
  app.disableHardwareAcceleration();
  app.dock?.hide();
  void app
    .whenReady()
    .then(() => runInTerminal(forTerminal))
    .then((code) => app.exit(code));
} else if (sharedDataFolder(dataFolder) !== null) {
  // Even the lock is a file in that folder, and Chromium writes into its own before anything is shown.
  app.setPath('userData', temporaryFolder());
  void app
    .whenReady()
    .then(() => import('./desktop/endWith.ts'))
    .then(({ endForSharedFolder }) => endForSharedFolder(dataFolder));
} else if (app.requestSingleInstanceLock()) {
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
  app.on('window-all-closed', () => app.quit());
  void app.whenReady().then(begin);
} else {
  app.quit();
}

/** `args` is what follows the word `ferry`. Resolves with the exit code. */
async function runInTerminal(args: readonly string[]): Promise<number> {
  await import('./backend/setLanguage.ts');
  const { createDesktopServices } = await import('./desktop/desktopServices.ts');
  const { runFerry } = await import('./cli/runFerry.ts');
  return runFerry({
    ...{ args, program: 'wallet-ferry ferry', version: app.getVersion(), dataFolder },
    openServices: (folder) => createDesktopServices(null, folder, programs),
  });
}

async function begin(): Promise<void> {
  if (noSandbox && !(await agreesToNoSandbox())) {
    app.exit();
    return;
  }
  refusePermissions(session.defaultSession);
  const page = devServer ?? PAGE;
  const opened = openWindow();
  window = opened;
  const documentServed = new Promise<void>((served) => {
    // `handle`, which Electron would have instead, first loads Node's fetch: a tenth of the time to a usable window.
    protocol.registerBufferProtocol(SCHEME, (request, answer) => {
      void servePage(request).then(answer).finally(served);
    });
    if (devServer !== undefined) served();
  });
  desktop = documentServed
    .then(() => nextTurn())
    .then(() => import('./desktop/startDesktop.ts'))
    .then(({ openDesktop }) => openDesktop(opened, originOf(page), programs));
  openWith(firstFile ?? fileArgument(process.argv, process.cwd()));
  void opened.loadURL(page);
}

async function agreesToNoSandbox(): Promise<boolean> {
  const { asksAboutSandbox, OPEN_WITHOUT_SANDBOX, withoutSandboxQuestion } = await import(
    './desktop/withoutSandbox.ts'
  );
  if (!asksAboutSandbox({ packaged: app.isPackaged, noSandbox, user: process.getuid?.() })) return true;
  await import('./backend/setLanguage.ts');
  const question = withoutSandboxQuestion();
  process.stderr.write(`${question.message}.\n${question.detail}\n`);
  const { response } = await dialog.showMessageBox(question);
  return response === OPEN_WITHOUT_SANDBOX;
}

/** Hidden until there is something to see in it. */
function openWindow(): BrowserWindow {
  const opened = new BrowserWindow({
    title: 'Wallet Ferry',
    ...FIRST_WINDOW,
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
  opened.once('ready-to-show', () => opened.show());
  opened.on('closed', () => {
    window = null;
  });
  return opened;
}

function openWith(path: string | null): void {
  if (path === null) return;
  if (desktop) void desktop.then((openFile) => openFile?.(path));
  else firstFile = path;
}

/** All but the document waits until it is known that this process may go on. */
async function servePage({ method, url }: ProtocolRequest): Promise<ProtocolResponse> {
  if (originOf(url) !== ORIGIN || method !== 'GET') return NOT_FOUND;
  const path = new URL(url).pathname;
  if (path !== '/' && !(await desktop)) return NOT_FOUND;
  await import('./backend/setLanguage.ts');
  const { pageFile } = await import('./web/page.ts');
  const { body, status, headers } = await pageFile(pageFolder, path);
  const [mimeType = '', charset = ''] = headers['content-type']?.split('; charset=') ?? [];
  return { data: body, statusCode: status, headers, mimeType, charset };
}
