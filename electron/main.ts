/** The desktop entry point. Chooses between the window and the terminal, and restrains Chromium before it starts. */
import { fileURLToPath } from 'node:url';
import { app, Menu } from 'electron';
import { APP_ID } from './desktop/constants.ts';
import { createDesktopApp, registerPageScheme } from './desktop/desktopApp.ts';
import { ferryArguments, openRequestOf } from './desktop/fileArgument.ts';
import { keepChromiumOffline, refuseDebugging } from './desktop/restrainChromium.ts';
import { findSharedDataFolder, keepCompiledCode } from './files/sharedFolder.ts';
import { temporaryFolder } from './files/temporaryFolders.ts';

// They lie in the app's archive. Keep no path of it: macOS runs a quarantined app from another place at each start.
const programs = {
  engineProgram: fileURLToPath(new URL('./engine.cjs', import.meta.url)),
  walletThread: new URL('./walletThread.cjs', import.meta.url),
};

// Tests and portable installs keep their own data folder: set it before anything asks for it.
const ownFolder = process.env.WALLET_FERRY_DATA;
if (ownFolder) app.setPath('userData', ownFolder);

// A packaged app ignores the variable that points at electron-vite's development server.
const devServer = app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL;
if (devServer === undefined) keepChromiumOffline();

// The shortcuts of the installer have it too: else Windows shows no notifications, and a second icon in the taskbar.
if (process.platform === 'win32') app.setAppUserModelId(APP_ID);

registerPageScheme();
// With --no-sandbox (root needs it) a forced sandbox would kill every process of Chromium.
const noSandbox = app.commandLine.hasSwitch('no-sandbox');
if (!noSandbox) app.enableSandbox();
refuseDebugging();

// Keeps Electron from building its default menu.
Menu.setApplicationMenu(null);

const dataFolder = app.getPath('userData');
const terminalArguments = ferryArguments(process.argv, app.isPackaged);
if (terminalArguments !== null) {
  // Keeps Chromium's files out of the data folder. An open window of the app stays as it is.
  app.setPath('userData', temporaryFolder());
  app.disableHardwareAcceleration();
  app.dock?.hide();
  void app
    .whenReady()
    .then(() => runInTerminal(terminalArguments))
    .then((code) => app.exit(code));
} else if (findSharedDataFolder(dataFolder) !== null) {
  // Write nothing into the shared folder: neither the lock nor Chromium's files.
  app.setPath('userData', temporaryFolder());
  void app
    .whenReady()
    .then(() => import('./desktop/startDialogs.ts'))
    .then(({ exitForSharedFolder }) => exitForSharedFolder(dataFolder));
} else if (app.requestSingleInstanceLock()) {
  keepCompiledCode(dataFolder);
  runWithWindow();
} else {
  app.quit();
}

/** `args` follow the command `ferry`. Resolves with the exit code. */
async function runInTerminal(args: readonly string[]): Promise<number> {
  await import('./backend/setLanguage.ts');
  const { createDesktopServices } = await import('./desktop/desktopServices.ts');
  const { runFerry } = await import('./cli/runFerry.ts');
  return runFerry({
    args,
    program: 'wallet-ferry ferry',
    version: app.getVersion(),
    dataFolder,
    openServices: (folder) => createDesktopServices(null, folder, programs),
  });
}

function runWithWindow(): void {
  const preload = fileURLToPath(new URL('../preload/preload.cjs', import.meta.url));
  const desktop = createDesktopApp({ preload, readPageFile, programs, devServer, noSandbox });
  app.on('second-instance', (_event, argv, workingFolder) => {
    desktop.focus();
    desktop.ask(openRequestOf(argv, workingFolder));
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    desktop.ask({ file: path });
  });
  app.on('web-contents-created', (_, contents) => {
    contents.on('will-navigate', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  });
  // On macOS too: the app is its one window, and a node goes on without it.
  app.on('window-all-closed', () => app.quit());
  void app.whenReady().then(() => desktop.open(openRequestOf(process.argv, process.cwd())));
}

/** Loads what serves the page only when the window asks for it, because the window opens first. */
async function readPageFile(path: string) {
  await import('./backend/setLanguage.ts');
  const { pageFile } = await import('./web/page.ts');
  return pageFile(fileURLToPath(new URL('../renderer', import.meta.url)), path);
}
