/** The wallets of the node in use, and the way to what can be done with each. */
import { Button, TextInput, VisuallyHidden } from '@mantine/core';
import { IconFileImport, IconRefresh, IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useMemo, useState } from 'react';
import type { NodeStatus, Wallet } from '../../shared/model.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { ErrorNotice } from '../components/ErrorNotice.tsx';
import { Notice } from '../components/Notice.tsx';
import { PageHeading } from '../components/PageHeading.tsx';
import { SafeText } from '../components/SafeText.tsx';
import { Waiting } from '../components/Waiting.tsx';
import { useApp } from '../state/appStore.ts';
import { useWallets } from '../state/walletsStore.ts';
import { counted, formatCount } from '../words/formatCount.ts';
import { networkName } from '../words/networkName.ts';
import { findWallets } from './findWallets.ts';
import styles from './Wallets.module.css';
import { WalletsList } from './WalletsList.tsx';
import { LastQueue, MigrateSeveral } from './WalletsMany.tsx';
import { WalletsSpoken } from './WalletsSpoken.tsx';

export function Wallets({ node }: { node: NodeStatus }) {
  const wallets = useWallets((state) => state.wallets);
  const refreshing = useWallets((state) => state.refreshing);
  const error = useWallets((state) => state.error);
  const refresh = useWallets((state) => state.refresh);
  const lost = useApp(({ connection }) => connection.state !== 'connected');
  const [sought, setSought] = useState('');
  const wanted = useDeferredValue(sought);
  const found = useMemo(() => findWallets(wallets ?? [], wanted), [wallets, wanted]);

  return (
    <>
      <PageHeading
        title="Wallets"
        actions={
          <>
            <ActionButton
              variant="default"
              leftSection={<IconRefresh size={17} />}
              busy={refreshing}
              blocked={lost}
              onClick={() => void refresh()}
            >
              Refresh
            </ActionButton>
            <MigrateSeveral node={node} wallets={wallets} lost={lost} />
            <RestoreButton />
          </>
        }
      >
        {wallets && `${counted(wallets.length, 'wallet')} · `}
        <SafeText text={node.label} /> · {networkName(node.network)} ·{' '}
        {node.offline ? 'balances as each file last knew them' : `release ${node.release.text}`}
      </PageHeading>
      <WalletsSpoken />
      <LastQueue />
      {error && <ErrorNotice error={error} title="The list of wallets could not be read" />}
      {wallets && <CannotMigrate node={node} wallets={wallets} />}
      {wallets === null && !error && (
        <Waiting>{node.offline ? 'Reading the wallets folder…' : 'Asking the node for its wallets…'}</Waiting>
      )}
      {wallets?.length === 0 && (
        <Notice
          tone="info"
          title={node.offline ? 'There are no wallets in this folder yet' : 'This node has no wallets yet'}
        >
          <p>
            {node.offline
              ? 'A backup can be brought back here, and migrated if it is of a legacy wallet.'
              : 'A backup can be brought back as a wallet of this node.'}
          </p>
          <RestoreButton />
        </Notice>
      )}
      {wallets !== null && wallets.length > 0 && (
        <>
          <div className={styles.tools}>
            <TextInput
              className={styles.search}
              type="search"
              aria-label="Find a wallet"
              placeholder="Find a wallet"
              leftSection={<IconSearch size={17} aria-hidden />}
              value={sought}
              onChange={(event) => setSought(event.currentTarget.value)}
              spellCheck={false}
              autoComplete="off"
            />
            <span role="status" className={styles.count}>
              {wanted === '' ? (
                <VisuallyHidden>{counted(wallets.length, 'wallet')}</VisuallyHidden>
              ) : (
                `${formatCount(found.length)} of ${counted(wallets.length, 'wallet')}`
              )}
            </span>
          </div>
          {found.length > 0 ? (
            <WalletsList wallets={found} node={node} lost={lost} />
          ) : (
            <p className={styles.none}>
              No wallet has “<SafeText text={wanted} />” in its name.
            </p>
          )}
        </>
      )}
    </>
  );
}

function RestoreButton() {
  const go = useApp((state) => state.go);
  return (
    <Button
      leftSection={<IconFileImport size={17} />}
      onClick={() => go({ at: 'restore', file: null, operation: null })}
    >
      Restore a backup
    </Button>
  );
}

/** Legacy wallets without a way on need a word about it. */
function CannotMigrate({ node, wallets }: { node: NodeStatus; wallets: readonly Wallet[] }) {
  if (node.release.migrates !== 'no') return null;
  if (!wallets.some((wallet) => wallet.kind === 'legacy')) return null;
  return (
    <div className={styles.notice}>
      <Notice tone="info" title={`Release ${node.release.text} cannot migrate legacy wallets`}>
        Releases from 24 on can. The wallets stay as they are when the node is updated.
      </Notice>
    </div>
  );
}
