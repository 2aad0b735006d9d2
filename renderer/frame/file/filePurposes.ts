/** What the app's own file dialog asks for, for each purpose. */
import { say } from '../../../shared/text/say.ts';
import type { FilePickOptions } from '../../elements/file/useFilePicker.ts';

interface FilePurpose {
  readonly title: string;
  /** A file that is there, a folder that is there or is to be made, or a file that is not there yet. */
  readonly asks: 'file' | 'folder' | 'new-file';
  /** The new file's name when none is suggested. */
  readonly usualName: string;
}

export const filePurposes: Readonly<Record<FilePickOptions['purpose'], FilePurpose>> = {
  backup: { title: say('Choose the backup file'), asks: 'file', usualName: '' },
  wallet: { title: say('Choose a wallet file'), asks: 'file', usualName: '' },
  cookie: { title: say('Choose the cookie file'), asks: 'file', usualName: '' },
  'wallets-folder': { title: say('Choose the wallets folder'), asks: 'folder', usualName: '' },
  'save-backup': { title: say('Save the new backup'), asks: 'new-file', usualName: 'wallet.bak' },
  'save-descriptors': { title: say('Save the descriptors'), asks: 'new-file', usualName: 'descriptors.json' },
};
