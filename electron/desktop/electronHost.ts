/** The desktop entry's dialogs, file manager and secrets. */
import { PassThrough } from 'node:stream';
import { app, BrowserWindow, dialog, Menu, safeStorage, shell, utilityProcess } from 'electron';
import type { Host, PickOptions } from '../backend/host.ts';
import type { EngineProcess } from '../bitcoind/connection/engineProcess.ts';
import { tickPlace } from './appMenu.ts';
import { systemDialog } from './systemDialog.ts';

/** `window`: the one to show dialogs in; null in a terminal. `engineProgram` is the bundled offline engine. */
export function createElectronHost(window: BrowserWindow | null, engineProgram: string): Host {
  return {
    entry: 'electron',
    secrets: {
      available: secretsAvailable,
      encrypt: async (text) => safeStorage.encryptString(text).toString('base64'),
      decrypt: async (text) => safeStorage.decryptString(Buffer.from(text, 'base64')),
    },
    pageIsAt: (place) => tickPlace(Menu.getApplicationMenu(), place),
    canShowInFolder: () => true,
    showInFolder: async (path) => shell.showItemInFolder(path),
    pickFile: (options) => pickFile(window, options),
    printPdf,
    startEngine: (args) => forkEngine(engineProgram, args),
  };
}

/**
 * True only where the system encrypts. On Linux without a keyring Electron falls back to a key that is in its
 * source (`basic_text`): that hides nothing, so we save nothing.
 */
function secretsAvailable(): boolean {
  if (!safeStorage.isEncryptionAvailable()) return false;
  if (process.platform !== 'linux') return true;
  const backend = safeStorage.getSelectedStorageBackend();
  return backend !== 'basic_text' && backend !== 'unknown';
}

async function pickFile(window: BrowserWindow | null, options: PickOptions): Promise<string | null> {
  // Nobody is there to be asked.
  if (window === null || window.isDestroyed()) return null;
  const asked = systemDialog(options, app.getPath('documents'));
  if (asked.shows === 'save') {
    const { canceled, filePath } = await dialog.showSaveDialog(window, asked.options);
    return canceled || !filePath ? null : filePath;
  }
  const { canceled, filePaths } = await dialog.showOpenDialog(window, asked.options);
  return canceled ? null : (filePaths[0] ?? null);
}

/** Chromium ends it with the app, however the app ends. */
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

/**
 * Plain text as a PDF, by Chromium: in a hidden window of its own, without scripts, that can fetch nothing. Throws what
 * Chromium says where it cannot.
 */
async function printPdf(text: string): Promise<Uint8Array> {
  const window = new BrowserWindow({
    show: false,
    webPreferences: {
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      javascript: false,
      // Kept in memory only, and apart from the page's.
      partition: 'report',
    },
  });
  try {
    await window.loadURL(`data:text/html;charset=utf-8,${encodeURIComponent(pageOf(text))}`);
    return await window.webContents.printToPDF({ pageSize: 'A4', printBackground: false });
  } finally {
    window.destroy();
  }
}

function pageOf(text: string): string {
  const escaped = text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>Wallet Ferry</title><style>pre{font:10px/1.5 monospace;white-space:pre-wrap;overflow-wrap:anywhere}</style><pre>${escaped}</pre>`;
}
