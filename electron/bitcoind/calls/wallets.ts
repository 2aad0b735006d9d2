/** Lists a node's wallets: all names at once, then the details of each. */
import type { Condition } from '../../../shared/model/conditions.ts';
import type { Release } from '../../../shared/model/node.ts';
import type { Wallet } from '../../../shared/model/wallet.ts';
import { conditionLines } from '../../../shared/wording/findings/faultWords.ts';
import { errorShapeOf } from '../../../shared/wording/findings/findingWords.ts';
import { notSent } from '../../../shared/wording/findings/hints.ts';
import { say } from '../../../shared/wording/say.ts';
import { limitConcurrency, mapConcurrently } from '../../files/concurrency.ts';
import { crashingConditions } from '../../walletfile/conditions/conditionTable.ts';
import type { Session } from '../rpc/session.ts';
import { listWalletDir, listWallets } from './walletCalls.ts';
import { balanceInList, hasDescriptors, type WalletInfo, walletBalances, walletInfo } from './walletInfo.ts';
import { unlistedWallets, walletFileFacts, walletFilePath } from './walletsFolder.ts';

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
 * `readInterruption` finds out what can be done with an interrupted wallet. A newer call for the same session ends this one.
 *
 * @throws AppError if the names cannot be read, `no_wallet_support` for a node without wallets.
 */
export async function listNodeWallets(
  session: Session,
  emit: (wallet: Wallet) => void,
  readFiles: ReadFiles,
  readInterruption: (name: string, signal: AbortSignal) => Promise<Wallet['interruption']> = async () =>
    undefined,
): Promise<Wallet[]> {
  running.get(session)?.abort();
  const controller = new AbortController();
  running.set(session, controller);
  const { signal } = controller;

  const { client, status } = session;
  const [inFolder, loaded] = await Promise.all([listWalletDir(client, signal), listWallets(client, signal)]);
  const warnings = new Map(inFolder.map((wallet) => [wallet.name, wallet.warnings]));
  const loadedNames = new Set(loaded);
  const knownNames = new Set([...warnings.keys(), ...loaded]);
  const names = [...knownNames].sort((one, other) => one.localeCompare(other));
  const unlisted = interruptedUnlisted(status.walletsFolder, knownNames, (name) =>
    readInterruption(name, signal),
  );
  // It is awaited below.
  unlisted.catch(() => undefined);

  const report = async (wallet: Wallet) => {
    if (signal.aborted) return;
    if (wallet.kind !== 'interrupted') return emit(wallet);
    const interruption = await readInterruption(wallet.name, signal).catch(() => undefined);
    // What a half-migrated file shows is not what the wallet holds.
    const unknown = { encrypted: null, balance: null, spendable: null, transactions: null };
    const known = { ...wallet, ...unknown };
    if (!signal.aborted) emit(interruption === undefined ? known : { ...known, interruption });
  };
  const run = limitConcurrency(callsAtOnce(status.release));
  const readDetails = (wallet: Wallet, conditions: readonly Condition[]) =>
    run(async () => {
      if (signal.aborted) return;
      const crashing = crashingConditions(conditions, status.release.number);
      await report(await withDetails(session, wallet, crashing, signal));
    });

  /** Finds what is known of these wallets without their details, and starts to read the details. */
  async function startReading(some: readonly string[]): Promise<Wallet[]> {
    const unloaded = new Map<string, { file: ListedFile; wallet: Wallet }>();
    const loadedFiles = new Map<string, ListedFile>();
    const wallets = await mapConcurrently(some, FILES_AT_ONCE, async (name) => {
      const own = warnings.get(name) ?? [];
      const file = await findListedFile(status.walletsFolder, name);
      const kind = kindOfUnloaded(file, status.release, own);
      const wallet = walletWithoutDetails({
        name,
        kind,
        size: file?.size ?? null,
        warnings: own,
        loaded: loadedNames.has(name),
      });
      if (wallet.loaded && file !== null && kind !== 'unknown' && !status.offline)
        loadedFiles.set(name, file);
      if (wallet.loaded || file === null || kind === 'unknown') return wallet;
      unloaded.set(file.path, { file, wallet: { ...wallet, fromFile: true } });
      return { ...wallet, pending: true };
    });
    const byPath = new Map<string, Wallet>();
    const inOrder: ListedFile[] = [];
    const details: Promise<void>[] = [];
    for (const wallet of wallets.filter(({ loaded }) => loaded)) {
      const file = loadedFiles.get(wallet.name);
      if (file) {
        byPath.set(file.path, wallet);
        inOrder.push(file);
      } else details.push(readDetails(wallet, []));
    }
    // With some files a balance call crashes the node, so the file is read first.
    const withFile = readFiles(
      inOrder,
      (path, facts) => {
        const wallet = byPath.get(path);
        if (wallet) details.push(readDetails(wallet, facts?.conditions ?? []));
      },
      signal,
      'loaded',
    );
    const read = readFiles(
      [...unloaded.values()].map(({ file }) => file),
      (path, facts) => {
        const known = unloaded.get(path);
        const { conditions: _, damaged = false, ...found } = facts ?? {};
        const ofDamage = damaged ? { damagedFile: path } : {};
        if (known) details.push(report({ ...known.wallet, ...found, ...ofDamage, pending: false }));
      },
      signal,
      'unloaded',
    );
    // Only `emit` and an abort can throw here, and nobody waits for either.
    void Promise.allSettled([withFile, read]).then(() => Promise.allSettled(details));
    return wallets;
  }

  // First a screenful, before the app even looks at the files of the others.
  const first = await startReading(names.slice(0, SCREENFUL));
  const wallets = [...first, ...(await startReading(names.slice(SCREENFUL)))];
  return [...wallets, ...(await unlisted)].sort((one, other) => one.name.localeCompare(other.name));
}

/** The wallets that the node does not list, because a migration of them was interrupted early, and that can be put back. */
async function interruptedUnlisted(
  walletsFolder: string | null,
  listed: ReadonlySet<string>,
  readInterruption: (name: string) => Promise<Wallet['interruption']>,
): Promise<Wallet[]> {
  if (walletsFolder === null) return [];
  const found: Wallet[] = [];
  for (const name of await unlistedWallets(walletsFolder, listed)) {
    const interruption = await readInterruption(name).catch(() => undefined);
    // A wallet that was already put back needs nothing.
    if (interruption === undefined || interruption.copies === 0 || interruption.restoredAs !== undefined)
      continue;
    const size = (await findListedFile(walletsFolder, name))?.size ?? null;
    const known = { name, kind: 'interrupted' as const, size, warnings: [], loaded: false };
    found.push({ ...walletWithoutDetails(known), interruption });
  }
  return found;
}

/** `legacy`: the node has the wallet, but its release does not load legacy wallets. */
export type LoadState = 'loaded' | 'unloaded' | 'legacy' | 'missing';

/** Whether a wallet is loaded on the node. Throws what the node's calls throw. */
export async function readLoadState({ client, status }: Session, name: string): Promise<LoadState> {
  const [inFolder, loaded] = await Promise.all([listWalletDir(client), listWallets(client)]);
  if (loaded.includes(name)) return 'loaded';
  const listed = inFolder.find((wallet) => wallet.name === name);
  if (listed === undefined) return 'missing';
  if (status.release.loadsLegacy) return 'unloaded';
  const file = await findListedFile(status.walletsFolder, name);
  return kindOfUnloaded(file, status.release, listed.warnings) === 'legacy' ? 'legacy' : 'unloaded';
}

/** A node runs four calls at once by default, and 16 from release 29 on (`src/httpserver.h`); other clients need some of them. */
function callsAtOnce({ number }: Release): number {
  return number < 290_000 ? 4 : 8;
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
    };
    if (crashing.length > 0) return { ...known, problem: notAsked(crashing) };
    return { ...known, ...balanceInList(await walletBalances(client, wallet.name, signal), watchOnly) };
  } catch (thrown) {
    return { ...known, problem: errorShapeOf(thrown) };
  }
}

function notAsked(crashing: readonly Condition[]): Wallet['problem'] {
  return {
    code: 'stopped_by_check',
    message: say('Asking for its balance would crash the node.'),
    hint: [...crashing.flatMap(conditionLines), notSent(say('Rescue its file.'))].join(' '),
  };
}
