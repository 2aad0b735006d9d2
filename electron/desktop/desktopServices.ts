/**
 * The services of the desktop entry, with its dialogs, file manager, secrets, PDFs and engine process. They load while the window opens.
 */
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import {
  app,
  type BrowserWindow,
  dialog,
  Menu,
  nativeTheme,
  type OpenDialogOptions,
  type SaveDialogOptions,
  safeStorage,
  shell,
  utilityProcess,
} from 'electron';
import { FILE_PURPOSES } from '../../shared/wording/filePurposes.ts';
import { say } from '../../shared/wording/say.ts';
import type { Host, PickOptions, Services } from '../backend/host.ts';
import { createServices } from '../backend/services.ts';
import type { EngineProcess } from '../bitcoind/connection/offlineEngine.ts';
import { createWalletWork } from '../workers/walletWork.ts';
import { tickRoute } from './appMenu.ts';

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
    host: createHost(window, engineProgram),
    dataFolder,
    walletWork: createWalletWork(walletThread),
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

function createHost(window: BrowserWindow | null, engineProgram: string): Host {
  return {
    entry: 'electron',
    secrets: {
      available: secretsAvailable,
      encrypt: async (text) => safeStorage.encryptString(text).toString('base64'),
      decrypt: async (text) => safeStorage.decryptString(Buffer.from(text, 'base64')),
    },
    routeChanged: (route) => tickRoute(Menu.getApplicationMenu(), route),
    canShowInFolder: () => true,
    showInFolder: async (path) => shell.showItemInFolder(path),
    pickFile: (options) => pickFile(window, options),
    ...(window && { printPdf: () => printPage(window) }),
    startEngine: (args) => forkEngine(engineProgram, args),
  };
}

/**
 * True only if the system encrypts. On Linux without a keyring Electron falls back to a key from its own source
 * (`basic_text`), which hides nothing, so the app saves no secrets there. On macOS the key is in the Keychain, which asks the user if
 * the app has another signature than the one that made it, as each unsigned release has; a refusal is an error of `decrypt`.
 */
function secretsAvailable(): boolean {
  if (!safeStorage.isEncryptionAvailable()) return false;
  if (process.platform !== 'linux') return true;
  const backend = safeStorage.getSelectedStorageBackend();
  return backend !== 'basic_text' && backend !== 'unknown';
}

async function pickFile(window: BrowserWindow | null, options: PickOptions): Promise<string | null> {
  if (window === null || window.isDestroyed()) return null;
  const system = systemDialog(options, (folder) => app.getPath(folder));
  if (system.shows === 'save') {
    const { canceled, filePath } = await dialog.showSaveDialog(window, system.options);
    return canceled || !filePath ? null : filePath;
  }
  const { canceled, filePaths } = await dialog.showOpenDialog(window, system.options);
  return canceled ? null : (filePaths[0] ?? null);
}

type SystemDialog =
  | { readonly shows: 'open'; readonly options: OpenDialogOptions }
  | { readonly shows: 'save'; readonly options: SaveDialogOptions };

/** Picks the system's dialog for a purpose. Many systems upload the documents, so only a report is offered for them. */
export function systemDialog(
  { purpose, suggestedName = '' }: PickOptions,
  folderOf: (name: 'documents' | 'home') => string,
): SystemDialog {
  const { title, asks } = FILE_PURPOSES[purpose];
  switch (asks) {
    case 'file':
      // A data folder is hidden on most systems.
      return {
        shows: 'open',
        options: { title, properties: ['openFile', 'showHiddenFiles', 'dontAddToRecent'] },
      };
    case 'folder':
    case 'new-folder':
      return {
        shows: 'open',
        options: {
          title,
          buttonLabel: say('Choose'),
          properties: ['openDirectory', 'createDirectory', 'showHiddenFiles', 'dontAddToRecent'],
        },
      };
    case 'new-file':
      return {
        shows: 'save',
        options: {
          title,
          defaultPath: join(folderOf(purpose === 'save-report' ? 'documents' : 'home'), suggestedName),
          properties: ['createDirectory', 'dontAddToRecent'],
        },
      };
  }
}

/** Chromium ends this process with the app, even after a crash. */
function forkEngine(program: string, args: readonly string[]): EngineProcess {
  const child = utilityProcess.fork(program, [...args], {
    stdio: 'pipe',
    serviceName: 'Wallet Ferry engine',
  });
  const [output, errors] = [new PassThrough(), new PassThrough()];
  child.stdout?.pipe(output);
  child.stderr?.pipe(errors);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    output,
    errors,
    ended,
    end: () => child.postMessage('end'),
    kill: () => {
      const { pid } = child;
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
    },
  };
}

/** Where paper is Letter, by Unicode CLDR's `territoryInfo`; A4 elsewhere. */
const LETTER = /^(?:BZ|CA|CL|CO|CR|GT|MX|NI|PA|PH|PR|SV|US|VE)$/;

/** Prints what the page shows on paper (see page.css). Throws Chromium's error. */
function printPage({ webContents }: BrowserWindow): Promise<Uint8Array> {
  return webContents.printToPDF({ pageSize: LETTER.test(app.getLocaleCountryCode()) ? 'Letter' : 'A4' });
}
