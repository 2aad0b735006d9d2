/** The offline engine: what it is good for, on which network and folder, and its start. */
import { Group, NativeSelect } from '@mantine/core';
import { useId, useState } from 'react';
import { type Network, networks } from '../../../shared/model/network.ts';
import { say } from '../../../shared/wording/say.ts';
import { ActionButton, SmallButton } from '../../components/buttons.tsx';
import { networkOptions } from '../../components/fields.tsx';
import layout from '../../components/layout.module.css';
import { ErrorNotice } from '../../components/notices.tsx';
import { Section } from '../../components/parts.tsx';
import { SafeText, Say, Term } from '../../components/texts.tsx';
import { useApp, useNode } from '../../state/appStore.ts';
import { foundBy, useAsking, useLook } from '../../state/asking.ts';
import { pickFile } from '../../state/filePicker.ts';

export function WorkOffline() {
  const folderId = useId();
  const connecting = useApp((state) => state.connecting);
  const node = useNode();
  const [network, setNetwork] = useState<Network>(node?.offline ? node.network : 'main');
  const [chosen, setChosen] = useState<string | null>(null);
  const { busy, error, ask } = useAsking();
  const own = foundBy(useLook('engine.place', { network }))?.walletsFolder;

  async function chooseFolder() {
    const path = await pickFile({ purpose: 'wallets-folder' });
    if (path !== null) setChosen(path);
  }

  return (
    <Section title={say('Work without a node')}>
      <div className={layout.card}>
        <p>
          <Say
            text="The {offlineEngine} restores and migrates files here. Without a {rescan}, balances are as last known."
            values={{ offlineEngine: <Term word="offline engine" />, rescan: <Term word="rescan" /> }}
          />
        </p>
        <Group align="flex-start">
          <NativeSelect
            w={180}
            label={say('Network')}
            value={network}
            onChange={({ currentTarget: { value } }) =>
              setNetwork(networks.find((one) => one === value) ?? 'main')
            }
            data={networkOptions()}
          />
          <div className={`${layout.stack} ${layout.grows}`}>
            <div id={folderId} className={layout.name}>
              {say('Wallets folder')}
            </div>
            <output aria-labelledby={folderId}>
              <SafeText text={chosen ?? own ?? '…'} mono home />
            </output>
            <div className={layout.row}>
              <SmallButton onClick={() => void chooseFolder()}>{say('Choose another folder…')}</SmallButton>
              {chosen !== null && (
                <SmallButton variant="subtle" onClick={() => setChosen(null)}>
                  {say('Use the app’s folder')}
                </SmallButton>
              )}
            </div>
          </div>
        </Group>
        {error && <ErrorNotice error={error} title={say('Start failed')} />}
        <ActionButton
          busy={busy}
          blocked={connecting}
          onClick={() => void ask(() => useApp.getState().workOffline({ walletsFolder: chosen, network }))}
        >
          {say('Work without a node')}
        </ActionButton>
      </div>
    </Section>
  );
}
