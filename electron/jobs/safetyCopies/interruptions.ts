/** Finds out whether a wallet was left incomplete, and finds its whole copies. */
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Network } from '../../../shared/model/network.ts';
import type { FolderMark } from '../../../shared/model/node.ts';
import type { Interruption, SafetyCopy, WholeCopy } from '../../../shared/model/safety.ts';
import { walletFilePath } from '../../bitcoind/calls/walletsFolder.ts';
import { earliestTime, folderMarkAt, stateMarkOf } from '../../files/fileMark.ts';
import { inspectFile } from '../../files/inspect.ts';
import { isOpenElsewhere } from '../../files/lock/fileInUse.ts';
import { hotJournalsBeside } from '../../files/walletJournals.ts';
import { LOG_FOLDER, walletParts } from '../../walletfile/database/relatedFiles.ts';
import { companionNames } from '../../walletfile/migrate/companionNames.ts';
import type { FileExamination } from '../../workers/examineFile.ts';
import type { WalletWork } from '../../workers/walletWork.ts';
import { causeOf, findCandidates, originalName, withRecord } from './interruptedSource.ts';
import type { SafetyCopies } from './safetyCopies.ts';

/** A file that may be a whole copy, with its hash if the app recorded one. */
export type Candidate = Pick<WholeCopy, 'path' | 'from'> & {
  readonly made?: number | undefined;
  readonly sha256?: string | null | undefined;
  /** Whether the app made it of a wallet in this folder, as far as is known: another folder may have another wallet of this name. */
  readonly isFromHere?: boolean | null;
  /** It has the name of another wallet: only the keys can show that it is a copy of this one. */
  readonly byKeys?: boolean;
};

/** What is known about the location of a wallet. */
export interface IncompleteWallet {
  /** The wallet's file; null if it is gone. */
  readonly file: string | null;
  /** Its name on the node; null for a file elsewhere. */
  readonly name: string | null;
  readonly walletsFolder: string | null;
  /** Copies of other networks are ignored. Null: unknown. */
  readonly network: Network | null;
  /** Copies that the user, the job or the node's log names. The job's safety copy is of this wallet, whatever the incomplete file holds. */
  readonly known?: readonly Candidate[];
  /**
   * The work that was interrupted. A missing file is then its result, for `copying` a damaged one too. `as-recorded`: `copying` if the
   * journal says so.
   */
  readonly interruptedWork?: 'migrating' | 'copying' | 'as-recorded';
}

export type Interruptions = ReturnType<typeof createInterruptions>;

/** What the journal records about interrupted wallets. */
export interface JournalRecords {
  /** The newest first. `movedPaths`: the folders or files that hold the incomplete wallets since the restore. */
  readonly putBacks: readonly { readonly walletName: string; readonly movedPaths: readonly string[] }[];
  /** Interrupted jobs, the newest first: the file that the node was writing, and the copies of it. */
  readonly interrupted: readonly {
    /** Whether a damaged file is the job's result. */
    readonly mayDamage: boolean;
    readonly wallet: string;
    /** Null if the file was missing. */
    readonly file: string | null;
    readonly walletsFolder: string | null;
    readonly walletsFolderMark: FolderMark | null;
    /** Of the file when the job ended, whatever its path is now. */
    readonly fileMark?: FolderMark | undefined;
    readonly copies: readonly Candidate[];
  }[];
  /** The files that finished jobs saved or restored wallets of these names from, the newest first. */
  readonly backups: readonly NamedCopy[];
}

/** A copy with the wallet that it is of, and that wallet's node. */
export interface NamedCopy extends Candidate {
  readonly wallet: string;
  /** The wallet was restored from it. Earlier copies of this name may be of another wallet. */
  readonly isOrigin?: boolean;
  readonly node: SafetyCopy['node'];
  readonly source?: string | null;
}

interface HashedFile {
  readonly path: string;
  readonly sha256: string | null;
}

/** Limits: whole copies in an answer, files read to find them, and results in memory. The likeliest come first. */
const MAX_COPIES = 12;
const MAX_READ = 100;
const MAX_RESULTS = 200;

export function createInterruptions({
  work,
  copies,
  recorded = async () => ({ putBacks: [], interrupted: [], backups: [] }),
}: {
  readonly work: WalletWork;
  readonly copies: Pick<SafetyCopies, 'list'>;
  readonly recorded?: () => Promise<JournalRecords>;
}) {
  const examinations = new Map<string, { readonly mark: string; readonly found: FileExamination }>();
  const comparisons = new Map<string, boolean | null>();

  /** Null for a file that cannot be read. Caches the result until the file changes. */
  async function examine(path: string, signal: AbortSignal): Promise<FileExamination | null> {
    const mark = await fileFingerprint(path);
    const before = examinations.get(path);
    if (before !== undefined && before.mark === mark) return before.found;
    const found = await work({ kind: 'examine', task: { path } }, signal);
    examinations.delete(path);
    if (found !== null && mark === (await fileFingerprint(path))) examinations.set(path, { mark, found });
    for (const oldest of [...examinations.keys()].slice(0, Math.max(0, examinations.size - MAX_RESULTS)))
      examinations.delete(oldest);
    return found;
  }

  /** Whether two files belong to one wallet, judged by their keys. Cached by content. */
  async function isSame(
    [one, other]: readonly [HashedFile, HashedFile],
    network: Network | null,
    signal: AbortSignal,
    withAllKeys = false,
  ): Promise<boolean | null> {
    const task = { path: one.path, other: other.path, network, withAllKeys };
    return compareOnce([one.sha256, other.sha256, network, String(withAllKeys)], () =>
      work({ kind: 'areSameWallet', task }, signal),
    );
  }

  async function compareOnce(
    files: readonly (string | null)[],
    compare: () => Promise<boolean | null>,
  ): Promise<boolean | null> {
    const known = files.join(' ');
    const before = comparisons.get(known);
    if (before !== undefined) return before;
    const found = await compare();
    if (comparisons.size >= MAX_RESULTS) comparisons.clear();
    comparisons.set(known, found);
    return found;
  }

  /**
   * Whether the file is gone because the wallet only watched and its migration has ended: the new wallets have all its scripts. Release
   * 30 and later remove the file, and may leave the folder.
   */
  async function isMigrated(
    { name, walletsFolder, network }: IncompleteWallet,
    [copy]: readonly WholeCopy[],
    signal: AbortSignal,
  ): Promise<boolean> {
    if (name === null || walletsFolder === null || copy === undefined || copy.isOther) return false;
    const hashes = [copy.sha256, 'migrated', network];
    const migrated: { part: 'watchonly' | 'solvables'; name: string; path: string }[] = [];
    for (const part of ['watchonly', 'solvables'] as const) {
      for (const each of companionNames(name, [part])) {
        const path = await walletFilePath(walletsFolder, each);
        const found = path && (await examine(path, signal));
        if (!path || !found || found.state !== 'descriptor') continue;
        migrated.push({ part, name: each, path });
        hashes.push(found.sha256);
      }
    }
    if (migrated.length === 0) return false;
    const task = { path: copy.path, network: network ?? 'main', migrated } as const;
    const isAll = await compareOnce(hashes, async () => {
      const { keys, scripts } = await work({ kind: 'compare', task }, signal);
      return keys === 0 && scripts.before > 0 && scripts.missing.total === 0;
    }).catch(() => signal.throwIfAborted());
    return isAll === true;
  }

  /**
   * The restored wallet: a whole wallet under the name in the journal, or one with the keys of `compared`, the wallet's copy or its
   * incomplete file, under the name before the move.
   */
  async function findRestored(
    { file, name, walletsFolder, network }: IncompleteWallet,
    compared: HashedFile | null,
    { putBacks }: JournalRecords,
    signal: AbortSignal,
  ): Promise<string | null> {
    if (name === null || walletsFolder === null) return null;
    const places = [file, join(walletsFolder, name)];
    const own = putBacks.filter(({ movedPaths }) =>
      movedPaths.some((incomplete) => places.includes(incomplete)),
    );
    const before = originalName(name);
    const names = [...own.map(({ walletName }) => walletName), ...(before === null ? [] : [before])];
    for (const each of new Set(names)) {
      const path = each === name ? null : await walletFilePath(walletsFolder, each);
      const found = path === null ? null : await examine(path, signal);
      if (path === null || found === null || !isUsableWallet(path, found)) continue;
      const same = compared && (await isSame([compared, { path, sha256: found.sha256 }], network, signal));
      if (same ?? own.some(({ walletName }) => walletName === each)) return each;
    }
    return null;
  }

  /** Null for a file that is no whole wallet, or not the recorded one: another file is there now, or the disk has damaged it. */
  async function readCopy(
    { path, from, made, sha256: recorded }: Candidate & { made: number },
    wanted: Network | null,
    signal: AbortSignal,
  ): Promise<Omit<WholeCopy, 'matches'> | null> {
    const found = await examine(path, signal);
    if (found === null || found.sha256 === null || !canBeRestored(found, from, wanted)) return null;
    const { size, sha256, networks } = found;
    if (recorded && recorded !== sha256) return null;
    const [network, another] = networks;
    const isCertain = network !== undefined && another === undefined;
    return { path, from, made, size, sha256, ...(isCertain && { network }) };
  }

  /** The whole copies, the likeliest first, then those of other wallets. `skippedCopies`: how many files were too many to read. */
  async function wholeCopies(
    place: IncompleteWallet,
    incomplete: HashedFile | null,
    jobCopyPaths: readonly string[],
    { backups }: JournalRecords,
    signal: AbortSignal,
  ): Promise<{ copies: WholeCopy[]; skippedCopies: number | undefined }> {
    /** Another wallet may have had this name before, or have it elsewhere. */
    const isOwn = async (copy: Omit<WholeCopy, 'matches'>, { isFromHere = true, byKeys }: Candidate) => {
      if (jobCopyPaths.includes(copy.path)) return true;
      const same = incomplete && (await isSame([incomplete, copy], place.network, signal, byKeys));
      return same ?? (byKeys ? false : isFromHere);
    };
    const candidates = await findCandidates(place, await copies.list(), backups);
    const hashes = new Set(candidates.flatMap(({ sha256 }) => sha256 ?? []));
    const recordedPaths = new Set(place.known?.map(({ path }) => resolve(path)));
    const likeliest = await byLikelihood(candidates, incomplete, recordedPaths);
    const whole: WholeCopy[] = [];
    const [unproved, others]: [WholeCopy[], WholeCopy[]] = [[], []];
    let read = 0;
    let skippedCopies: number | undefined;
    for (const [at, candidate] of likeliest.entries()) {
      if (whole.length === MAX_COPIES || (candidate.byKeys && (whole.length > 0 || !incomplete))) break;
      if (read === MAX_READ) {
        skippedCopies = likeliest.length - at;
        break;
      }
      if (!examinations.has(candidate.path) && !(await hasHeadOfWallet(candidate.path))) continue;
      read += 1;
      const found = await readCopy(candidate, place.network, signal);
      if (found === null) continue;
      const copy = { ...found, matches: hashes.has(found.sha256) };
      const own = await isOwn(copy, candidate);
      if (own === true) whole.push(copy);
      else if (candidate.byKeys) continue;
      else if (own === null) unproved.push({ ...copy, isOther: true, isUnproved: true });
      else others.push({ ...copy, isOther: true });
    }
    return { copies: [...whole, ...unproved, ...others].slice(0, MAX_COPIES), skippedCopies };
  }

  return {
    examine,
    /**
     * Whether the files can belong to one wallet, by their keys: true also where neither shows that. Null if one of them cannot be
     * read. Throws only for the signal.
     */
    async canBeSameWallet(
      [path, other]: readonly [string, string],
      network: Network | null,
      signal: AbortSignal,
    ): Promise<boolean | null> {
      const one = { path, sha256: (await examine(path, signal))?.sha256 ?? null };
      const two = { path: other, sha256: (await examine(other, signal))?.sha256 ?? null };
      if (one.sha256 === null || two.sha256 === null) return null;
      return (await isSame([one, two], network, signal)) ?? true;
    },
    /** Whether a whole wallet is there, open in a node or not. False if the file cannot be read. */
    async isWhole(path: string, signal: AbortSignal): Promise<boolean> {
      const found = await examine(path, signal);
      return found !== null && isUsableWallet(path, found);
    },
    /** Null for a wallet that is whole, unless it moved away with one that is restored, and for a file that cannot be read. */
    async find(request: IncompleteWallet, signal: AbortSignal): Promise<Interruption | null> {
      const { file, name } = request;
      const found = file === null ? null : await examine(file, signal);
      if (file !== null && found === null) return null;
      const isMoved = name !== null && originalName(name) !== null;
      const mayBeInterrupted = isMoved || request.interruptedWork === 'as-recorded';
      // Reading the journal takes time, and most files are whole.
      if (causeOf(found, request.interruptedWork) === null && !mayBeInterrupted) return null;
      const records = await recorded();
      const place = await withRecord(request, records);
      const { interruptedWork } = place;
      const cause = causeOf(found, interruptedWork);
      if (cause === null) {
        const back = isMoved ? await findRestored(place, null, records, signal) : null;
        return back === null
          ? null
          : { wallet: name, file, cause: 'companion', copies: [], restoredAs: back };
      }
      const incomplete = file === null || found === null ? null : { path: file, sha256: found.sha256 };
      const ofJob = (request.known ?? []).flatMap((one) =>
        one.from === 'safety-copy' ? resolve(one.path) : [],
      );
      const { copies: whole, skippedCopies } = await wholeCopies(place, incomplete, ofJob, records, signal);
      if (
        cause === 'missing' &&
        request.interruptedWork === 'as-recorded' &&
        (await isMigrated(place, whole, signal))
      )
        return null;
      // Without other signs of a migration, the file may simply be empty, or no wallet.
      const isKnown =
        found?.state === 'legacy-records' ||
        interruptedWork !== undefined ||
        (file !== null && hotJournalsBeside(file));
      if (whole.length === 0 && !isKnown) return null;
      const back = await findRestored(
        place,
        whole.find(({ isOther }) => !isOther) ?? incomplete,
        records,
        signal,
      );
      return {
        wallet: name,
        file,
        cause,
        ...(file === null ? {} : { fileMark: (await folderMarkAt(file)) ?? undefined }),
        copies: whole,
        ...(skippedCopies === undefined ? {} : { skippedCopies }),
        ...(back === null ? {} : { restoredAs: back }),
      };
    },
  };
}

/** A legacy wallet is never closed cleanly while a node has it open. */
function isUsableWallet(path: string, { state, isUnclosed }: FileExamination): boolean {
  if (isUnclosed) return isOpenElsewhere(path);
  return state === 'legacy' || state === 'legacy-with-log' || state === 'descriptor';
}

/** A backup by the user may be of either kind. A copy before a migration is a legacy wallet. */
function canBeRestored(
  { state, networks }: FileExamination,
  from: WholeCopy['from'],
  network: Network | null,
): boolean {
  if (network !== null && networks.length > 0 && !networks.includes(network)) return false;
  return state === 'legacy' || (state === 'descriptor' && from === 'backup');
}

/**
 * Copies that the journal or the node's log names come first. Within each group, copies older than the incomplete file come first,
 * the newest of them first: that one is probably its source. Of one second, the node's: it has no fraction, and is made after the app's.
 */
async function byLikelihood(
  candidates: readonly Candidate[],
  incomplete: HashedFile | null,
  recordedPaths: ReadonlySet<string>,
): Promise<(Candidate & { made: number })[]> {
  const facts = incomplete === null ? null : await stat(incomplete.path).catch(() => null);
  const since = facts === null ? 0 : earliestTime(facts);
  const rankOf = ({ path, made, byKeys }: Candidate & { made: number }) =>
    (byKeys ? 4 : recordedPaths.has(path) ? 0 : 2) + (made <= since ? 0 : 1);
  const timed = await Promise.all(candidates.map(withTime));
  return timed.sort((a, b) => rankOf(a) - rankOf(b) || Math.floor(b.made) - Math.floor(a.made));
}

/** Whether the first bytes are those of a wallet. Many other files may have such a name. */
async function hasHeadOfWallet(path: string): Promise<boolean> {
  const facts = await inspectFile(path).catch(() => null);
  return facts !== null && facts.kind !== 'other';
}

async function withTime(one: Candidate): Promise<Candidate & { made: number }> {
  const made = one.made ?? (await stat(one.path).catch(() => null))?.mtimeMs ?? 0;
  return { ...one, made: one.made ?? Math.max(0, made / 1000) };
}

/** Changes whenever the file, its journal or its log changes. */
async function fileFingerprint(path: string): Promise<string> {
  const inLogFolder = await readdir(join(dirname(path), LOG_FOLDER)).catch(() => []);
  const parts = walletParts(path, inLogFolder);
  const all = await Promise.all(parts.map((each) => stat(each, { bigint: true }).catch(() => null)));
  return all.map((facts) => facts && stateMarkOf(facts)).join('|');
}
