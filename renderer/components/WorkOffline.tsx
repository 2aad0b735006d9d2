/** *Work without a node*: what the built-in offline engine is good for, on which network and folder, and its start. */
import { Button, NativeSelect, Title } from '@mantine/core';
import { useEffect, useId, useState } from 'react';
import type { AppErrorShape } from '../../shared/errors.ts';
import { type Network, networks } from '../../shared/model.ts';
import { bridge } from '../bridge.ts';
import { useApp, useNode } from '../state/appStore.ts';
import { attempt } from '../state/attempt.ts';
import { networkName } from '../words/networkName.ts';
import { ActionButton } from './ActionButton.tsx';
import { ErrorNotice } from './ErrorNotice.tsx';
import { SafeText } from './SafeText.tsx';
import { Term } from './Term.tsx';
import { useFilePicker } from './useFilePicker.ts';
import styles from './WorkOffline.module.css';

export function WorkOffline() {
  const headingId = useId();
  const folderId = useId();
  const pick = useFilePicker();
  const workOffline = useApp((state) => state.workOffline);
  const connecting = useApp((state) => state.connecting);
  const node = useNode();
  const inUse = node?.offline ?? false;
  const [network, setNetwork] = useState<Network>(node && inUse ? node.network : 'main');
  const [chosen, setChosen] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppErrorShape | null>(null);
  const own = useOwnFolder(network);

  async function chooseFolder() {
    const path = await pick({ purpose: 'wallets-folder' });
    if (path !== null) setChosen(path);
  }

  async function start() {
    setBusy(true);
    setError(null);
    setError(await workOffline({ walletsFolder: chosen, network }));
    setBusy(false);
  }

  return (
    <section className={styles.section} aria-labelledby={headingId}>
      <Title order={2} id={headingId} className={styles.heading}>
        Work without a node
      </Title>
      <div className={styles.card}>
        {inUse ? (
          <p className={styles.lead}>
            The engine can go on to another network or folder. It leaves this one.
          </p>
        ) : (
          <Purpose />
        )}
        <div className={styles.place}>
          <NativeSelect
            className={styles.network}
            label="Network"
            value={network}
            onChange={({ currentTarget: { value } }) =>
              setNetwork(networks.find((one) => one === value) ?? 'main')
            }
            data={networks.map((value) => ({ value, label: networkName(value) }))}
          />
          <div className={styles.folder}>
            <div id={folderId} className={styles.label}>
              Wallets folder
            </div>
            <output className={styles.path} aria-labelledby={folderId}>
              <SafeText text={chosen ?? own ?? '…'} mono />
            </output>
            <div className={styles.buttons}>
              <Button size="compact-sm" variant="default" onClick={() => void chooseFolder()}>
                Choose another folder…
              </Button>
              {chosen !== null && (
                <Button size="compact-sm" variant="subtle" onClick={() => setChosen(null)}>
                  Use the app’s own folder
                </Button>
              )}
            </div>
          </div>
        </div>
        {error && <ErrorNotice error={error} title="The offline engine could not be started" />}
        <ActionButton busy={busy} blocked={connecting} onClick={() => void start()}>
          Work without a node
        </ActionButton>
      </div>
    </section>
  );
}

/** What the engine does and what it cannot do, before it is chosen. */
function Purpose() {
  return (
    <>
      <p className={styles.lead}>
        The app has an offline engine built in. It works on wallet files of this computer, without Bitcoin
        Core and without a network.
      </p>
      <div className={styles.ways}>
        <div>
          <h3 className={styles.way}>Good for</h3>
          <ul className={styles.points}>
            <li>bringing back a backup, of a legacy wallet too, and looking at what it holds</li>
            <li>migrating a legacy wallet, also an encrypted one, and going back if you want to</li>
            <li>making wallets that Bitcoin Core opens, release 24 and later</li>
          </ul>
        </div>
        <div>
          <h3 className={styles.way}>Not for</h3>
          <ul className={styles.points}>
            <li>
              today’s balance: there is no chain here and no <Term word="rescan">rescan</Term>. Balances are
              what each file last knew
            </li>
            <li>sending bitcoin</li>
          </ul>
        </div>
      </div>
    </>
  );
}

/** The app's own folder for a network; null until it is known. */
function useOwnFolder(network: Network): string | null {
  const [known, setKnown] = useState<{ network: Network; folder: string } | null>(null);
  useEffect(() => {
    let left = false;
    void attempt(() => bridge.call('engine.place', { network })).then((place) => {
      if (place.ok && !left) setKnown({ network, folder: place.value.walletsFolder });
    });
    return () => {
      left = true;
    };
  }, [network]);
  return known?.network === network ? known.folder : null;
}
