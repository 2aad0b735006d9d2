/** Which of the system's dialogs to show for each purpose, and with what words. */
import { join } from 'node:path';
import type { OpenDialogOptions, SaveDialogOptions } from 'electron';
import { say } from '../../../shared/text/say.ts';
import type { PickOptions } from '../host.ts';

type SystemDialog =
  | { readonly shows: 'open'; readonly options: OpenDialogOptions }
  | { readonly shows: 'save'; readonly options: SaveDialogOptions };

/** `documents` is the folder that a save dialog begins in. */
export function systemDialog({ purpose, suggestedName }: PickOptions, documents: string): SystemDialog {
  switch (purpose) {
    case 'save-backup':
      return saveDialog(say('Save the new backup'), join(documents, suggestedName ?? 'wallet.dat'));
    case 'save-descriptors':
      return saveDialog(say('Save the export'), join(documents, suggestedName ?? 'descriptors.json'));
    case 'save-report':
      return saveDialog(say('Save the report'), join(documents, suggestedName ?? 'report.txt'));
    case 'wallets-folder':
      return folderDialog(say('Choose the wallets folder'));
    case 'backups-folder':
      return folderDialog(say('Choose a folder'));
    case 'wallet':
      return openDialog(say('Choose a wallet file'));
    case 'cookie':
      return openDialog(say('Choose the cookie file'));
  }
}

function openDialog(title: string): SystemDialog {
  // A data folder is hidden on most systems.
  return {
    shows: 'open',
    options: { title, properties: ['openFile', 'showHiddenFiles', 'dontAddToRecent'] },
  };
}

function folderDialog(title: string): SystemDialog {
  return {
    shows: 'open',
    options: {
      title,
      buttonLabel: say('Choose'),
      properties: ['openDirectory', 'createDirectory', 'showHiddenFiles', 'dontAddToRecent'],
    },
  };
}

function saveDialog(title: string, defaultPath: string): SystemDialog {
  return {
    shows: 'save',
    options: { title, defaultPath, properties: ['createDirectory', 'dontAddToRecent'] },
  };
}
