/** The purposes of file dialogs, for the system's and the app's own. */
import type { Input } from '../contract.ts';
import { say } from './say.ts';

interface FilePurpose {
  readonly title: string;
  /** `file`, `folder`: existing ones. `new-folder`: existing or new. `new-file`: one that does not exist yet. */
  readonly asks: 'file' | 'folder' | 'new-folder' | 'new-file';
}

export const FILE_PURPOSES: Readonly<Record<Input<'files.pick'>['purpose'], FilePurpose>> = {
  wallet: { title: say('Choose a wallet file'), asks: 'file' },
  cookie: { title: say('Choose the cookie file'), asks: 'file' },
  'wallets-folder': { title: say('Choose the wallets folder'), asks: 'new-folder' },
  'backups-folder': { title: say('Choose a folder'), asks: 'folder' },
  'search-folder': { title: say('Choose a folder to search'), asks: 'folder' },
  'save-backup': { title: say('Save the new backup'), asks: 'new-file' },
  'save-report': { title: say('Save the report'), asks: 'new-file' },
  'save-descriptors': { title: say('Save the export'), asks: 'new-file' },
};
