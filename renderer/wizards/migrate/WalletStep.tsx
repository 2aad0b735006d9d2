/** Which wallet is migrated. */
import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import type { NodeStatus, Wallet } from '../../../shared/model.ts';
import { say } from '../../../shared/say.ts';
import { Say } from '../../components/Say.tsx';
import { Term } from '../../components/Term.tsx';
import { WalletName } from '../../components/WalletName.tsx';
import { FileContents } from './FileContents.tsx';
import { FindWallet } from './FindWallet.tsx';
import { NoLegacyWallet } from './NoLegacyWallet.tsx';
import type { WalletFile } from './useWalletFile.ts';
import { walletLine } from './walletWords.ts';

interface WalletStepProps {
  wallets: readonly Wallet[];
  node: NodeStatus;
  chosen: Wallet | null;
  /** That of the chosen wallet. */
  file: WalletFile;
  onChoose: (name: string) => void;
}

export function WalletStep({ wallets, node, chosen, file, onChoose }: WalletStepProps) {
  const [wanted, setWanted] = useState('');
  // Known legacy wallets before those whose kind is not known.
  const migratable = ['legacy', 'unknown'].flatMap((wantedKind) =>
    wallets.filter(({ kind }) => kind === wantedKind),
  );
  const found = migratable.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
  const descriptors = wallets.length - migratable.length;
  return (
    <>
      {migratable.length === 0 ? (
        <NoLegacyWallet />
      ) : (
        <>
          <FindWallet among={migratable.length} sought={wanted} onSought={setWanted} />
          <Radio.Group
            label={say('Wallet to migrate')}
            value={chosen && keyOf(chosen.name)}
            onChange={(key) => onChoose(nameOf(key))}
          >
            <Stack gap="xs" mt="xs">
              {found.slice(0, MOST_SHOWN).map((wallet) => (
                <Radio
                  key={wallet.name}
                  value={keyOf(wallet.name)}
                  label={<WalletName name={wallet.name} />}
                  description={walletLine(wallet, node.network)}
                />
              ))}
            </Stack>
          </Radio.Group>
          {found.length > MOST_SHOWN && (
            <p>
              {say(
                '{count, plural, one {# more wallet is not shown: type a part of its name to find it.} other {# more wallets are not shown: type a part of a name to find one.}}',
                { count: found.length - MOST_SHOWN },
              )}
            </p>
          )}
          {found.length === 0 && <p>{say('No wallet has this in its name.')}</p>}
        </>
      )}
      {chosen && <FileContents file={file} loaded={chosen.loaded} />}
      {descriptors > 0 && migratable.length > 0 && (
        <p>
          <Say
            text="{count, plural, one {# wallet of this node is not in the list: a {descriptorWallet} needs no migration.} other {# wallets of this node are not in the list: a {descriptorWallet} needs no migration.}}"
            values={{ count: descriptors, descriptorWallet: <Term word="descriptor wallet" /> }}
          />
        </p>
      )}
    </>
  );
}

const MOST_SHOWN = 30;

/** A radio's value may be empty, but its group takes an empty one for no choice: the unnamed wallet needs more. */
function keyOf(name: string): string {
  return `wallet:${name}`;
}

function nameOf(key: string): string {
  return key.slice('wallet:'.length);
}
