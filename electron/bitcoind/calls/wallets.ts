/** Lists a node's wallets: all names at once, then the details of each. */
import { setMaxListeners } from 'node:events';
import { join, resolve } from 'node:path';
import type { Condition } from '../../../shared/model/conditions.ts';
import { leftByJob } from '../../../shared/model/files.ts';
import type { NodeStatus, Release } from '../../../shared/model/node.ts';
import type { Wallet } from '../../../shared/model/wallet.ts';
import { conditionLines } from '../../../shared/wording/findings/faultWords.ts';
import { errorShapeOf } from '../../../shared/wording/findings/findingWords.ts';
import { asSentence, notSent } from '../../../shared/wording/findings/hints.ts';
import { say } from '../../../shared/wording/say.ts';
import { limitConcurrency, mapConcurrently } from '../../files/concurrency.ts';
import { realPath } from '../../files/openFile.ts';
import { hotJournalsBeside } from '../../files/walletJournals.ts';
import { crashingConditions } from '../../walletfile/conditions/conditionTable.ts';
import type { Session } from '../rpc/session.ts';
import { listWalletDir, listWallets } from './walletCalls.ts';
import {
  balanceInList,
  descriptorsIdOf,
  hasDescriptors,
  type WalletInfo,
  walletBalances,
  walletInfo,
} from './walletInfo.ts';
import {
  findWritingMethod,
  isFileRemoved,
  unlistedWallets,
  type WalletFolders,
  walletFileFacts,
  walletFilePath,
} from './walletsFolder.ts';

interface ReadFacts extends Partial<Wallet> {
  readonly conditions?: readonly Condition[];
  readonly damaged?: boolean;
}

/**
 * Reports the contents of wallet files until the signal aborts; null for a file that cannot be read. `loaded`: of the wallets that the
 * node has loaded, only the conditions are needed.
 */
type ReadFiles = (
  files: readonly ListedFile[],
  report: (path: string, facts: ReadFacts | null) => void,
  signal: AbortSignal,
  loadState: 'loaded' | 'unloaded',
) => Promise<void>;

/**
 * Lists every wallet in the node's wallets folder and every loaded one, sorted by name, and interrupted wallets in the folder that the
 * node does not list. Resolves as soon as the names are known. Then calls `emit` once for each `pending` wallet when its details
 * arrive: from the node for loaded wallets, from `readFiles` for the others. `problem` says which details the node refused.
 * `readInterruption` finds out what can be done with an interrupted wallet. `folders`: those of the wallets folder. A newer call
 * for the same session ends this one.
 *
 * @throws AppError if the names cannot be read, `no_wallet_support` for a node without wallets.
 */
export async function listNodeWallets(
  session: Session,
  emit: (wallet: Wallet) => void,
  readFiles: ReadFiles,
  readInterruption: (name: string, signal: AbortSignal) => Promise<Wallet['interruption']> = async () =>
    undefined,
  folders?: WalletFolders,
): Promise<Wallet[]> {
  running.get(session)?.abort();
  const controller = new AbortController();
  running.set(session, controller);
  const { signal } = controller;
  setMaxListeners(0, signal);

  const { client, status } = session;
  const [inFolder, loaded] = await Promise.all([listWalletDir(client, signal), listWallets(client, signal)]);
  const warnings = new Map(inFolder.map((wallet) => [wallet.name, wallet.warnings]));
  const loadedNames = new Set(loaded);
  const knownNames = new Set([...warnings.keys(), ...loaded]);
  const twice = await loadedOtherwise(status.walletsFolder, [...warnings.keys()], loaded);
  const names = [...knownNames]
    .filter((name) => !twice.has(name))
    .sort((one, other) => one.localeCompare(other));
  const isBeingWritten = async ({ path }: ListedFile) =>
    (await findWritingMethod(client, path, signal).catch(() => null)) !== null;
  const unlisted = interruptedUnlisted(
    status.walletsFolder,
    knownNames,
    (name) => readInterruption(name, signal),
    isBeingWritten,
    folders,
  );
  // It is awaited below.
  unlisted.catch(() => undefined);

  const report = async (wallet: Wallet) => {
    if (signal.aborted) return;
    const isMoved = leftByJob(wallet.name) === 'interrupted';
    if (wallet.kind !== 'interrupted' && !isMoved) return emit(wallet);
    // What a half-migrated file shows is not what the wallet holds.
    const unknown = { encrypted: null, balance: null, spendable: null, transactions: null };
    const known = { ...wallet, ...unknown };
    const file = await findListedFile(status.walletsFolder, wallet.name);
    // Another client may be migrating it: the next list shows what came of it.
    if (file !== null && (await isBeingWritten(file)))
      return emit({ ...known, kind: file.kind, pending: true });
    const interruption = await readInterruption(wallet.name, signal).catch(() => undefined);
    if (signal.aborted) return;
    // A whole companion moved away with its wallet.
    if (wallet.kind !== 'interrupted' && interruption?.restoredAs === undefined) return emit(wallet);
    emit({ ...known, kind: 'interrupted', ...(interruption && { interruption }) });
  };
  const run = limitConcurrency(callsAtOnce(status.release));
  const readDetails = (wallet: Wallet, conditions: readonly Condition[]) =>
    run(async () => {
      if (signal.aborted) return;
      // The engine crashes with none.
      const crashing = status.offline ? [] : crashingConditions(conditions, status.release.number);
      await report(await withDetails(session, wallet, crashing, signal));
    });

  /** What is known of a wallet without its details. `file`: null if it shows nothing more. */
  async function describe(name: string): Promise<DescribedWallet> {
    const own = warnings.get(name) ?? [];
    const isLoaded = loadedNames.has(name);
    const found = await findListedFile(status.walletsFolder, name);
    const kind = kindOfUnloaded(found, status.release, own);
    const file = kind === 'unknown' ? null : found;
    const known = { name, kind, size: found?.size ?? null, warnings: own, loaded: isLoaded };
    const isGone =
      isLoaded &&
      status.walletsFolder &&
      !warnings.has(name) &&
      (await isFileRemoved(status.walletsFolder, name));
    const problem = isGone ? FILE_GONE : null;
    return { file, wallet: { ...walletWithoutDetails(known), pending: isLoaded || file !== null, problem } };
  }

  /** Reads the wallets' files, and does `work` with what each of them holds. */
  function readFilesOf(
    described: readonly DescribedWallet[],
    loadState: 'loaded' | 'unloaded',
    work: (wallet: Wallet, path: string, facts: ReadFacts | null) => Promise<void>,
  ): void {
    const byPath = new Map<string, Wallet>();
    const files: ListedFile[] = [];
    for (const { file, wallet } of described) {
      if (file === null) continue;
      files.push(file);
      byPath.set(file.path, wallet);
    }
    const onRead = (path: string, facts: ReadFacts | null) => {
      const wallet = byPath.get(path);
      if (wallet) inBackground(work(wallet, path, facts));
    };
    inBackground(readFiles(files, onRead, signal, loadState));
  }

  /** Starts to ask the node for the details. With some files a balance call crashes it, so the file is read first. */
  function readLoaded(described: readonly DescribedWallet[]): void {
    for (const { file, wallet } of described) if (file === null) inBackground(readDetails(wallet, []));
    readFilesOf(described, 'loaded', (wallet, _, facts) => {
      const { conditions = [], ...keys } = facts ?? {};
      return readDetails({ ...wallet, ...keys }, conditions);
    });
  }

  /** Starts to read the details in the files of wallets that are not loaded. */
  function readUnloaded(described: readonly DescribedWallet[]): void {
    readFilesOf(described, 'unloaded', (wallet, path, facts) => {
      const { conditions: _, damaged = false, ...found } = facts ?? {};
      const damage = damaged ? { damagedFile: path } : {};
      return report({ ...wallet, fromFile: true, ...found, ...damage, pending: false });
    });
  }

  async function startReading(some: readonly string[]): Promise<Wallet[]> {
    const described = await mapConcurrently(some, FILES_AT_ONCE, describe);
    readLoaded(described.filter(({ wallet }) => wallet.loaded));
    readUnloaded(described.filter(({ wallet }) => !wallet.loaded));
    return described.map(({ wallet }) => wallet);
  }

  // First a screenful, before the app even looks at the files of the others.
  const first = await startReading(names.slice(0, SCREENFUL));
  const wallets = [...first, ...(await startReading(names.slice(SCREENFUL)))];
  return [...wallets, ...(await unlisted)].sort((one, other) => one.name.localeCompare(other.name));
}

interface DescribedWallet {
  readonly wallet: Wallet;
  readonly file: ListedFile | null;
}

/** Only `emit` and an abort can fail this work, and nobody waits for either. */
function inBackground(work: Promise<void>): void {
  work.catch(() => undefined);
}

/** The listed names of wallets that the node has loaded under another name, such as `./w` or a full path. Null: the folder is unknown. */
async function loadedOtherwise(
  folder: string | null,
  listed: readonly string[],
  loaded: readonly string[],
): Promise<Set<string>> {
  const others = loaded.filter((name) => !listed.includes(name));
  if (folder === null || others.length === 0) return new Set();
  const fileOf = async (name: string) => {
    const path = resolve(folder, name);
    const real = (file: string) => realPath(file).catch(() => null);
    return (await real(join(path, 'wallet.dat'))) ?? real(path);
  };
  const open = new Set(await Promise.all(others.map(fileOf)));
  open.delete(null);
  const files = await mapConcurrently(listed, FILES_AT_ONCE, fileOf);
  return new Set(listed.filter((name, at) => !loaded.includes(name) && open.has(files[at] ?? null)));
}

/** The wallets that the node does not list, because a migration of them was interrupted early. */
async function interruptedUnlisted(
  walletsFolder: string | null,
  listed: ReadonlySet<string>,
  readInterruption: (name: string) => Promise<Wallet['interruption']>,
  isBeingWritten: (file: ListedFile) => Promise<boolean>,
  folders?: WalletFolders,
): Promise<Wallet[]> {
  if (walletsFolder === null) return [];
  const found: Wallet[] = [];
  for (const name of await unlistedWallets(walletsFolder, listed, folders)) {
    const interruption = await readInterruption(name).catch(() => undefined);
    // A wallet that was already put back needs nothing.
    if (interruption === undefined || interruption.restoredAs !== undefined) continue;
    const file = await findListedFile(walletsFolder, name);
    // Without a copy and a journal, an empty file is no sign of a wallet.
    if (interruption.copies === 0 && (file === null || !hotJournalsBeside(file.path))) continue;
    if (file !== null && (await isBeingWritten(file))) continue;
    const size = file?.size ?? null;
    const known = { name, kind: 'interrupted' as const, size, warnings: [], loaded: false };
    found.push({ ...walletWithoutDetails(known), interruption });
  }
  return found;
}

/** `legacy`: the node has the wallet, but its release does not load legacy wallets. */
export type LoadState = 'loaded' | 'unloaded' | 'legacy' | 'missing';

/** The wallets in the node's wallets folder, and the names of the loaded ones. Throws what the node's calls throw. */
export async function listNames({ client }: Session) {
  const [inFolder, loaded] = await Promise.all([listWalletDir(client), listWallets(client)]);
  return { inFolder, loaded };
}

/** Whether a wallet is loaded on the node, by its lists. */
export async function loadStateOf(
  status: NodeStatus,
  name: string,
  { inFolder, loaded }: Awaited<ReturnType<typeof listNames>>,
): Promise<LoadState> {
  if (loaded.includes(name)) return 'loaded';
  const listed = inFolder.find((wallet) => wallet.name === name);
  if (listed === undefined) return 'missing';
  if (status.release.loadsLegacy) return 'unloaded';
  const file = await findListedFile(status.walletsFolder, name);
  return kindOfUnloaded(file, status.release, listed.warnings) === 'legacy' ? 'legacy' : 'unloaded';
}

/** A node runs four calls at once by default, and 16 from release 29 on (`src/httpserver.h`); other clients need some of them. */
function callsAtOnce({ number }: Release): number {
  return number < 290_000 ? 4 : 12;
}

const FILES_AT_ONCE = 16;
const SCREENFUL = 20;
const running = new WeakMap<Session, AbortController>();

interface ListedFile {
  readonly path: string;
  readonly kind: Wallet['kind'];
  /** In bytes; 0 if unknown. */
  readonly size: number;
}

/** Null if the folder is not proved, or the file does not exist. */
async function findListedFile(walletsFolder: string | null, name: string): Promise<ListedFile | null> {
  const path = walletsFolder === null ? null : await walletFilePath(walletsFolder, name);
  if (path === null) return null;
  return { path, ...(await walletFileFacts(path)) };
}

/**
 * Without a readable file, a `listwalletdir` warning decides: on releases that load no legacy wallets, being one is
 * the only reason for a warning (`src/wallet/rpc/wallet.cpp`, releases 30 and 31). The text is not read.
 */
function kindOfUnloaded(
  file: ListedFile | null,
  release: Release,
  warnings: readonly string[],
): Wallet['kind'] {
  if (file !== null && file.kind !== 'unknown') return file.kind;
  return !release.loadsLegacy && warnings.length > 0 ? 'legacy' : 'unknown';
}

function walletWithoutDetails(known: Pick<Wallet, 'name' | 'kind' | 'size' | 'warnings' | 'loaded'>): Wallet {
  return {
    ...known,
    encrypted: null,
    watchOnly: null,
    balance: null,
    spendable: null,
    transactions: null,
    fromFile: false,
    scanning: null,
    pending: known.loaded,
    problem: null,
  };
}

/**
 * A node also loads the remains of an interrupted migration: an SQLite file without the descriptors flag, or without
 * descriptors.
 */
async function kindOf(
  client: Session['client'],
  name: string,
  { descriptors, format, privateKeys, blank, txcount }: WalletInfo,
  signal: AbortSignal,
): Promise<Wallet['kind']> {
  if (!descriptors) return format === 'sqlite' ? 'interrupted' : 'legacy';
  if (txcount > 0 || !privateKeys || blank !== false) return 'descriptor';
  const has = await hasDescriptors(client, name, signal).catch(() => null);
  return has === false ? 'interrupted' : 'descriptor';
}

/** Adds the details that the node reports; an error goes into `problem`. */
async function withDetails(
  { client }: Session,
  wallet: Wallet,
  crashing: readonly Condition[],
  signal: AbortSignal,
): Promise<Wallet> {
  let known: Wallet = { ...wallet, pending: false };
  try {
    const info = await walletInfo(client, wallet.name, signal);
    const watchOnly = !info.privateKeys;
    known = {
      ...known,
      kind: crashing.length > 0 ? wallet.kind : await kindOf(client, wallet.name, info, signal),
      encrypted: info.encrypted,
      watchOnly,
      transactions: info.txcount,
      scanning: info.scanning,
      ...(info.birthTime !== null && { birthTime: info.birthTime }),
    };
    if (crashing.length > 0) return { ...known, problem: notAsked(crashing) };
    known = { ...known, ...balanceInList(await walletBalances(client, wallet.name, signal), watchOnly) };
    if (known.kind === 'descriptor' && known.keySources === undefined)
      known.descriptorsId = await descriptorsIdOf(client, wallet.name, { signal });
    return known;
  } catch (thrown) {
    return { ...known, problem: errorShapeOf(thrown) };
  }
}

/** The node keeps the open file of a wallet until it ends. */
const FILE_GONE: Wallet['problem'] = {
  code: 'file_missing',
  message: say('The wallet’s file is missing.'),
  hint: asSentence(say('Save a backup')),
};

function notAsked(crashing: readonly Condition[]): Wallet['problem'] {
  return {
    code: 'stopped_by_check',
    message: say('Asking for its balance would crash the node.'),
    hint: [...crashing.flatMap(conditionLines), notSent(asSentence(say('Rescue this wallet')))].join(' '),
  };
}
