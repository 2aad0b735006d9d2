/** The desktop entry's dialogs, file manager and secrets. */

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { app, type BrowserWindow, dialog, type OpenDialogOptions, safeStorage, shell } from 'electron';
import { AppError } from '../../shared/errors.ts';
import type { Host, PickOptions } from './host.ts';

export function createElectronHost(window: () => BrowserWindow | null): Host {
  return {
    entry: 'electron',
    fileDialogs: 'native',
    secrets: {
      available: secretsAvailable,
      encrypt: async (text) => safeStorage.encryptString(text).toString('base64'),
      decrypt: async (text) => safeStorage.decryptString(Buffer.from(text, 'base64')),
    },
    canShowInFolder: () => true,
    async showInFolder(path) {
      await stat(path).catch(() => {
        throw new AppError(
          'file_missing',
          'This file is not there any more.',
          'It may have been moved or renamed. The app did not touch it.',
        );
      });
      shell.showItemInFolder(path);
    },
    pickFile: (options) => pickFile(window(), options),
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
  if (options.purpose === 'save-backup') {
    const save = {
      title: 'Save the new backup',
      defaultPath: join(app.getPath('documents'), options.suggestedName ?? 'wallet.bak'),
      properties: ['createDirectory' as const, 'dontAddToRecent' as const],
    };
    const picked = await (window ? dialog.showSaveDialog(window, save) : dialog.showSaveDialog(save));
    return picked.canceled || !picked.filePath ? null : picked.filePath;
  }
  const open: OpenDialogOptions = {
    title: options.purpose === 'cookie' ? 'Choose the cookie file' : 'Choose the backup file',
    properties: ['openFile', 'showHiddenFiles', 'dontAddToRecent'],
  };
  const picked = await (window ? dialog.showOpenDialog(window, open) : dialog.showOpenDialog(open));
  return picked.canceled ? null : (picked.filePaths[0] ?? null);
}
