/** One wallet in the list: what is known of it, and what can be done with it. */
import { ActionIcon } from '@mantine/core';
import { IconFileSearch } from '@tabler/icons-react';
import { memo, useId } from 'react';
import type { Crossing } from '../../../shared/crossing.ts';
import { formatBitcoin } from '../../../shared/money.ts';
import { type NodeStatus, sameNode } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';
import type { Wallet } from '../../../shared/wallet.ts';
import { counted } from '../../../shared/words/format/counted.ts';
import { formatShare } from '../../../shared/words/format/formatShare.ts';
import { walletLabel } from '../../../shared/words/walletLabel.ts';
import { ErrorNotice } from '../../elements/ErrorNotice.tsx';
import { SmallButton } from '../../elements/input/ActionButton.tsx';
import layout from '../../elements/layout.module.css';
import { NodeWarnings } from '../../elements/NodeWarnings.tsx';
import { Tag } from '../../elements/Tag.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';
import { Say } from '../../elements/text/Say.tsx';
import { Term } from '../../elements/text/Term.tsx';
import { UNNAMED_HINT, WalletName } from '../../elements/text/WalletName.tsx';
import { go } from '../../state/appStore.ts';
import { isRunning, useCrossings } from '../../state/crossingsStore.ts';
import { usePlans } from '../../state/plansStore.ts';
import { useWallets, type WalletChange, type WalletOutcome } from '../../state/walletsStore.ts';
import { lacksNewBackup } from './lacksNewBackup.ts';
import styles from './Wallets.module.css';

interface WalletsRowProps {
  wallet: Wallet;
  node: NodeStatus;
  lost: boolean;
  index: number;
  count: number;
  /** Pixels below the top of the list. */
  offset: number;
  measure: (element: HTMLElement | null) => void;
}

export const WalletsRow = memo(function WalletsRow(props: WalletsRowProps) {
  const { wallet, node, index, count, offset, measure } = props;
  const { offline } = node;
  /** What is being done with it. */
  const change = useWallets(({ changing }) => changing.get(wallet.name));
  const outcome = useWallets(({ outcomes }) => outcomes.get(wallet.name));
  /** What runs on it. */
  const crossing = useCrossings(({ crossings }) =>
    crossings.find(
      (one) => isRunning(one) && one.wallet === wallet.name && sameNode(one.node.address, node.address),
    ),
  );
  const nameId = useId();
  return (
    <li
      ref={measure}
      className={styles.row}
      style={{ transform: `translateY(${offset}px)` }}
      data-index={index}
      aria-setsize={count}
      aria-posinset={index + 1}
      aria-labelledby={nameId}
    >
      <div className={`${layout.box} ${styles.card}`}>
        <div className={styles.main}>
          <div className={styles.what}>
            <h2 id={nameId} className={styles.name} title={walletLabel(wallet.name)}>
              <WalletName name={wallet.name} />
            </h2>
            <div className={`${layout.line} ${styles.tags}`}>
              {KINDS[wallet.kind]}
              {wallet.encrypted && <Tag>{say('Encrypted')}</Tag>}
              {wallet.watchOnly && <Tag>{say('Watch-only')}</Tag>}
              {wallet.loaded ? <Tag tone="good">{say('Loaded')}</Tag> : <Tag>{say('Not loaded')}</Tag>}
              {wallet.scanning !== null && (
                <Tag tone="info">
                  {say('Rescanning, {percent}', { percent: formatShare(wallet.scanning) })}
                </Tag>
              )}
              <NoNewBackup wallet={wallet} node={node} />
              {crossing && <Tag tone="info">{RUNNING[crossing.kind]}</Tag>}
              {wallet.name === '' && (
                <span className={layout.small}>
                  <Term word="unnamed wallet">{UNNAMED_HINT}</Term>
                </span>
              )}
            </div>
          </div>
          <Holdings wallet={wallet} node={node} />
          <Actions
            {...props}
            change={change}
            blocked={props.lost || Boolean(crossing ?? change)}
            nameId={nameId}
          />
        </div>
        {[...new Set(wallet.warnings)].map((warning) => (
          <p key={warning} className={`${layout.small} ${styles.warning}`}>
            <Say
              text={offline ? 'The offline engine warns: {warning}' : 'The node warns: {warning}'}
              values={{ warning: <SafeText text={warning} lines /> }}
            />
          </p>
        ))}
        {wallet.problem && (
          <div className={styles.below}>
            <ErrorNotice error={wallet.problem} quiet title={say('Details could not be read')} />
          </div>
        )}
        {outcome && !change && (
          <div className={styles.below}>
            <WalletsOutcome name={wallet.name} outcome={outcome} offline={offline} />
          </div>
        )}
      </div>
    </li>
  );
});

const KINDS = {
  descriptor: <Tag>{say('Descriptor')}</Tag>,
  legacy: <Tag tone="read">{say('Legacy')}</Tag>,
  unknown: null,
} as const;

/** Of a wallet that a migration made: the new backup was put off. */
function NoNewBackup({ wallet: { name, kind }, node }: Pick<WalletsRowProps, 'wallet' | 'node'>) {
  const lacks = useCrossings(({ crossings }) => lacksNewBackup(crossings, name, node.address));
  return kind === 'legacy' || !lacks ? null : <Tag>{say('No new backup yet')}</Tag>;
}

const RUNNING: Readonly<Record<Crossing['kind'], string>> = {
  restore: say('Being restored'),
  migrate: say('Being migrated'),
  'restore-migrate': say('Being restored and migrated'),
  backup: say('Being backed up'),
};

function Holdings({ wallet, node: { network, offline } }: Pick<WalletsRowProps, 'wallet' | 'node'>) {
  const { balance, spendable, transactions, pending } = wallet;
  if (balance === null)
    return (
      <div className={`${layout.small} ${layout.numbers} ${styles.holdings}`}>
        {pending && (offline ? say('Reading the file…') : say('Asking the node…'))}
      </div>
    );
  return (
    <div className={`${layout.small} ${layout.numbers} ${styles.holdings}`}>
      <div className={styles.balance}>{formatBitcoin(balance, network)}</div>
      <div className={layout.small}>
        {spendable !== null && spendable !== balance
          ? say('{amount} spendable', { amount: formatBitcoin(spendable, network) })
          : transactions !== null && counted.transactions(transactions)}
      </div>
      {offline && <div className={layout.small}>{say('as the file last knew')}</div>}
    </div>
  );
}

interface ActionsProps extends Pick<WalletsRowProps, 'wallet' | 'node'> {
  change: WalletChange | undefined;
  /** Nothing can be done with it now. */
  blocked: boolean;
  nameId: string;
}

function Actions({ wallet, node, change, blocked, nameId }: ActionsProps) {
  const load = useWallets((state) => state.load);
  const unload = useWallets((state) => state.unload);
  const { begin } = usePlans.getState();
  const { name, kind, loaded } = wallet;
  const opens = loaded || kind !== 'legacy' || node.release.loadsLegacy;
  return (
    <div className={`${layout.row} ${styles.actions}`}>
      {kind === 'legacy' && node.release.migrates !== 'no' && (
        <SmallButton
          variant="light"
          blocked={blocked}
          describedBy={nameId}
          onClick={() => begin([{ wanted: 'migrate', source: { by: 'wallet', name } }])}
        >
          {say('Migrate')}
        </SmallButton>
      )}
      {loaded && (
        <SmallButton
          blocked={blocked}
          describedBy={nameId}
          onClick={() => begin([{ wanted: 'backup', source: { by: 'wallet', name } }])}
        >
          {say('Back up')}
        </SmallButton>
      )}
      {opens && (
        <SmallButton
          busy={change !== undefined}
          blocked={blocked}
          describedBy={nameId}
          onClick={() => void (loaded ? unload(name) : load(name))}
        >
          {loaded ? say('Unload') : say('Load')}
        </SmallButton>
      )}
      {node.local && node.walletsFolder !== null && (
        <ActionIcon
          variant="subtle"
          size={30}
          aria-label={say('Inspect')}
          title={say('Inspect its file')}
          aria-describedby={nameId}
          onClick={() => go({ at: 'inspect', source: { by: 'wallet', name } })}
        >
          <IconFileSearch size={17} stroke={1.7} aria-hidden />
        </ActionIcon>
      )}
    </div>
  );
}

interface WalletsOutcomeProps {
  name: string;
  outcome: WalletOutcome;
  offline: boolean;
}

/** What the node said to loading or unloading a wallet, beside that wallet until it is dismissed. */
function WalletsOutcome({ name, outcome, offline }: WalletsOutcomeProps) {
  const dismiss = useWallets((state) => state.dismissOutcome);
  return (
    <div className={layout.stack}>
      {'error' in outcome ? (
        <ErrorNotice
          error={outcome.error}
          title={
            outcome.change === 'load' ? say('The wallet was not loaded') : say('The wallet was not unloaded')
          }
        />
      ) : (
        <NodeWarnings warnings={outcome.warnings} offline={offline} />
      )}
      <SmallButton variant="subtle" onClick={() => dismiss(name)}>
        {say('Hide')}
      </SmallButton>
    </div>
  );
}
