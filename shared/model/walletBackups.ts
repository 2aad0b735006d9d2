/** The backups that the app made of wallets, by its jobs. */
import { endOf, haveSameWallets, type Job, type JobNode, migratedWallets } from './job.ts';
import type { WalletPart } from './migrationPreview.ts';
import { isSameWalletName, walletIdentity } from './names/walletName.ts';
import type { Wallet, WalletIds } from './wallet.ts';

export interface WalletBackups {
  /** The newest finished backup whose file is still as it was saved. */
  lastFinished: Job | null;
  /** Where a newer backup was, or the only one, whose file is gone. */
  gonePath: string | null;
  /** Nothing shows whether that backup has all keys that the wallet has now. */
  unchecked: boolean;
  /** The backup with the most keys, if the wallet has fewer: it lost some, or is another wallet of its name. */
  fuller: Job | null;
  /** The same among those whose file is gone, if none that is still there has more keys than the wallet. */
  fullerGone: Job | null;
  /** The wallet has fewer keys than `lastFinished`, which is thus not of what the wallet has now. */
  hasFewerKeys: boolean;
  /** The wallet's passphrase was changed after `lastFinished`, which only the earlier one opens. */
  hasOtherPassphrase: boolean;
  /** The newest attempt at a backup: failed, running, or one that counts. */
  lastTried: Job | null;
  /** The wallet was migrated or encrypted, and no backup followed. Older backups lack the new keys. */
  isNeeded: boolean;
  /** The restore or migration that created the wallet. */
  createdBy: Job | null;
  /** What the wallet got of the one that the migration split; null if no migration created it. */
  part: WalletPart | null;
}

export const NO_BACKUPS: WalletBackups = {
  lastFinished: null,
  gonePath: null,
  unchecked: false,
  fuller: null,
  fullerGone: null,
  hasFewerKeys: false,
  hasOtherPassphrase: false,
  lastTried: null,
  isNeeded: false,
  createdBy: null,
  part: null,
};

/**
 * The backups of the wallets on that node, by name. `jobs`: newest first. Ignores backups from before a restore or a
 * migration under the same name: they are of another wallet.
 */
export function walletBackups(jobs: readonly Job[], node: JobNode): BackupsByName {
  const all = new Map<string, WalletBackups>();
  const identityOf = (wallet: string) => walletIdentity(wallet, node.walletsFolder);
  function add(wallet: string, change: (known: WalletBackups) => WalletBackups) {
    const identity = identityOf(wallet);
    const known = all.get(identity) ?? NO_BACKUPS;
    if (known.createdBy === null) all.set(identity, change(known));
  }
  for (const job of jobs) {
    if (!haveSameWallets(job.node, node)) continue;
    const isDone = job.state === 'done';
    const gonePath = goneFileOf(job);
    if (gonePath !== null)
      add(job.wallet, (known) => ({
        ...known,
        gonePath: known.lastFinished === null ? (known.gonePath ?? gonePath) : known.gonePath,
        fullerGone: hasMoreKeys(job, known.fullerGone) ? job : known.fullerGone,
      }));
    else if (job.kind === 'backup')
      add(job.wallet, (known) => ({
        ...known,
        lastTried: known.lastTried ?? job,
        lastFinished: known.lastFinished ?? (isDone ? job : null),
        fuller: isDone && hasMoreKeys(job, known.fuller) ? job : known.fuller,
      }));
    else if (isDone && job.kind === 'restore') add(job.wallet, (known) => ({ ...known, createdBy: job }));
    else if (isDone && job.result?.kind === 'migrate')
      for (const { name, part } of migratedWallets(job.result))
        add(name, (known) => ({ ...known, createdBy: job, part, isNeeded: known.lastFinished === null }));
  }
  return { get: (wallet) => all.get(identityOf(wallet)), values: () => all.values() };
}

/** `get` takes any spelling of a wallet's name. */
export type BackupsByName = Pick<ReadonlyMap<string, WalletBackups>, 'get' | 'values'>;

function hasMoreKeys(backup: Job, other: Job | null): boolean {
  const saved = savedIn(backup);
  const known = savedIn(other);
  if (saved?.keySources === undefined) return false;
  return known === undefined || (saved.kind === known.kind && saved.keySources > (known.keySources ?? 0));
}

function savedIn(backup: Job | null) {
  return backup?.result?.kind === 'backup' ? backup.result.saved : undefined;
}

function goneFileOf({ result }: Job): string | null {
  return result?.kind === 'backup' && result.fileNow === 'gone' ? result.proof.path : null;
}

/**
 * The backups of a wallet. One without the keys that the wallet has now does not count: another program may have added keys, migrated
 * or encrypted it, or made another wallet of its name. `all`: by name. The fields of the wallet are absent if they are unknown.
 */
export function backupsOfWallet(
  all: BackupsByName,
  {
    name,
    kind,
    encrypted,
    birthTime = 0,
    keysId,
    keySources,
    scriptsId,
    passphraseId,
    descriptorsId,
    damagedFile,
  }: Pick<Wallet, 'name'> &
    Partial<WalletIds & Pick<Wallet, 'kind' | 'encrypted' | 'birthTime' | 'damagedFile'>>,
): WalletBackups {
  const listed = all.get(name) ?? backupsOfKeys(all, keysId);
  const made = listed.lastFinished && (endOf(listed.lastFinished) ?? listed.lastFinished.started);
  const ifFuller = (backup: Job | null) => {
    const most = savedIn(backup);
    const isFuller = most?.kind === kind && keySources !== undefined && keySources < (most?.keySources ?? 0);
    return isFuller ? backup : null;
  };
  const fuller = ifFuller(listed.fuller);
  const known = { ...listed, fuller, fullerGone: fuller ? null : ifFuller(listed.fullerGone) };
  const saved = savedIn(known.lastFinished);
  if (saved === undefined) return { ...known, unchecked: known.lastFinished !== null };
  // A migrated wallet, or the old one that Bitcoin Core put back.
  const isOtherKind = (kind === 'legacy' || kind === 'descriptor') && kind !== saved.kind;
  const isEncrypted = !saved.encrypted && encrypted === true;
  // The app's own copy of a closed file does not say when the wallet was made, but no later than the copy.
  const isLater = birthTime > (saved.birthTime ?? made ?? birthTime);
  const areCounted = saved.keySources !== undefined && keySources !== undefined;
  // Earlier versions ignored keys that no seed derives, and scripts.
  const isComparable =
    areCounted ||
    (saved.kind === 'descriptor' && saved.keysId && keysId) ||
    (saved.descriptorsId && descriptorsId);
  const isSame =
    isComparable &&
    saved.keysId === keysId &&
    saved.descriptorsId === descriptorsId &&
    [undefined, scriptsId].includes(saved.scriptsId);
  // A wallet that lost keys needs the backup that still has them.
  const hasFewerKeys = areCounted && keySources < (saved.keySources ?? 0);
  const hasLost = damagedFile !== undefined || hasFewerKeys;
  const isOther = isComparable ? !(isSame || hasLost) : isLater;
  const hasOtherPassphrase =
    compareOldPassphrase(saved.passphraseId, { encrypted: true, passphraseId }) === 'earlier';
  if (!(isOtherKind || isEncrypted || isOther))
    return { ...known, hasFewerKeys, hasOtherPassphrase, unchecked: !isSame };
  const lastTried = known.lastTried === known.lastFinished ? null : known.lastTried;
  return { ...known, lastFinished: null, lastTried, isNeeded: true };
}

/** Whether two jobs, or a job and a wallet of the node in use, are of one wallet. */
export function isSameWallet(one: WalletOnNode, other: WalletOnNode): boolean {
  const { walletsFolder } = one.node;
  return isSameWalletName(one.wallet, other.wallet, walletsFolder) && haveSameWallets(one.node, other.node);
}

interface WalletOnNode {
  readonly node: JobNode;
  readonly wallet: string;
}

/** How an old copy of a wallet opens, if not as the wallet does now: with an earlier passphrase, or without any. */
export type OldPassphrase = 'earlier' | 'none';

/** `old`: the id in the copy; null without a passphrase, undefined if unknown. Null: as now, or unknown. */
export function compareOldPassphrase(
  old: string | null | undefined,
  { encrypted, passphraseId }: Pick<Wallet, 'encrypted' | 'passphraseId'>,
): OldPassphrase | null {
  if (!encrypted || old === undefined) return null;
  if (old === null) return 'none';
  return passphraseId === undefined || passphraseId === old ? null : 'earlier';
}

/** Those of a wallet that the app knew under another name. */
function backupsOfKeys(all: BackupsByName, keysId: string | undefined): WalletBackups {
  const backups = keysId === undefined ? [] : [...all.values()].map(({ lastFinished }) => lastFinished);
  const lastFinished = backups.find((backup) => savedIn(backup)?.keysId === keysId) ?? null;
  return { ...NO_BACKUPS, lastFinished, lastTried: lastFinished };
}

/** Whether the wallet has new private keys that no backup contains. The node does not say of an unloaded wallet that it has none. */
export function hasUnsavedKeys({ watchOnly }: Pick<Wallet, 'watchOnly'>, backups: WalletBackups): boolean {
  const { isNeeded, part } = backups;
  return isNeeded && !watchOnly && part !== 'watchonly' && part !== 'solvables';
}

/** Whether the newest backup is gone or not of what the wallet has now, although it may still be needed. */
export function needsNewBackup(backups: WalletBackups): boolean {
  const { isNeeded, hasFewerKeys, hasOtherPassphrase, lastFinished, gonePath } = backups;
  return isNeeded || hasFewerKeys || hasOtherPassphrase || (lastFinished === null && gonePath !== null);
}

/**
 * The newest finished backup of a wallet since this job created it; null if no backup has its current keys, or if a later job created
 * it again.
 */
export function newBackupOf(job: Job, backups: WalletBackups): Job | null {
  const { lastFinished, createdBy, hasFewerKeys, hasOtherPassphrase } = backups;
  return createdBy?.id === job.id && !hasFewerKeys && !hasOtherPassphrase ? lastFinished : null;
}

/** `unseen`: the app cannot look at a file of them. `unchecked`: see `WalletBackups`. `unread`: the node's list is not read yet. */
export type BackedUp = boolean | 'unseen' | 'unchecked' | 'unseen, unchecked' | 'unread';

/** Whether the app cannot look at a file of them. */
export function isUnseen(backedUp: BackedUp | null): boolean {
  return backedUp === 'unseen' || backedUp === 'unseen, unchecked';
}

/** Whether their keys are not compared with the wallet's. */
export function isUnchecked(backedUp: BackedUp | null): boolean {
  return backedUp === 'unchecked' || backedUp === 'unseen, unchecked';
}

/** Whether these finished backups are all there is to do. Null or an empty list: there are none. */
export function backedUpBy(backups: readonly Job[] | null, unchecked = false): BackedUp {
  if (!backups?.length) return false;
  const isOutOfReach = ({ result }: Job) =>
    result?.kind === 'backup' && !(result.proof.seen && !result.fileNow);
  if (backups.some(isOutOfReach)) return unchecked ? 'unseen, unchecked' : 'unseen';
  return unchecked ? 'unchecked' : true;
}

/** The names of the wallets that a finished job created. */
export function createdWallets(result: Job['result']): string[] {
  if (result?.kind === 'restore') return [result.walletName];
  return result?.kind === 'migrate' ? migratedWallets(result).map(({ name }) => name) : [];
}

/** The newest backup of each wallet that the job created; null if a wallet has no backup yet, or the job created none. `jobs`: newest first. */
export function newBackupsOf(job: Job, jobs: readonly Job[]): Job[] | null {
  const { result, node, state } = job;
  const names = createdWallets(result);
  if (state !== 'done' || names.length === 0) return null;
  const backups = walletBackups(jobs, node);
  const found = names.map((name) => newBackupOf(job, backupsOfWallet(backups, { name })));
  return found.includes(null) ? null : found.filter((backup) => backup !== null);
}
