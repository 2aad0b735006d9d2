/** *Work without a node*: what the built-in offline engine is good for, on which network and folder, and its start. */
import { Button, NativeSelect } from '@mantine/core';
import { useId, useState } from 'react';
import { type Network, networks } from '../../../shared/network.ts';
import { networkName } from '../../../shared/networkName.ts';
import { say } from '../../../shared/text/say.ts';
import { ErrorNotice } from '../../elements/ErrorNotice.tsx';
import { useFilePicker } from '../../elements/file/useFilePicker.ts';
import { ActionButton } from '../../elements/input/ActionButton.tsx';
import { List } from '../../elements/list/List.tsx';
import { Section } from '../../elements/Section.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';
import { Say } from '../../elements/text/Say.tsx';
import { Term } from '../../elements/text/Term.tsx';
import { useApp, useNode } from '../../state/appStore.ts';
import { foundBy } from '../../state/look.ts';
import { useEngineStart } from '../../state/useEngineStart.ts';
import { useLook } from '../../state/useLook.ts';
import styles from './WorkOffline.module.css';

export function WorkOffline() {
  const folderId = useId();
  const pick = useFilePicker();
  const connecting = useApp((state) => state.connecting);
  const node = useNode();
  const inUse = node?.offline ?? false;
  const [network, setNetwork] = useState<Network>(node && inUse ? node.network : 'main');
  const [chosen, setChosen] = useState<string | null>(null);
  const { busy, error, start } = useEngineStart({ walletsFolder: chosen, network });
  const own = foundBy(useLook('engine.place', { network }))?.walletsFolder;

  async function chooseFolder() {
    const path = await pick({ purpose: 'wallets-folder' });
    if (path !== null) setChosen(path);
  }

  return (
    <Section title={say('Work without a node')} order={2}>
      <div className={styles.card}>
        {inUse ? (
          <p className={styles.lead}>{say('Changes to another network or folder. No file is changed.')}</p>
        ) : (
          <Purpose />
        )}
        <div className={styles.place}>
          <NativeSelect
            className={styles.network}
            label={say('Network')}
            value={network}
            onChange={({ currentTarget: { value } }) =>
              setNetwork(networks.find((one) => one === value) ?? 'main')
            }
            data={networks.map((value) => ({ value, label: networkName(value) }))}
          />
          <div className={styles.folder}>
            <div id={folderId} className={styles.label}>
              {say('Wallets folder')}
            </div>
            <output className={styles.path} aria-labelledby={folderId}>
              <SafeText text={chosen ?? own ?? '…'} mono />
            </output>
            <div className={styles.buttons}>
              <Button size="compact-sm" variant="default" onClick={() => void chooseFolder()}>
                {say('Choose another folder…')}
              </Button>
              {chosen !== null && (
                <Button size="compact-sm" variant="subtle" onClick={() => setChosen(null)}>
                  {say('Use the app’s own folder')}
                </Button>
              )}
            </div>
          </div>
        </div>
        {error && <ErrorNotice error={error} title={say('Start failed')} />}
        <ActionButton busy={busy} blocked={connecting} onClick={start}>
          {say('Work without a node')}
        </ActionButton>
      </div>
    </Section>
  );
}

/** What the engine does and what it cannot do, before it is chosen. */
function Purpose() {
  return (
    <>
      <p className={styles.lead}>
        <Say
          text="The app has an {offlineEngine} built in. It works on wallet files of this computer, without Bitcoin Core and without a network."
          values={{ offlineEngine: <Term word="offline engine" /> }}
        />
      </p>
      <div className={styles.ways}>
        <div>
          <h3 className={styles.way}>{say('Good for')}</h3>
          <List look="bullets">
            <li>{say('bringing back a backup, of a legacy wallet too, and looking at what it holds')}</li>
            <li>{say('migrating a legacy wallet, also an encrypted one, and going back if you want to')}</li>
            <li>{say('making wallets that Bitcoin Core opens, release 24 and later')}</li>
          </List>
        </div>
        <div>
          <h3 className={styles.way}>{say('Not for')}</h3>
          <List look="bullets">
            <li>
              <Say
                text="today’s balance: there is no block chain here and no {rescan}, so balances are what each file last knew"
                values={{ rescan: <Term word="rescan" /> }}
              />
            </li>
            <li>{say('sending bitcoin')}</li>
          </List>
        </div>
      </div>
    </>
  );
}
