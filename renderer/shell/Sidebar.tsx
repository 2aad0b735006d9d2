/** The sidebar: the wallets, the running jobs, the other pages, and the node. */
import { Button, NavLink, type NavLinkProps } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import {
  IconCircleFilled,
  IconHistory,
  IconHome,
  IconLifebuoy,
  IconPlayerPauseFilled,
  IconSettings,
  IconSquareFilled,
  IconTriangleFilled,
  IconWallet,
  type TablerIcon,
} from '@tabler/icons-react';
import { type Ref, useEffect, useMemo, useRef, useState } from 'react';
import type { Job } from '../../shared/model/job.ts';
import { formatBitcoin } from '../../shared/model/money.ts';
import type { NodeStatus } from '../../shared/model/node.ts';
import type { Wallet } from '../../shared/model/wallet.ts';
import { backupsOfWallet, walletBackups } from '../../shared/model/walletBackups.ts';
import { listedBalance } from '../../shared/wording/balanceWords.ts';
import { formatShare } from '../../shared/wording/format/formatNumber.ts';
import { networkName, walletLabel } from '../../shared/wording/format/names.ts';
import { interruptedLabel } from '../../shared/wording/interruptionWords.ts';
import { jobHeading, jobTone } from '../../shared/wording/jobWords.ts';
import { say } from '../../shared/wording/say.ts';
import { walletVerdict } from '../../shared/wording/verdictWords.ts';
import { ShowMore } from '../components/lists.tsx';
import { SafeText, WalletName } from '../components/texts.tsx';
import { go, isOtherNode, openFile, type Route, showHelp, useApp, useNode } from '../state/appStore.ts';
import { attempt, useReturns } from '../state/asking.ts';
import { walletsOfOtherNodes } from '../state/backupsStore.ts';
import { bridge } from '../state/bridge.ts';
import { chooseFile } from '../state/filePicker.ts';
import { goToJob, isRunning, isShownAt, useJobs } from '../state/jobsStore.ts';
import {
  iconFor,
  iconOf,
  type OpenedFile,
  recheckFiles,
  type StatusIcon,
  useOpened,
} from '../state/openedStore.ts';
import { refreshWallets, useWallets } from '../state/walletsStore.ts';
import styles from './App.module.css';
import { NodeChip } from './NodeChip.tsx';

export function Sidebar() {
  const route = useApp((state) => state.route);
  const mac = useApp(({ info }) => info?.platform === 'darwin');
  const help = useApp((state) => state.help);
  const node = useNode();
  return (
    <nav className={styles.nav} aria-label={say('Wallets and pages')}>
      <Button
        variant="default"
        justify="space-between"
        aria-keyshortcuts={mac ? 'Meta+O' : 'Control+O'}
        rightSection={
          <kbd className="small" aria-hidden>
            {mac ? '⌘ O' : `${say('Ctrl')} O`}
          </kbd>
        }
        onClick={() => void chooseFile()}
      >
        {say('Open wallet…')}
      </Button>
      <ul className={styles.entries}>
        <PageEntry Icon={IconHome} label={say('Home')} route={{ at: 'home' }} />
      </ul>
      <ul className={`${styles.entries} ${styles.wallets}`} aria-label={say('Wallets')}>
        <Files route={route} />
        {node && <NodeWallets node={node} route={route} />}
        <WalletsElsewhere node={node} route={route} />
      </ul>
      {node && (
        <ul className={styles.entries}>
          <PageEntry Icon={IconWallet} label={say('All wallets')} route={{ at: 'wallets' }} />
        </ul>
      )}
      <RunningJobs route={route} />
      <ul className={`${styles.entries} ${styles.foot}`}>
        <PageEntry Icon={IconHistory} label={say('History')} route={{ at: 'history' }} />
        <PageEntry Icon={IconSettings} label={say('Settings')} route={{ at: 'settings' }} />
        <Entry
          leftSection={<IconLifebuoy size={18} aria-hidden />}
          label={say('Help')}
          aria-expanded={help}
          onClick={() => showHelp(!help)}
        />
      </ul>
      <NodeChip />
    </nav>
  );
}

interface EntryProps extends NavLinkProps {
  ref?: Ref<HTMLButtonElement>;
  isCurrent?: boolean;
  onClick: () => void;
  'aria-expanded'?: boolean;
}

function Entry({ isCurrent = false, onClick, ...link }: EntryProps) {
  return (
    <li>
      <NavLink component="button" {...link} aria-current={isCurrent ? 'page' : undefined} onClick={onClick} />
    </li>
  );
}

function PageEntry({ Icon, label, route }: { Icon: TablerIcon; label: string; route: Route }) {
  const at = useApp((state) => state.route.at);
  return (
    <Entry
      leftSection={<Icon size={18} aria-hidden />}
      label={label}
      isCurrent={at === route.at || (at === 'batch' && route.at === 'wallets')}
      onClick={() => go(route)}
    />
  );
}

interface WalletEntryProps extends Pick<EntryProps, 'isCurrent' | 'onClick'> {
  name: string;
  note: string | null;
  icon: StatusIcon | null;
  /** Whether the page of all wallets has it, so that a narrow window can do without. */
  isListed?: boolean;
}

function WalletEntry({ name, note, icon, isListed = false, ...entry }: WalletEntryProps) {
  const dot = icon === null || icon === 'plain' ? null : ICONS[icon];
  const { isCurrent } = entry;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isCurrent) return;
    const { scrollX, scrollY } = window;
    button.current?.scrollIntoView({ block: 'nearest' });
    // Only the sidebar may move. In a narrow window it is part of what the page scrolls.
    window.scrollTo(scrollX, scrollY);
  }, [isCurrent]);
  return (
    <Entry
      ref={button}
      className={isListed ? styles.listed : styles.wallet}
      label={<SafeText text={name} truncate="middle" spaces />}
      description={note}
      rightSection={
        dot && (
          <span role="img" aria-label={dot.label} title={dot.label} data-tone={dot.tone}>
            <dot.Icon size={dot.size} color="var(--tone-text)" />
          </span>
        )
      }
      {...entry}
    />
  );
}

/** Their shapes differ as well as their colours. */
const ICONS = {
  good: { tone: 'good', Icon: IconCircleFilled, size: 10, label: say('Safe') },
  read: { tone: 'read', Icon: IconSquareFilled, size: 10, label: say('Something to do') },
  interrupted: { tone: 'read', Icon: IconPlayerPauseFilled, size: 14, label: say('Interrupted') },
  danger: { tone: 'danger', Icon: IconTriangleFilled, size: 12, label: say('Needs attention') },
} as const;

/** As many of each kind as fit, those that need the user first. */
const MAX_COUNT = 6;

/** The first `most` entries. The current one replaces the last of them if it comes later. */
function firstOf<T>(all: readonly T[], most: number, isCurrent: (one: T) => boolean): T[] {
  const first = all.slice(0, most);
  const current = all.slice(most).find(isCurrent);
  return current === undefined ? first : [...first.slice(0, -1), current];
}

/** The newest first, but for those in danger or interrupted. */
function Files({ route }: { route: Route }) {
  const opened = useOpened((state) => state.files);
  const files = useMemo(() => opened.toSorted((one, other) => urgency(one) - urgency(other)), [opened]);
  const node = useNode();
  const [most, setMost] = useState(MAX_COUNT);
  const isCurrent = ({ path }: OpenedFile) =>
    route.at === 'wallet' && route.source.by === 'file' && route.source.path === path;
  const visible = firstOf(files, most, isCurrent);
  // The page of a file sees it again by itself.
  useWindowEvent('focus', () => recheckFiles(visible.filter((file) => !isCurrent(file))));
  return (
    <>
      {visible.map((file) => (
        <WalletEntry
          key={file.path}
          name={file.title}
          note={file.balance ?? say('File')}
          icon={file.icon && iconFor(file.icon, node)}
          isCurrent={isCurrent(file)}
          onClick={() => openFile(file.path)}
        />
      ))}
      {most < files.length && (
        <li>
          <ShowMore count={most} all={files.length} page={50} onShow={setMost} />
        </li>
      )}
    </>
  );
}

function urgency({ icon }: OpenedFile): number {
  return icon === 'danger' || icon === 'interrupted' ? ORDER[icon] : ORDER.plain;
}

function NodeWallets({ node, route }: { node: NodeStatus; route: Route }) {
  const wallets = useWallets((state) => state.wallets);
  const isConnected = useApp(({ connection }) => connection.state === 'connected');
  // The user may have changed them with another program. A node that is lost cannot list them.
  useWindowEvent('focus', () => isConnected && void refreshWallets());
  const jobs = useJobs((state) => state.jobs);
  const backups = useMemo(() => walletBackups(jobs, node), [jobs, node]);
  const current = currentWallet(route, jobs);
  const entries = useMemo(
    () =>
      (wallets ?? [])
        .map((wallet) => {
          const verdict = walletVerdict(wallet, backupsOfWallet(backups, wallet));
          return { wallet, icon: iconFor(iconOf(verdict, wallet.kind === 'interrupted'), node) };
        })
        .toSorted((one, other) => orderOf(one) - orderOf(other)),
    [wallets, backups, node],
  );
  const [most, setMost] = useState(MAX_COUNT);
  return (
    <>
      {firstOf(entries, most, ({ wallet }) => wallet.name === current).map(({ wallet, icon }) => (
        <WalletEntry
          key={wallet.name}
          name={walletLabel(wallet.name)}
          note={noteOf(wallet, node)}
          icon={icon}
          isListed
          isCurrent={current === wallet.name}
          onClick={() => go({ at: 'wallet', source: { by: 'wallet', name: wallet.name } })}
        />
      ))}
      {most < entries.length && (
        <li>
          <div className={styles.listed}>
            <ShowMore count={most} all={entries.length} page={50} onShow={setMost} />
          </div>
        </li>
      )}
    </>
  );
}

/** A kept wallet comes last: there is nothing to do with it. */
function orderOf({ wallet: { interruption }, icon }: { wallet: Wallet; icon: StatusIcon }): number {
  return interruption?.restoredAs === undefined ? ORDER[icon] : ORDER.good + 1;
}

/** The wallets of other nodes whose folder is not gone: in a gone one, nobody can back them up. */
function WalletsElsewhere({ node, route }: { node: NodeStatus | null; route: Route }) {
  const jobs = useJobs((state) => state.jobs);
  const wallets = useMemo(() => walletsOfOtherNodes(jobs, node), [jobs, node]);
  const known = useFolders(wallets.flatMap(({ job }) => job.node.walletsFolder ?? []));
  const folderOf = ({ node: { walletsFolder } }: Job) => (walletsFolder ? known.get(walletsFolder) : 'there');
  return wallets
    .filter(({ job }) => folderOf(job) !== 'gone')
    .slice(0, MAX_ELSEWHERE)
    .map(({ job, name, icon }) => (
      <WalletEntry
        key={job.id}
        name={walletLabel(name)}
        note={folderOf(job) ? jobPlace(job.node) : say('Searching…')}
        icon={icon}
        isCurrent={route.at === 'wallet' && route.job === job.id}
        onClick={() => goToJob(job)}
      />
    ));
}

const MAX_ELSEWHERE = 3;

/** Looks for each folder once, and again when the user returns to the window. A folder is absent until its first look ends. */
function useFolders(paths: readonly string[]): ReadonlyMap<string, 'there' | 'gone'> {
  const [known, setKnown] = useState<ReadonlyMap<string, 'there' | 'gone'>>(new Map());
  const returns = useReturns();
  const question = JSON.stringify({ returns, wanted: [...new Set(paths)] });
  useEffect(() => {
    const wanted: string[] = JSON.parse(question).wanted;
    let isAsked = true;
    const look = async (path: string) => {
      const result = await attempt(() => bridge.call('files.inspect', { path }));
      const isGone = !result.ok && result.error.code === 'file_missing';
      if (isAsked) setKnown((before) => new Map(before).set(path, isGone ? 'gone' : 'there'));
    };
    // A folder that is asked for again later may have gone meanwhile.
    setKnown((before) => new Map([...before].filter(([path]) => wanted.includes(path))));
    for (const path of wanted) void look(path);
    return () => {
      isAsked = false;
    };
  }, [question]);
  return known;
}

function jobPlace({ offline, label, release, network }: Job['node']): string {
  return `${offline ? label : say('Bitcoin Core {release}', { release })}, ${networkName(network)}`;
}

const ORDER: Readonly<Record<StatusIcon, number>> = {
  danger: 1,
  interrupted: 2,
  read: 3,
  plain: 4,
  good: 5,
};

/** The wallet of this node that the page is about. */
function currentWallet(route: Route, jobs: readonly Job[]): string | null {
  if (route.at !== 'wallet') return null;
  const job = jobs.find(({ id }) => id === route.job);
  if (job && isOtherNode(job.node)) return null;
  if (job?.result) return job.result.walletName;
  return route.source.by === 'wallet' ? route.source.name : null;
}

function noteOf(wallet: Wallet, node: NodeStatus): string | null {
  const { pending, scanning, kind, interruption } = wallet;
  if (kind === 'interrupted') return interruptedLabel(interruption);
  if (scanning !== null) return say('Rescanning, {percent}', { percent: formatShare(scanning) });
  const { main } = listedBalance(wallet, node);
  if (main !== null) return formatBitcoin(main, node.network);
  return pending ? say('Reading…') : null;
}

/** Running jobs of other pages, and the last one of these that ended. */
function RunningJobs({ route }: { route: Route }) {
  const jobs = useJobs((state) => state.jobs);
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const running = jobs.filter(isRunning);
  const unseen = running.filter(({ id }) => !seen.has(id));
  if (unseen.length > 0) setSeen(new Set([...seen, ...unseen.map(({ id }) => id)]));
  const ended = jobs.find((job) => !isRunning(job) && seen.has(job.id));
  const isInSight = ended !== undefined && (isShownAt(route, ended) || route.at === 'history');
  if (isInSight) setSeen(new Set([...seen].filter((id) => id !== ended.id)));
  const visible = [
    ...running.filter((job) => !isShownAt(route, job)),
    ...(ended && !isInSight && ended.kind !== 'backup' ? [ended] : []),
  ].slice(0, 3);
  return (
    <div role="status" aria-label={say('Jobs')}>
      <ul className={styles.entries}>
        {visible.map((job) => (
          <Entry
            key={job.id}
            bd="1px solid var(--tone-line)"
            bg="var(--tone-surface)"
            data-tone={jobTone(job)}
            label={
              <>
                {jobHeading(job)}: <WalletName name={job.wallet} />
              </>
            }
            description={job.state === 'running' && progressNote(job)}
            onClick={() => goToJob(job)}
          />
        ))}
      </ul>
    </div>
  );
}

function progressNote({ connection, progress }: Job): string {
  if (connection !== 'ok') return say('Waiting for the node.');
  return progress ? formatShare(progress.fraction) : say('running');
}
