/** Which wallets are migrated. */
import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { NodeStatus } from '../../../../shared/node.ts';
import { say } from '../../../../shared/text/say.ts';
import type { Wallet } from '../../../../shared/wallet.ts';
import { PagedList } from '../../../elements/list/PagedList.tsx';
import { findWallets } from '../../../elements/text/findWallets.ts';
import { WalletName } from '../../../elements/text/WalletName.tsx';
import { FindWallet } from '../migrate/FindWallet.tsx';
import { NoLegacyWallet } from '../migrate/NoLegacyWallet.tsx';
import { walletLine } from '../migrate/walletWords.ts';
import styles from './Many.module.css';
import { toggled } from './toggled.ts';

interface ChooseStepProps {
  /** Those that are, or may be, legacy. */
  wallets: readonly Wallet[];
  node: NodeStatus;
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
}

export function ChooseStep({ wallets, node, chosen, onChoose }: ChooseStepProps) {
  const [sought, setSought] = useState('');
  const found = findWallets(wallets, sought);
  const legacy = found.filter(({ kind }) => kind === 'legacy');
  const count = wallets.filter(({ name }) => chosen.has(name)).length;
  if (wallets.length === 0) return <NoLegacyWallet />;
  return (
    <>
      <p>
        {say(
          'They are migrated one after another, in the order of this list. Each has its own safety copy, result and proof; if one fails, the others go on.',
        )}
      </p>
      <FindWallet among={wallets.length} sought={sought} onSought={setSought} />
      <div className={styles.tools}>
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => onChoose(new Set([...chosen, ...legacy.map(({ name }) => name)]))}
        >
          {sought === '' ? say('Choose all') : say('Choose all that were found')}
        </Button>
        <Button variant="default" size="compact-sm" onClick={() => onChoose(new Set())}>
          {say('Choose none')}
        </Button>
        <span role="status" className={styles.quiet}>
          {say('{count, number} of {all, number} chosen', { count, all: wallets.length })}
        </span>
      </div>
      {found.length === 0 && <p>{say('No wallet has this in its name.')}</p>}
      <PagedList
        key={sought}
        look="boxed"
        label={say('Legacy wallets')}
        items={found}
        keyOf={({ name }) => name}
        row={(wallet) => (
          <Checkbox
            label={<WalletName name={wallet.name} />}
            description={walletLine(wallet, node.network)}
            checked={chosen.has(wallet.name)}
            onChange={(event) => onChoose(toggled(chosen, wallet.name, event.currentTarget.checked))}
          />
        )}
      />
      {wallets.some(({ kind }) => kind === 'unknown') && (
        <p className={styles.quiet}>
          {say(
            'Of a wallet that is not loaded this node does not tell the kind. Tick those that you know to be legacy wallets.',
          )}
        </p>
      )}
    </>
  );
}
