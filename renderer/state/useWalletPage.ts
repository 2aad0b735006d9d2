/** The state of one wallet's page: its file, its entry on the node, its draft and its job. */
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Output } from '../../shared/contract.ts';
import { MAX_FIRST_KEYS } from '../../shared/model/conditions.ts';
import type { FileFacts } from '../../shared/model/files.ts';
import { type Inspection, passphraseNeed } from '../../shared/model/inspection.ts';
import { haveSameWallets, type Job, migratedWallets, wasPutBack } from '../../shared/model/job.ts';
import { findByName, isSameWalletName } from '../../shared/model/names/walletName.ts';
import type { Network } from '../../shared/model/network.ts';
import type { NodeStatus } from '../../shared/model/node.ts';
import type { Interruption } from '../../shared/model/safety.ts';
import type { Wallet } from '../../shared/model/wallet.ts';
import {
  type BackupsByName,
  backupsOfWallet,
  createdWallets,
  NO_BACKUPS,
  type WalletBackups,
  walletBackups,
} from '../../shared/model/walletBackups.ts';
import { copyOfThisWallet } from '../../shared/wording/interruptionWords.ts';
import { onlyAddsJob, replaceRoute, useNode, type WalletRoute } from './appStore.ts';
import { foundIn, type RequestState, useRequest, useReturns } from './asking.ts';
import { type Draft, draftOfSource, useDrafts } from './draftsStore.ts';
import { jobsOfFile, newestOpenJob, resultInUse, useJobs } from './jobsStore.ts';
import { versionOf } from './openedStore.ts';
import { plans } from './plansStore.ts';
import { refreshWallets, useWallets } from './walletsStore.ts';

export interface WalletPageState {
  route: WalletRoute;
  node: NodeStatus | null;
  /** Of a file; null for a wallet of the node. */
  facts: FileFacts | null;
  look: RequestState<FileFacts>;
  inspection: Inspection | null;
  inspecting: RequestState<Inspection>;
  /** Reads the file of a wallet that the node has open, which the page does not read by itself. Null: not possible. */
  read: (() => void) | null;
  /** The network that the user chose for the file. */
  network: Network | null;
  setNetwork: (network: Network | null) => void;
  /** The node's entry; null for a file, and for a wallet that is not on this node. */
  wallet: Wallet | null;
  backups: WalletBackups;
  /** Of an incomplete file or wallet. */
  interruption: Interruption | null;
  /** What the best whole copy of an incomplete wallet holds. */
  copied: Inspection | null;
  /** Whether the wallet of the shown interrupted job was put back since. */
  isWholeAgain: boolean;
  draft: Draft | null;
  /** The job to show, and all jobs that concern this wallet, newest first. */
  job: Job | null;
  jobs: readonly Job[];
  /** The earlier job that made a wallet from this file, and whether the node in use still has that wallet. */
  earlier: Job | null;
  isEarlierListed: boolean;
}

export function useWalletPage(route: WalletRoute): WalletPageState {
  const { source, searched } = route;
  const node = useNode();
  const all = useJobs((state) => state.jobs);
  const draft = useDrafts((state) => draftOfSource(state, source));
  const named = useJobs(({ jobs }) => jobs.find(({ id }) => id === route.job));
  // After a job on a file, the page shows the new wallet.
  const newName = named?.state === 'done' ? (named.result?.walletName ?? null) : null;
  const name = newName ?? (source.by === 'wallet' ? source.name : null);
  // Another node may have a wallet of the same name.
  const isHere = !named || (node !== null && haveSameWallets(named.node, node));
  const listed = useListedWallet(name);
  const wallet = isHere ? listed : null;
  const allBackups = useMemo(() => (node === null ? null : walletBackups(all, node)), [all, node]);
  const isUnknown = allBackups === null || name === null || !isHere;
  const backups = isUnknown ? NO_BACKUPS : backupsOfWallet(allBackups, wallet ?? { name });
  const own = jobsOf(all, route, name, node);
  const listedAt = useWallets((state) => state.listedAt);
  const usual = shownJob(own, { wallet, listedAt, chosen: draft?.chosen === true });
  const last = route.job === undefined ? usual : (named ?? null);
  const isWholeAgain = useInterruptionNow(last)?.isWhole ?? false;
  // Another program put the wallet back, so its page offers again what can be done with it.
  const job = isWholeAgain && route.job === undefined ? null : last;

  // Read the file again after a job, and when the user opens it again, but not as the page gets the name of its job.
  const [opened, setOpened] = useState({ route, round: 0, at: Date.now() / 1000 });
  if (opened.route !== route && !onlyAddsJob(opened.route, route))
    setOpened({ route, round: opened.round + 1, at: Date.now() / 1000 });
  const turn = `${opened.round} ${job !== null && job.state !== 'running'}`;
  const path = source.by === 'file' && newName === null ? source.path : null;
  // Another program may change or remove it, so read its first bytes again when the user returns and with each plan.
  const returns = useReturns();
  const planned = `${draft?.plan?.id} ${draft?.worse} ${draft?.error?.message}`;
  const look = useRequest('files.inspect', path === null ? null : { path }, {
    turn: `${turn} ${returns} ${planned}`,
  });
  const facts = foundIn(look);
  const version = facts && versionOf(facts);
  useFileChanges(draft, look.state === 'failed' ? GONE : version);
  const [chosenNetwork, setNetwork] = useState<Network | null>(null);
  const network = chosenNetwork ?? searched?.network ?? null;
  const isReadable =
    path === null
      ? node?.local && node.walletsFolder !== null && wallet !== null
      : facts !== null && (facts.kind !== 'other' || searched !== undefined);
  // Bitcoin Core may be writing to its wallet's file.
  const isBusy = job?.state === 'running' && path === null;
  // A node has to write a copy of an open wallet, so read it only when the user asks.
  const [asked, setAsked] = useState<string | null>(route.tab === undefined ? null : name);
  const isOpenInNode = wallet?.loaded === true && node?.offline === false;
  const isWanted = path !== null || !isOpenInNode || asked === name;
  const toInspect =
    isReadable && !isBusy && isWanted
      ? {
          source: name === null ? source : ({ by: 'wallet', name } as const),
          ...(network === null ? {} : { network }),
          ...(facts?.kind === 'other' ? { rescue: true } : {}),
        }
      : null;
  // A program can close the file without changing it.
  const [openReturns, setOpenReturns] = useState(0);
  const options = { of: name ?? JSON.stringify(source), turn: `${turn} ${version} ${openReturns}` };
  const firstLook = useRequest('wallet.inspect', toInspect && { ...toInspect, isFirstLook: true }, options);
  const first = foundIn(firstLook);
  // The facts of a large wallet are on the page before all its keys are compared.
  const isFirst = !toInspect?.rescue && (first?.records.byType.key ?? 0) > MAX_FIRST_KEYS;
  const whole = useRequest('wallet.inspect', isFirst ? toInspect : null, options);
  const inspecting = mergeLooks(firstLook, whole);
  const found = foundIn(inspecting);
  const isOpen = found?.isOpen === true;
  useEffect(() => {
    if (isOpen) setOpenReturns(returns);
  }, [isOpen, returns]);
  // A BIP 38 key does not say its network, and nearly all are of the main one.
  const isLikelyMain = network === null && found !== null && passphraseNeed(found)?.opensAll === true;
  useEffect(() => {
    if (isLikelyMain) setNetwork('main');
  }, [isLikelyMain]);
  // Jobs know the real path of a file that was opened through a link.
  const realPath = route.job === undefined ? facts?.path : undefined;
  const ofFile = realPath === undefined ? null : jobsOfFile(all, { path: realPath, sha256: found?.sha256 });
  const chosen = draft?.chosen === true;
  const isNamed = route.job !== undefined || ofFile === null;
  const open = isNamed ? undefined : newestOpenJob(ofFile, { opened: opened.at, chosen })?.id;
  // The page may be reloaded before the answer that names the job. A wallet's page finds its job by the wallet's name.
  useEffect(() => {
    if (open !== undefined) replaceRoute({ ...route, job: open });
  }, [open, route]);
  const mayBeIncomplete =
    wallet?.kind === 'interrupted' || (path !== null && (facts?.kind === 'other' || !!found?.incomplete));
  const interrupted = useRequest('wallet.interruption', mayBeIncomplete ? { source } : null, { turn });
  const interruption = foundIn(interrupted)?.interruption ?? null;
  const left = interruption ?? (job?.state === 'interrupted' ? job.interruption : undefined);
  const copy = left?.restoredAs === undefined ? copyOfThisWallet(left?.copies ?? []) : undefined;
  const copied = useRequest(
    'wallet.inspect',
    copy
      ? {
          source: { by: 'file', path: copy.path },
          unlisted: true,
          ...(copy.network && { network: copy.network }),
        }
      : null,
  );
  // Keys of the main network show their network. Keys of the test networks look alike.
  const isOfKeys = searched?.network === 'main' && network === 'main' && found?.network.from === 'asked';
  const inspection =
    found && isOfKeys ? { ...found, network: { ...found.network, from: 'keys' as const } } : found;
  const earlier = ofFile && resultInUse(ofFile);
  const isEarlierListed = useWallets(({ wallets }) => hasWalletsOf(earlier, allBackups, wallets));
  return {
    route,
    node,
    facts,
    look,
    inspection,
    inspecting,
    network,
    setNetwork,
    read: isReadable && !isBusy && !isWanted ? () => setAsked(name) : null,
    wallet,
    backups,
    draft,
    job,
    jobs: ofFile ?? own,
    earlier,
    isEarlierListed,
    interruption,
    copied: foundIn(copied),
    isWholeAgain: isWholeAgain && job !== null,
  };
}

/** The wallet of this name in the list of the node in use, however its node spells the name. */
function useListedWallet(name: string | null | undefined): Wallet | null {
  const folder = useNode()?.walletsFolder;
  const wallets = useWallets((state) => state.wallets);
  return typeof name === 'string' ? (findByName(wallets, name, folder) ?? null) : null;
}

/** Whether the node still has each wallet that this migration made, whole; false for other jobs. `backups`: of the node, by name. */
export function hasWalletsOf(
  job: Job | null,
  backups: BackupsByName | null,
  wallets: readonly Pick<Wallet, 'name' | 'kind' | 'damagedFile' | 'problem' | 'pending'>[] | null,
): boolean {
  if (job?.result?.kind !== 'migrate') return false;
  return migratedWallets(job.result).every(({ name }) => {
    const found = findByName(wallets, name, job.node.walletsFolder);
    const isWhole = found?.damagedFile === undefined && found?.problem === null && !found.pending;
    // A later job may have made another wallet of the name.
    return isWhole && found.kind === 'descriptor' && backups?.get(name)?.createdBy?.id === job.id;
  });
}

/** Merges the first look at a file with the full one of a large wallet: nothing is certain before all keys are compared. */
export function mergeLooks<Found>(
  first: RequestState<Found>,
  whole: RequestState<Found>,
): RequestState<Found> {
  if (whole.state !== 'looking') return whole.state === 'none' ? first : whole;
  return { ...whole, before: first.state === 'known' ? first.found : (whole.before ?? foundIn(first)) };
}

/** The interruption as a plan to put the wallet back would find it now. Null for other jobs, and on another node. */
export function useInterruptionNow(job: Job | null): Output<'wallet.interruption'> | null {
  const node = useNode();
  const { state, interruption, wallet } = job ?? {};
  const isHere = job !== null && node !== null && haveSameWallets(job.node, node);
  const isAsked = isHere && state === 'interrupted' && interruption !== undefined && wallet !== undefined;
  // Another program or another window may put it back.
  const returns = useReturns();
  const kind = useListedWallet(wallet)?.kind;
  const look = useRequest(
    'wallet.interruption',
    isAsked
      ? { source: { by: 'wallet', name: wallet }, ...chosenCopy(interruption), forPutBack: true }
      : null,
    { turn: `${returns} ${kind}` },
  );
  // Until a large wallet is read, the journal shows that it was put back.
  const isPutBack = useJobs(({ jobs }) => job !== null && wasPutBack(job, jobs));
  return (
    foundIn(look) ?? (look.state === 'looking' && isPutBack ? { interruption: null, isWhole: true } : null)
  );
}

/** The first copy if it is the user's own backup, which the app can only find by its path. */
export function chosenCopy({ copies: [first] }: Interruption): { copy?: string } {
  return first?.from === 'backup' ? { copy: first.path } : {};
}

const GONE = 'gone';

/**
 * Makes the plan again when its file changes. Reads the node's wallets again when a check or an error stops the plan for one of them.
 * `version`: of the file that the page shows; null while unknown.
 */
function useFileChanges(draft: Draft | null, version: string | null): void {
  const before = useRef(version);
  useEffect(() => {
    if (version === null) return;
    const isNew = before.current !== null && before.current !== version;
    const file = draft?.plan?.facts.file;
    const planned = file ? versionOf(file) : GONE;
    if (isNew && draft?.plan && planned !== version) plans.planAgain(draft.key);
    before.current = version;
  }, [version, draft]);
  const isWallets = draft?.source.by === 'wallet';
  const stops = draft?.plan?.checks.flatMap(({ id, verdict }) => (verdict === 'blocker' ? [id] : []));
  const news = isWallets ? [...(stops ?? []), ...(draft.error ? [draft.error.code] : [])].join() : '';
  useEffect(() => {
    if (news !== '') void refreshWallets();
  }, [news]);
}

/** Whether the node in use can migrate the page's wallet. */
export function migratesHere({ wallet, node }: Pick<WalletPageState, 'wallet' | 'node'>): boolean {
  return wallet?.kind === 'legacy' && node !== null && node.release.migrates !== 'no';
}

function jobsOf(
  jobs: readonly Job[],
  { job }: WalletRoute,
  name: string | null,
  node: NodeStatus | null,
): Job[] {
  const isOfWallet = (one: Job) =>
    name !== null &&
    node !== null &&
    haveSameWallets(one.node, node) &&
    [one.wallet, ...createdWallets(one.result)].some((own) =>
      isSameWalletName(own, name, node.walletsFolder),
    );
  return jobs.filter((one) => one.id === job || isOfWallet(one));
}

/** The running job, or else the last one that changed the wallet, unless the user has chosen what to do next. */
export function shownJob(
  jobs: readonly Job[],
  { wallet, listedAt, chosen }: { wallet: Pick<Wallet, 'kind'> | null; listedAt: number; chosen: boolean },
): Job | null {
  const running = jobs.find(({ state, kind }) => state === 'running' && kind !== 'backup');
  if (running || chosen) return running ?? null;
  const newest = jobs.find(({ kind }) => kind !== 'backup' && kind !== 'rescan');
  if (newest === undefined) return null;
  // A list from before its end may still have the wallet as it was. An end in the future is of a clock that was set back.
  const isNews = newest.ended !== null && newest.ended > listedAt && newest.ended <= Date.now() / 1000;
  if (newest.state === 'done') return isNews || wallet?.kind === 'descriptor' ? newest : null;
  return newest.state === 'interrupted' || newest.state === 'unknown' ? newest : null;
}
