/** Where wallet files lie, for who is still looking for one. */
import { say } from '../../../shared/text/say.ts';
import { FactList } from '../../elements/list/FactList.tsx';
import { List } from '../../elements/list/List.tsx';
import { Notice } from '../../elements/Notice.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';
import styles from './Guide.module.css';

export function GuidePlaces() {
  return (
    <Notice tone="info" title={say('Where to look')}>
      <div className={styles.advice}>
        <p>
          {say('Bitcoin Core keeps its wallets in its data folder, old ones in a file called wallet.dat:')}
        </p>
        <FactList
          facts={FOLDERS.map(({ system, folder }) => ({
            label: system,
            value: <SafeText text={folder} mono />,
          }))}
        />
        <List look="bullets">
          <li>{say('Newer wallets have a folder each below “wallets” there, with a wallet.dat in it.')}</li>
          <li>
            {say(
              'Backups can have any name. Look for files that end in .dat or .bak, and for words such as wallet, bitcoin, backup and the year.',
            )}
          </li>
          <li>
            {say(
              'Look on old disks, sticks, CDs, in mail that you sent yourself, and in backups of a whole computer.',
            )}
          </li>
          <li>
            {say(
              'Files of other programs (Electrum, MultiBit, Armory, a mobile wallet) are not for Bitcoin Core. The app says so when you choose one.',
            )}
          </li>
        </List>
      </div>
    </Notice>
  );
}

const FOLDERS = [
  { system: say('Linux'), folder: '~/.bitcoin' },
  { system: say('macOS'), folder: '~/Library/Application Support/Bitcoin' },
  { system: say('Windows'), folder: '%LOCALAPPDATA%\\Bitcoin, %APPDATA%\\Bitcoin' },
];
