/** One wallet in the table: what is known of it, and what can be done with it. */
import { ActionIcon, Box, Checkbox, Menu, UnstyledButton } from '@mantine/core';
import {
  IconArchive,
  IconArrowsExchange,
  IconDots,
  IconFileSearch,
  IconLifebuoy,
  IconPower,
  IconZoomScan,
} from '@tabler/icons-react';
import { memo, useId } from 'react';
import { WALLET_COLUMNS } from '../../../shared/contract.ts';
import { formatBitcoin } from '../../../shared/model/money.ts';
import type { NodeStatus } from '../../../shared/model/node.ts';
import type { Wallet } from '../../../shared/model/wallet.ts';
import {
  backedUpBy,
  hasUnsavedKeys,
  isSameWallet,
  NO_BACKUPS,
  needsNewBackup,
  type WalletBackups,
} from '../../../shared/model/walletBackups.ts';
import { listedBalance } from '../../../shared/wording/balanceWords.ts';
import { counted, formatShare, formatSize } from '../../../shared/wording/format/formatNumber.ts';
import { formatTime } from '../../../shared/wording/format/formatTime.ts';
import { KIND_NAMES, walletLabel } from '../../../shared/wording/format/names.ts';
import { interruptedLabel, noCopyWords, restoredAsWords } from '../../../shared/wording/interruptionWords.ts';
import { FILE_NOT_SEEN, jobHeading } from '../../../shared/wording/jobWords.ts';
import { KEYS_NOT_COMPARED } from '../../../shared/wording/journeyWords.ts';
import { OLD_BACKUPS } from '../../../shared/wording/proofWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { goneWords, walletVerdict } from '../../../shared/wording/verdictWords.ts';
import { SmallButton } from '../../components/buttons.tsx';
import { NodeWarnings } from '../../components/lists.tsx';
import { ErrorNotice, Tag } from '../../components/parts.tsx';
import { Paragraph, SafeText, Say, Term, UNNAMED_HINT, WalletName } from '../../components/texts.tsx';
import { go, isNodeCurrent, isNodeLost, useApp } from '../../state/appStore.ts';
import { queueStateOf, useBackups } from '../../state/backupsStore.ts';
import { isRunning, useJobs } from '../../state/jobsStore.ts';
import { walletActions } from '../../state/walletActions.ts';
import {
  dismissOutcome,
  useWallets,
  type WalletChange,
  type WalletOutcome,
} from '../../state/walletsStore.ts';
import { BackupLine, type BackupQueueState } from '../wallet/job/NewBackups.tsx';
import styles from './Wallets.module.css';

interface WalletsRowProps {
  wallet: Wallet;
  backups: WalletBackups;
  node: NodeStatus;
  isSelected: boolean;
  onSelect: (names: readonly string[], isOn: boolean) => void;
  index: number;
  offset: number;
  measure: (element: HTMLElement | null) => void;
}

export const WalletsRow = memo(function WalletsRow(props: WalletsRowProps) {
  const { wallet, backups, node, isSelected, onSelect, index, offset, measure } = props;
  const { name, kind, encrypted } = wallet;
  const change = useWallets(({ changing }) => changing.get(name));
  const outcome = useWallets(({ outcomes }) => outcomes.get(name));
  const job = useJobs(({ jobs }) =>
    jobs.find((one) => isRunning(one) && isSameWallet(one, { node, wallet: name })),
  );
  const queueState = useBackups((state) => queueStateOf(state, { node, wallet: name }));
  const isLost = useApp(isNodeLost);
  const nameId = useId();
  const doing = change ? CHANGING[change] : job && jobHeading(job);
  // A wallet that is legacy again has its old backups.
  const isNeeded = needsNewBackup(backups) && kind !== 'legacy';
  // A file that begins as a descriptor wallet may be incomplete: what is in it is read first.
  const isKindUncertain = wallet.pending && kind === 'descriptor' && !wallet.loaded;
  return (
    <tr
      ref={measure}
      className={styles.row}
      style={{ transform: `translateY(${offset}px)` }}
      data-index={index}
      aria-rowindex={index + 2}
      aria-labelledby={nameId}
    >
      <td className={styles.select}>
        <Checkbox
          size="xs"
          aria-labelledby={nameId}
          checked={isSelected}
          onChange={({ currentTarget }) => onSelect([name], currentTarget.checked)}
        />
      </td>
      <th scope="row" className={styles.name}>
        <Box id={nameId} lh={1.4} className="name" title={walletLabel(name)}>
          <UnstyledButton
            className={styles.open}
            maw="100%"
            fw="inherit"
            onClick={() => go({ at: 'wallet', source: { by: 'wallet', name } })}
          >
            <WalletName name={name} />
          </UnstyledButton>
        </Box>
        {name === '' && (
          <div className="small">
            <Term word="unnamed wallet">{UNNAMED_HINT}</Term>
          </div>
        )}
      </th>
      <td className={styles.kind}>
        {KIND_NAMES[kind] !== null && !isKindUncertain && <Kind wallet={wallet} />}
        <div className="small">
          {encrypted && <span className={styles.label}>{say('Encrypted')} · </span>}
          {[
            ...(wallet.watchOnly ? [say('Watch-only')] : []),
            wallet.loaded ? say('Loaded') : say('Not loaded'),
          ].join(' · ')}
        </div>
        {wallet.damagedFile !== undefined && <Tag tone="danger">{say('Damaged')}</Tag>}
        {wallet.scanning !== null && (
          <Tag tone="info">{say('Rescanning, {percent}', { percent: formatShare(wallet.scanning) })}</Tag>
        )}
        {doing && <Tag tone="info">{doing}</Tag>}
      </td>
      <td className={`small ${styles.encrypted}`}>
        {encrypted === null ? UNKNOWN : encrypted ? say('Yes') : say('No')}
      </td>
      <td className={`small numbers ${styles.balance}`}>
        <Balance wallet={wallet} node={node} />
      </td>
      <td className={`small numbers ${styles.size}`}>
        {wallet.size === null ? UNKNOWN : formatSize(wallet.size)}
      </td>
      <td className={`small ${styles.backup}`}>
        <span className={styles.label}>{say('Last backup:')} </span>
        {queueState?.state === 'queued' ? (
          <Tag>{say('Queued')}</Tag>
        ) : (
          <LastBackup
            {...backups}
            isNeeded={kind !== 'legacy' && hasUnsavedKeys(wallet, backups)}
            unchecked={backups.unchecked && !wallet.pending}
          />
        )}
      </td>
      <td className={`row ${styles.actions}`}>
        <WalletsActions
          wallet={wallet}
          node={node}
          needsBackup={isNeeded}
          isChanging={change !== undefined}
          blocked={isLost || doing !== undefined || queueState?.state === 'queued'}
          nameId={nameId}
        />
      </td>
      <Below {...props} outcome={change ? undefined : outcome} queueState={queueState} />
    </tr>
  );
});

function Kind({ wallet }: Pick<WalletsRowProps, 'wallet'>) {
  const { kind, interruption } = wallet;
  if (kind === 'interrupted')
    return <Tag tone={walletVerdict(wallet, NO_BACKUPS).tone}>{interruptedLabel(interruption)}</Tag>;
  return <Tag tone={kind === 'legacy' ? 'read' : 'plain'}>{KIND_NAMES[kind]}</Tag>;
}

const UNKNOWN = <span className={styles.unknown}>–</span>;

const CHANGING: Readonly<Record<WalletChange, string>> = {
  load: say('Loading'),
  unload: say('Unloading'),
};

function Balance({ wallet, node }: Pick<WalletsRowProps, 'wallet' | 'node'>) {
  const { transactions, pending, loaded, fromFile } = wallet;
  const { network, offline } = node;
  const { main, watched, spendable } = listedBalance(wallet, node);
  const isCurrent = useApp(isNodeCurrent);
  if (main === null) {
    if (!pending) return UNKNOWN;
    return loaded && !offline ? say('Asking the node…') : say('Reading the file…');
  }
  const last = !isCurrent || offline || fromFile;
  return (
    <>
      <Box fz="md" fw={600} c="var(--mantine-color-text)" style={{ whiteSpace: 'nowrap' }}>
        {formatBitcoin(main, network)}
      </Box>
      {watched !== null && <div>{watched}</div>}
      {spendable !== null ? (
        <div>{spendable}</div>
      ) : (
        !last && transactions !== null && <div>{counted.transactions(transactions)}</div>
      )}
      {last && <div>{say('last known')}</div>}
    </>
  );
}

function LastBackup({ lastFinished, lastTried, isNeeded, gonePath, unchecked }: WalletBackups) {
  return (
    <>
      {lastFinished ? (
        formatTime(lastFinished.started)
      ) : isNeeded || gonePath !== null ? (
        <Box component="span" c="var(--ferry-read-text)">
          {isNeeded ? OLD_BACKUPS : <SafeText text={goneWords(gonePath ?? '')} />}
        </Box>
      ) : (
        say('Not backed up here')
      )}
      {backedUpBy(lastFinished && [lastFinished]) === 'unseen' && <div>{FILE_NOT_SEEN}</div>}
      {unchecked && <div>{KEYS_NOT_COMPARED}</div>}
      {lastTried !== null && lastTried !== lastFinished && lastTried.state !== 'running' && (
        <div>{say('Last one failed')}</div>
      )}
    </>
  );
}

interface BelowProps extends Pick<WalletsRowProps, 'wallet' | 'node'> {
  /** What the node said to loading or unloading it, until that is dismissed. */
  outcome: WalletOutcome | undefined;
  queueState: BackupQueueState;
}

function Below({ wallet, node: { offline, release }, outcome, queueState }: BelowProps) {
  const { name, kind, problem, interruption } = wallet;
  // Of every legacy wallet a node says that it needs a migration: its kind and its button say so here.
  const warnings = wallet.warnings.filter(
    (one) => kind !== 'legacy' || release.migrates === 'no' || !/\bmigratewallet\b/.test(one),
  );
  const refused = queueState?.state === 'refused';
  const { copies = 0, restoredAs } = interruption ?? {};
  /** Why there is no button that puts it back. */
  const whyNotBack =
    restoredAs !== undefined
      ? restoredAsWords(restoredAs)
      : interruption && copies === 0
        ? noCopyWords(interruption)
        : null;
  if (warnings.length === 0 && !problem && !outcome && !refused && whyNotBack === null) return null;
  return (
    <td className={`stack ${styles.below}`} aria-colspan={WALLET_COLUMNS.length + 2}>
      {[...new Set(warnings)].map((warning) => (
        <p key={warning} className="small">
          <Say text="Warning: {warning}" values={{ warning: <SafeText text={warning} lines /> }} />
        </p>
      ))}
      {whyNotBack !== null && <Paragraph text={whyNotBack} quiet />}
      {problem && <ErrorNotice error={problem} quiet title={say('Details not read')} />}
      {refused && <BackupLine queueState={queueState} backup={null} />}
      {outcome && 'error' in outcome && (
        <ErrorNotice
          error={outcome.error}
          title={outcome.change === 'load' ? say('Not loaded') : say('Not unloaded')}
        />
      )}
      {outcome && 'warnings' in outcome && <NodeWarnings warnings={outcome.warnings} offline={offline} />}
      {outcome && (
        <SmallButton variant="subtle" onClick={() => dismissOutcome(name)}>
          {say('Hide')}
        </SmallButton>
      )}
    </td>
  );
}

interface WalletsActionsProps {
  wallet: Wallet;
  node: NodeStatus;
  needsBackup: boolean;
  isChanging: boolean;
  /** Nothing can be done with it now but to open its page. */
  blocked: boolean;
  nameId: string;
}

/** What can be done with a wallet: the next sensible thing as a button, all of it in a menu. */
export function WalletsActions(props: WalletsActionsProps) {
  const { wallet, node, needsBackup, isChanging, blocked, nameId } = props;
  const { isUnread, migrate, rescue, putBack, backUp, change, rescan, open } = walletActions(wallet, node);
  const load = wallet.loaded ? say('Unload') : say('Load');
  const entries = [
    { Icon: IconArrowsExchange, label: say('Migrate'), act: migrate },
    { Icon: IconLifebuoy, label: say('Rescue'), act: rescue },
    { Icon: IconArchive, label: say('Back up…'), act: backUp },
    { Icon: IconPower, label: load, act: change },
    { Icon: IconZoomScan, label: say('Rescan everything…'), act: rescan },
    { Icon: IconFileSearch, label: say('Open'), act: open },
  ];
  const next =
    (putBack && { label: say('Put it back'), act: putBack, isDue: true }) ??
    (rescue && { label: say('Rescue'), act: rescue, isDue: true }) ??
    (migrate && { label: say('Migrate'), act: migrate, isDue: true }) ??
    (wallet.loaded && backUp
      ? { label: needsBackup ? say('Back up now') : say('Back up'), act: backUp, isDue: needsBackup }
      : change && { label: load, act: change, isDue: false });

  return (
    <>
      {next && !isUnread && (
        <SmallButton
          variant={next.isDue ? 'light' : 'default'}
          busy={isChanging && next.act === change}
          blocked={blocked}
          describedBy={nameId}
          onClick={next.act}
        >
          {next.label}
        </SmallButton>
      )}
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            size={30}
            aria-label={say('More')}
            title={say('More')}
            aria-describedby={nameId}
          >
            <IconDots size={17} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {entries.map(
            ({ Icon, label, act }) =>
              act && (
                <Menu.Item
                  key={label}
                  leftSection={<Icon size={17} aria-hidden />}
                  disabled={blocked && act !== open}
                  onClick={act}
                >
                  {label}
                </Menu.Item>
              ),
          )}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
