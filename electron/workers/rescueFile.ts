/** Repairs a wallet file that Bitcoin Core refuses, with the help of its log. Changes neither the file nor the log. */
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nullFor } from '../../shared/model/errors.ts';
import { FileError } from '../../shared/model/findings/fileError.ts';
import type { Inspection, PassphraseVerdict } from '../../shared/model/inspection.ts';
import { balanceInFile, mayLackCoins } from '../../shared/model/money.ts';
import type { Network } from '../../shared/model/network.ts';
import type { RescueFacts } from '../../shared/model/safety.ts';
import { writeNewFile } from '../files/durableFile.ts';
import { sha256Of } from '../files/hash.ts';
import { fileChangedError, realPath } from '../files/openFile.ts';
import { MAX_BYTES_IN_MEMORY, type OpenedWallet, readWholeFile, withWallet } from '../files/readWallet.ts';
import { startOf } from '../files/walletJournals.ts';
import { type LogFile, logError, logTooLargeError, startsLikeLog } from '../recovery/logReplay/logRecords.ts';
import { replayLogs } from '../recovery/logReplay/replayLogs.ts';
import { type RepairedDescriptors, repairDescriptors } from '../recovery/repair/repairDescriptors.ts';
import { type RepairedWallet, repairWallet } from '../recovery/repair/repairWallet.ts';
import { type PassphraseToTry, repairMasterKey } from '../recovery/repair/savedKeys.ts';
import { fileIdIn } from '../recovery/salvage/berkeleyPages.ts';
import { type ByteSource, type FileBytes, sourceOf } from '../walletfile/bytes/byteSource.ts';
import { orNull, rememberLatest } from '../walletfile/bytes/once.ts';
import { undoConversion } from '../walletfile/database/fileStart.ts';
import { lossOf, remarkOf } from '../walletfile/database/problemLog.ts';
import { recoverSqlite } from '../walletfile/database/recoverSqlite.ts';
import { isLogName, LOG_FOLDER } from '../walletfile/database/relatedFiles.ts';
import { identifyWallet } from '../walletfile/inspect/identifyWallet.ts';
import { inspect } from '../walletfile/inspect/inspect.ts';
import {
  type Encryption,
  judgePassphrase,
  variantVerdict,
  verdictOf,
} from '../walletfile/records/encryption.ts';
import { REPAIRED_FILE, type RepairedFile, type RepairRequest, type RescueRequest } from './repairRequest.ts';

interface RescuedFile extends Pick<Repaired, 'kind' | 'bytes' | 'excluded' | 'coin'> {
  /** Of the damaged file. */
  readonly sha256: string;
  readonly networkFrom: RepairedDescriptors['networkFrom'] | null;
  readonly facts: RescueFacts;
  /** Set for a file of which `undoConversion` gives the original. Lost only if that has damage too. */
  readonly conversion: Inspection['problems'][number] | null;
}

/**
 * Calls `work` with what a rescue saves of a file. Reads a file of more than 2 GiB from the disk as `work` needs it. Throws what
 * `work` throws, as `repairWallet`, `repairDescriptors` and `withWallet` do, and `bad_input` for a log folder without a log.
 */
export async function withRescued<T>(
  path: string,
  request: RescueRequest,
  {
    mostInMemory = MAX_BYTES_IN_MEMORY,
    ...options
  }: PassphraseToTry & {
    readonly withBlock?: boolean;
    /** Bytes. */
    readonly mostInMemory?: number;
  },
  work: (rescued: RescuedFile) => Promise<T>,
): Promise<T> {
  return withWallet(path, async (file) => work(await rescueFile(path, file, request, options)), {
    accepts: 'anything',
    mostInMemory,
  });
}

async function rescueFile(
  path: string,
  { content, journal, wal, ...file }: OpenedWallet,
  { logs, network, nodeNetwork, openOnly }: RescueRequest,
  { passphrase, isThorough = true, withBlock = false }: PassphraseToTry & { readonly withBlock?: boolean },
): Promise<RescuedFile> {
  const { inMemory } = sourceOf(content);
  const original = inMemory && undoConversion(inMemory);
  const source = sourceOf(original ?? content);
  const { folder, ...newest } = await logsOf(path, logs, source);
  // Needed only if the proof compares the file with the new wallets.
  const before = withBlock ? { balanceInFile: await balanceIn(withLogs(source, newest), network) } : {};
  const sha256 = file.sha256();
  const repair = (wallet: ByteSource): Promise<Repaired> =>
    repairWallet(wallet, { ...newest, passphrase, isThorough, openOnly, network, withBlock }).catch(
      async (error) => {
        if (!(error instanceof FileError) || error.code !== 'not_a_wallet') throw error;
        const options = { network: network ?? nodeNetwork, passphrase, isThorough, openOnly };
        const descriptors = await repairDescriptors(wallet, options);
        if (descriptors === null) throw error;
        return descriptors;
      },
    );
  const hashes = newest.logs.map(({ name, bytes }) => `${name} ${sha256Of(bytes)}`);
  const key = JSON.stringify([sha256, hashes, newest.isLogTruncated, network, nodeNetwork, openOnly]);
  // The repaired form of a file on a disk is lost when the file is closed.
  const isKept = passphrase === undefined && !withBlock && source.inMemory !== null;
  // Of a wallet that is gone, only a journal may be left.
  const journaled = source.inMemory && (await databaseInJournal(source.inMemory));
  const repairBest = () => (journaled ? repairJournal(source, journaled.bytes, repair) : repair(source));
  const { kind, bytes, excluded, coin, ...repaired } = await (isKept
    ? repairs(key, repairBest)
    : repairBest());
  const { log, ...facts } = repaired.facts;
  const { keys, others, pages = 0 } = facts.damaged;
  // The file of a descriptor wallet lacks the changes that a damaged journal holds.
  const hasDamagedJournal = journal === 'damaged' || wal === 'damaged' || journaled?.damaged === true;
  return {
    kind,
    bytes,
    excluded,
    coin,
    sha256,
    conversion: original && (keys + others + pages > 0 ? lossOf(CONVERTED) : remarkOf(CONVERTED)),
    networkFrom: 'networkFrom' in repaired ? repaired.networkFrom : null,
    facts: {
      ...facts,
      ...before,
      unclean: facts.unclean || (kind === 'descriptor' && hasDamagedJournal),
      log: log && folder !== null ? { ...log, folder } : null,
      excludedFile: null,
    },
  };
}

const CONVERTED = { code: 'wallet_damaged', fault: { code: 'file_converted' } } as const;

type Repaired = RepairedWallet | RepairedDescriptors;

/** What SQLite would make of a rollback journal or write-ahead log beside an empty file. Null for other files. */
async function databaseInJournal(file: Uint8Array): Promise<{ bytes: Uint8Array; damaged: boolean } | null> {
  const found = await recoverSqlite(new Uint8Array(), { journal: file, wal: file }, () => true);
  const damaged = found.journal === 'damaged' || found.wal === 'damaged';
  return found.recovered ? { bytes: found.bytes, damaged } : null;
}

/** Repairs the pages of a journal in their places, or its bytes as they are, whichever gives more private keys. */
async function repairJournal(
  journal: ByteSource,
  pages: Uint8Array,
  repair: (wallet: ByteSource) => Promise<Repaired>,
): Promise<Repaired> {
  const inPlaces = await repair(sourceOf(pages)).catch(nullFor('not_a_wallet'));
  if (inPlaces === null) return repair(journal);
  const asTheyAre = await repair(journal).catch(() => null);
  return (asTheyAre?.facts.saved.keys ?? 0) > inPlaces.facts.saved.keys ? (asTheyAre ?? inPlaces) : inPlaces;
}

/** Repairs without a passphrase. */
const repairs = rememberLatest<Promise<Repaired>>(1);

/** The file with the changes from its log, or as it is without a log that fits. */
function withLogs(file: ByteSource, { logs, isLogTruncated }: Omit<LogsOfWallet, 'folder'>): FileBytes {
  const { inMemory } = file;
  return (inMemory && orNull(() => replayLogs(inMemory, logs, isLogTruncated).bytes)) ?? file;
}

/** The balance that the inspection of the file and its log shows; null if it says nothing of its coins. */
async function balanceIn(
  file: FileBytes,
  network: Network | undefined,
): Promise<RescueFacts['balanceInFile']> {
  const found = await inspect(file, { network }).catch(() => null);
  if (found === null) return null;
  const { spendable, watched } = balanceInFile(found.balance);
  if (found.transactions.total === 0 || (spendable + watched === 0n && mayLackCoins(found.problems)))
    return null;
  return { spendable, watched, newest: found.balance.newestTransaction };
}

export interface TriedPassphrase {
  readonly verdict: PassphraseVerdict;
  /** What a rescue saves with a right passphrase, and the inspection of that. */
  readonly opened?: { readonly inspection: Inspection; readonly rescue: RescueFacts } | undefined;
}

/** What shows whether a passphrase is right before the repair with it. */
export async function lockOf({ bytes, kind, facts }: RescuedFile) {
  const encryption = await encryptionIn(bytes);
  // One key of a damaged descriptor wallet may be wrong, so try all.
  return { encryption, triesAll: (kind === 'descriptor' && encryption !== null) || facts.sealed > 0 };
}

type Lock = Awaited<ReturnType<typeof lockOf>>;

/** Tries a passphrase on the keys of a rescue, and inspects what it saves with a right one. */
export async function openRescued(
  path: string,
  rescue: RescueRequest,
  { lock, ...tried }: PassphraseToTry & { passphrase: string; lock: Lock },
): Promise<TriedPassphrase> {
  const { encryption, triesAll } = lock;
  const { passphrase } = tried;
  const verdict = triesAll ? 'wrong' : await judgePassphrase(encryption, passphrase);
  // A rescue repairs the record of a wrong one. It reads the whole file, so a quick try first looks whether that would help.
  const isQuick = tried.isThorough === false && !triesAll;
  const helps = verdict === 'wrong' && (!isQuick || (await opensRepaired(lock, passphrase)));
  if (!helps && verdict !== 'right' && verdict !== 'right-cut-at-zero') return { verdict };
  try {
    const opened = await withRescued(path, rescue, tried, (rescued) =>
      inspectRescued(rescued, { passphrase }),
    );
    return { verdict: verdict === 'wrong' ? 'right' : verdict, opened };
  } catch (error) {
    const verdict = verdictOf(error);
    const mayVary = triesAll && verdict === 'wrong' && encryption !== null;
    return { verdict: mayVary ? await variantVerdict(encryption, passphrase) : verdict };
  }
}

/** Whether a passphrase opens a master key of which a bit is damaged. */
async function opensRepaired({ encryption }: Lock, passphrase: string): Promise<boolean> {
  for (const one of encryption?.masterKeys ?? []) {
    const found = await repairMasterKey(one, encryption?.samples ?? [], passphrase);
    found?.masterKey.fill(0);
    if (found) return true;
  }
  return false;
}

/** Counts also the keys under other passphrases: they are in no wallet yet, but a rescue can open them. */
export async function inspectRescued(
  { bytes, networkFrom, coin, facts, conversion }: RescuedFile,
  options: Parameters<typeof inspect>[1],
) {
  const inspected = await inspect(bytes, options);
  const network = networkFrom === null ? inspected.network : { ...inspected.network, from: networkFrom };
  const found = { ...inspected, network, coin: coin ?? inspected.coin };
  const { sealed } = facts;
  if (sealed === 0) return { inspection: found, rescue: facts, conversion };
  const keys = { ...found.keys, encrypted: found.keys.encrypted + sealed };
  const problems = [remarkOf({ code: 'keys_locked', count: sealed }), ...found.problems];
  return { inspection: { ...found, keys, problems }, rescue: facts, conversion };
}

export async function encryptionIn(content: FileBytes): Promise<Encryption | null> {
  return (await identifyWallet(content, undefined)).encryption;
}

/** Writes the repaired wallet as a new file. Also throws `file_changed`. */
export async function repairInto({
  path,
  sha256: expected,
  folder,
  rescue,
  passphrase,
}: RepairRequest): Promise<RepairedFile> {
  return withRescued(
    path,
    rescue,
    { passphrase, withBlock: true },
    async ({ bytes, excluded, facts, ...file }) => {
      if (file.sha256 !== expected) throw fileChangedError();
      const repaired = join(folder, REPAIRED_FILE);
      const { sha256 } = writeNewFile(repaired, bytes);
      return { path: repaired, sha256, facts, excluded };
    },
  );
}

interface LogsOfWallet {
  readonly folder: string | null;
  readonly logs: readonly LogFile[];
  /** Whether older files are left out. */
  readonly isLogTruncated: boolean;
}

/** The newest log files of a wallet and their folder. Throws FileError. */
export async function logsOf(
  path: string,
  where: RescueRequest['logs'],
  wallet: ByteSource,
): Promise<LogsOfWallet> {
  const none = { folder: null, logs: [], isLogTruncated: false };
  if (where === 'none') return none;
  const near = where === 'beside' ? dirname(await realPath(path)) : where.in;
  const usual = join(near, LOG_FOLDER);
  const others = where === 'beside' ? [near, join(dirname(near), LOG_FOLDER)] : [near];
  for (const folder of where === 'beside' ? [usual, ...others] : [...others, usual]) {
    const names = await logsIn(folder);
    if (names.length === 0) continue;
    const isOwn = where !== 'beside' || folder === usual;
    const found = await newestLogs(names).catch((thrown) => {
      if (isOwn) throw thrown;
      return none;
    });
    // People copy files into one folder, where another wallet's log may lie.
    if (isOwn || found.logs.some((log) => namesWallet(log, wallet))) return { ...found, folder };
  }
  if (where === 'beside') return none;
  throw logError({ code: 'no_log' });
}

function namesWallet({ bytes }: LogFile, wallet: ByteSource): boolean {
  const fileId = Buffer.from(fileIdIn(wallet.read(0, Math.min(FIRST_PAGE, wallet.size))));
  return (
    fileId.some((byte) => byte !== 0) &&
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(fileId)
  );
}

/** Bytes. No page is smaller. */
const FIRST_PAGE = 512;

/** In bytes: the whole log is in memory at once. */
const MAX_LOGGED = 256 * 1024 * 1024;

/** Early releases kept every log file, 10 MB each. The newest files hold what follows the last checkpoint. */
async function newestLogs(files: readonly string[]): Promise<Omit<LogsOfWallet, 'folder'>> {
  const logs: LogFile[] = [];
  let total = 0;
  for (const name of [...files].sort().reverse()) {
    const { size } = await stat(name);
    // Berkeley DB skips a file that it had not begun to write.
    if (size === 0) continue;
    total += size;
    if (total > MAX_LOGGED) {
      if (logs.length === 0) throw logTooLargeError();
      return { logs, isLogTruncated: true };
    }
    logs.push({ name, bytes: await readWholeFile(name, 'anything') });
  }
  return { logs, isLogTruncated: false };
}

async function logsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  // People and programs rename files, as `log (1).0000000001`.
  const isLog = (name: string) =>
    isLogName(name) ||
    (/log/i.test(name) && orNull(() => startsLikeLog(startOf(join(folder, name)))) === true);
  return names.filter(isLog).map((name) => join(folder, name));
}
