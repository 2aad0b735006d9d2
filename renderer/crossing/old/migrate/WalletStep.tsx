/** Which wallet is migrated. */
import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import type { NodeStatus } from '../../../../shared/node.ts';
import { say } from '../../../../shared/text/say.ts';
import type { Wallet } from '../../../../shared/wallet.ts';
import { findWallets } from '../../../elements/text/findWallets.ts';
import { Say } from '../../../elements/text/Say.tsx';
import { Term } from '../../../elements/text/Term.tsx';
import { WalletName } from '../../../elements/text/WalletName.tsx';
import { FileContents } from './FileContents.tsx';
import { FindWallet } from './FindWallet.tsx';
import { migratable } from './migratable.ts';
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
  const [sought, setSought] = useState('');
  const choosable = migratable(wallets);
  const found = findWallets(choosable, sought);
  const descriptors = wallets.length - choosable.length;
  return (
    <>
      {choosable.length === 0 ? (
        <NoLegacyWallet />
      ) : (
        <>
          <FindWallet among={choosable.length} sought={sought} onSought={setSought} />
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
      {descriptors > 0 && choosable.length > 0 && (
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
