/** Open a wallet, the wallets, what runs, the other pages, and the node. */
import { UnstyledButton } from '@mantine/core';
import { IconHistory, IconHome, IconLifebuoy, IconSettings, IconWallet } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { Job } from '../../shared/model/job.ts';
import { formatBitcoin, mainPart } from '../../shared/model/money.ts';
import type { NodeStatus } from '../../shared/model/node.ts';
import type { Wallet } from '../../shared/model/wallet.ts';
import { formatShare } from '../../shared/wording/format/formatShare.ts';
import { walletLabel } from '../../shared/wording/format/walletLabel.ts';
import { jobHeading, STATE_TONES } from '../../shared/wording/jobWords.ts';
import { say } from '../../shared/wording/say.ts';
import { type Verdict, walletVerdict } from '../../shared/wording/verdictWords.ts';
import { SafeText, WalletName } from '../components/text/texts.tsx';
import { go, openFile, type Route, useApp, useNode } from '../state/appStore.ts';
import { goToJob, isRunning, isShownAt, useJobs } from '../state/jobsStore.ts';
import { useOpened } from '../state/openedStore.ts';
import { NO_BACKUPS, walletBackups } from '../state/walletBackups.ts';
import { useWallets } from '../state/walletsStore.ts';
import { NodeChip } from './NodeChip.tsx';
import styles from './Sidebar.module.css';
import { chooseFile } from './takeShortcuts.ts';

export function Sidebar() {
  const route = useApp((state) => state.route);
  const mac = useApp(({ info }) => info?.platform === 'darwin');
  const help = useApp((state) => state.help);
  const node = useNode();
  return (
    <nav className={styles.nav} aria-label={say('Wallets and pages')}>
      <button
        type="button"
        className={styles.open}
        aria-keyshortcuts={mac ? 'Meta+O' : 'Control+O'}
        onClick={() => void chooseFile()}
      >
        <span>{say('Open wallet…')}</span>
        <kbd aria-hidden>{mac ? '⌘ O' : `${say('Ctrl')} O`}</kbd>
      </button>
      <ul className={styles.entries} aria-label={say('Wallets')}>
        <Files route={route} />
        {node && <NodeWallets node={node} route={route} />}
      </ul>
      <RunningJobs route={route} />
      <ul className={`${styles.entries} ${styles.foot}`}>
        <PageEntry icon={<IconHome size={18} aria-hidden />} label={say('Home')} route={{ at: 'home' }} />
        <PageEntry
          icon={<IconHistory size={18} aria-hidden />}
          label={say('History')}
          route={{ at: 'history' }}
        />
        <PageEntry
          icon={<IconSettings size={18} aria-hidden />}
          label={say('Settings')}
          route={{ at: 'settings' }}
        />
        <li>
          <button
            type="button"
            className={styles.entry}
            aria-expanded={help}
            aria-controls={help ? 'help' : undefined}
            onClick={() => useApp.getState().showHelp(!help)}
          >
            <IconLifebuoy size={18} aria-hidden />
            <span>{say('Help')}</span>
          </button>
        </li>
      </ul>
      <NodeChip />
    </nav>
  );
}

function PageEntry({ icon, label, route }: { icon: ReactNode; label: string; route: Route }) {
  const at = useApp((state) => state.route.at);
  return (
    <li>
      <button
        type="button"
        className={styles.entry}
        aria-current={at === route.at ? 'page' : undefined}
        onClick={() => go(route)}
      >
        {icon}
        <span>{label}</span>
      </button>
    </li>
  );
}

interface EntryProps {
  name: ReactNode;
  note: string | null;
  tone: Verdict['tone'] | null;
  isCurrent: boolean;
  onOpen: () => void;
}

function WalletEntry({ name, note, tone, isCurrent, onOpen }: EntryProps) {
  return (
    <li>
      <button
        type="button"
        className={styles.wallet}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={onOpen}
      >
        <span className={styles.name}>{name}</span>
        <span className={styles.note}>{note}</span>
        {tone && tone !== 'plain' && (
          <span
            className={styles.dot}
            data-tone={tone}
            role="img"
            aria-label={DOTS[tone]}
            title={DOTS[tone]}
          />
        )}
      </button>
    </li>
  );
}

const DOTS = {
  good: say('Safe'),
  read: say('Something to do'),
  danger: say('Needs you now'),
} as const;

function Files({ route }: { route: Route }) {
  const files = useOpened((state) => state.files);
  return files.map(({ path, title, balance, tone }) => (
    <WalletEntry
      key={path}
      name={<SafeText text={title} truncate />}
      note={balance ?? say('File')}
      tone={tone}
      isCurrent={route.at === 'wallet' && route.source.by === 'file' && route.source.path === path}
      onOpen={() => openFile(path)}
    />
  ));
}

/** As many as fit; those that need the user first. */
const MOST = 6;

function NodeWallets({ node, route }: { node: NodeStatus; route: Route }) {
  const wallets = useWallets((state) => state.wallets);
  const jobs = useJobs((state) => state.jobs);
  const backups = useMemo(() => walletBackups(jobs, node.address), [jobs, node.address]);
  const current = currentWallet(route, jobs);
  const entries = useMemo(
    () =>
      (wallets ?? []).map((wallet) => ({
        wallet,
        verdict: walletVerdict(wallet, backups.get(wallet.name) ?? NO_BACKUPS),
      })),
    [wallets, backups],
  );
  const first = entries.toSorted((one, other) => orderOf(one) - orderOf(other)).slice(0, MOST);
  const isListed = first.some(({ wallet }) => wallet.name === current);
  // The one on the page is always there, and none changes its place for it.
  const shown = isListed
    ? first
    : [...first.slice(0, MOST - 1), ...entries.filter(({ wallet }) => wallet.name === current)];
  if (!isListed && shown.length < first.length) shown.push(...first.slice(MOST - 1));
  return (
    <>
      {shown.map(({ wallet, verdict }) => (
        <WalletEntry
          key={wallet.name}
          name={<SafeText text={walletLabel(wallet.name)} truncate spaces />}
          note={noteOf(wallet, node)}
          tone={verdict.tone}
          isCurrent={current === wallet.name}
          onOpen={() => go({ at: 'wallet', source: { by: 'wallet', name: wallet.name } })}
        />
      ))}
      <li>
        <button
          type="button"
          className={styles.entry}
          aria-current={route.at === 'wallets' || route.at === 'batch' ? 'page' : undefined}
          onClick={() => go({ at: 'wallets' })}
        >
          <IconWallet size={18} aria-hidden />
          <span>{say('All wallets')}</span>
        </button>
      </li>
    </>
  );
}

/** The wallet of the page, or the one that its job made. */
function currentWallet(route: Route, jobs: readonly Job[]): string | null {
  if (route.at !== 'wallet') return null;
  const result = jobs.find(({ id }) => id === route.job)?.result;
  if (result) return result.walletName;
  return route.source.by === 'wallet' ? route.source.name : null;
}

function orderOf({ verdict }: { verdict: Verdict }): number {
  return { danger: 1, read: 2, good: 3, plain: 4 }[verdict.tone];
}

function noteOf(
  { balance, watchOnly, pending, scanning, kind }: Wallet,
  { network }: NodeStatus,
): string | null {
  if (kind === 'interrupted') return say('Interrupted');
  if (scanning !== null) return say('Rescanning, {percent}', { percent: formatShare(scanning) });
  if (balance !== null) return formatBitcoin(mainPart(balance, watchOnly === true), network);
  return pending ? say('Reading…') : null;
}

/** Jobs that run out of sight, and the last one that ended there. */
function RunningJobs({ route }: { route: Route }) {
  const jobs = useJobs((state) => state.jobs);
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const running = jobs.filter(isRunning);
  const unseen = running.filter(({ id }) => !seen.has(id));
  if (unseen.length > 0) setSeen(new Set([...seen, ...unseen.map(({ id }) => id)]));
  const ended = jobs.find((job) => !isRunning(job) && seen.has(job.id));
  const isInSight = ended !== undefined && (isShownAt(route, ended) || route.at === 'history');
  if (isInSight) setSeen(new Set([...seen].filter((id) => id !== ended.id)));
  const shown = [
    ...running.filter((job) => !isShownAt(route, job)),
    ...(ended && !isInSight && ended.kind !== 'backup' ? [ended] : []),
  ].slice(0, 3);
  return (
    <div role="status" aria-label={say('Jobs')}>
      <ul className={styles.entries}>
        {shown.map((job) => (
          <li key={job.id}>
            <JobEntry job={job} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function JobEntry({ job }: { job: Job }) {
  const { progress, wallet, connection, state } = job;
  return (
    <UnstyledButton className={styles.job} data-tone={STATE_TONES[state]} onClick={() => goToJob(job)}>
      <span className={styles.name}>
        {jobHeading(job)}: <WalletName name={wallet} />
      </span>
      {state === 'running' && (
        <span className={styles.note}>
          {connection !== 'ok'
            ? say('Waiting for the node.')
            : progress
              ? formatShare(progress.fraction)
              : say('running')}
        </span>
      )}
    </UnstyledButton>
  );
}
