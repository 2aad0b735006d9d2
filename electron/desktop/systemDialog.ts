/** Which of the system's dialogs to show for each purpose, and with what words. */
import { join } from 'node:path';
import type { OpenDialogOptions, SaveDialogOptions } from 'electron';
import { FILE_PURPOSES } from '../../shared/wording/filePurposes.ts';
import { say } from '../../shared/wording/say.ts';
import type { PickOptions } from '../backend/host.ts';

type SystemDialog =
  | { readonly shows: 'open'; readonly options: OpenDialogOptions }
  | { readonly shows: 'save'; readonly options: SaveDialogOptions };

/** `documents` is the folder that a save dialog begins in. */
export function systemDialog({ purpose, suggestedName = '' }: PickOptions, documents: string): SystemDialog {
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
          defaultPath: join(documents, suggestedName),
          properties: ['createDirectory', 'dontAddToRecent'],
        },
      };
  }
}
