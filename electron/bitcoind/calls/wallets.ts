/** The wallets of a node: all of their names at once, and then what each loaded one holds. */
import { stat } from 'node:fs/promises';
import type { Condition } from '../../../shared/model/conditions.ts';
import type { Release } from '../../../shared/model/node.ts';
import type { Wallet } from '../../../shared/model/wallet.ts';
import { conditionLines } from '../../../shared/wording/conditionWords.ts';
import { errorShapeOf } from '../../../shared/wording/errorWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { inParallel } from '../../files/inParallel.ts';
import { endingConditions } from '../../walletfile/conditions/endingConditions.ts';
import type { Session } from '../rpc/session.ts';
import { hasDescriptors, listWalletDir, listWallets, walletBalances, walletInfo } from './walletCalls.ts';
import { balanceInList, type WalletInfo } from './walletShapes.ts';
import { walletFileKind, walletFilePath } from './walletsFolder.ts';

interface FileFacts extends Partial<Wallet> {
  readonly conditions?: readonly Condition[];
}

/** Tells what wallet files hold, until the signal is aborted; null for one that cannot be read. */
type ReadFiles = (
  files: readonly SeenFile[],
  tell: (path: string, facts: FileFacts | null) => void,
  signal: AbortSignal,
) => Promise<void>;

/**
 * Every wallet in the node's wallets folder and every loaded one, sorted by name. Resolves as soon as the names
 * are known; `emit` is then called once for each that is `pending`, when its details are there: the node's of those it
 * has loaded, and what `readFiles` tells of the others where their files are seen. Details that cannot
 * be had of the node are told in `problem`. Of half-made ones, `readInterruption` tells what can be done. A newer call for the same session ends what is left of this one.
 * Throws AppError when the names cannot be had, `no_wallet_support` for a node without wallets.
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
  const isLoaded = new Set(loaded);
  const names = [...new Set([...warnings.keys(), ...loaded])].sort((one, other) => one.localeCompare(other));
  const unloaded = new Map<string, { file: SeenFile; wallet: Wallet }>();
  const loadedFiles = new Map<string, SeenFile>();
  const wallets = await inParallel(names, FILES_AT_ONCE, async (name) => {
    const own = warnings.get(name) ?? [];
    const file = await fileOf(status.walletsFolder, name);
    const kind = file !== null && file.kind !== 'unknown' ? file.kind : kindByWarning(status.release, own);
    const wallet = bare({ name, kind, size: file?.size ?? null, warnings: own, loaded: isLoaded.has(name) });
    if (wallet.loaded && file !== null && kind !== 'unknown' && !status.offline) loadedFiles.set(name, file);
    if (wallet.loaded || file === null || kind === 'unknown') return wallet;
    unloaded.set(file.path, { file, wallet: { ...wallet, fromFile: true } });
    return { ...wallet, pending: true };
  });

  const tell = async (wallet: Wallet) => {
    if (signal.aborted) return;
    if (wallet.kind !== 'interrupted') return emit(wallet);
    const interruption = await readInterruption(wallet.name, signal).catch(() => undefined);
    if (!signal.aborted) emit(interruption === undefined ? wallet : { ...wallet, interruption });
  };
  const files: Promise<void>[] = [];
  /** Conditions that would crash the node if it were asked, by loaded wallet. */
  const ending = new Map<string, readonly Condition[]>();
  const ask = (some: readonly Wallet[]) =>
    inParallel(some, WALLETS_AT_ONCE, async (wallet) =>
      signal.aborted
        ? undefined
        : tell(await withDetails(session, wallet, ending.get(wallet.name) ?? [], signal)),
    );
  const isRead = ({ name }: Wallet) => loadedFiles.has(name);
  const all = wallets.filter((wallet) => wallet.loaded);
  const asked = ask(all.filter((wallet) => !isRead(wallet)));
  // With some files, asking for the balance crashes the node. So the files are read first.
  const byPath = new Map([...loadedFiles].map(([name, { path }]) => [path, name]));
  const askedOfRead = readFiles(
    [...loadedFiles.values()],
    (path, facts) => {
      const name = byPath.get(path);
      if (name !== undefined && facts?.conditions)
        ending.set(name, endingConditions(facts.conditions, status.release.number));
    },
    signal,
  ).then(() => ask(all.filter(isRead)));
  const read = readFiles(
    [...unloaded.values()].map(({ file }) => file),
    (path, facts) => {
      const known = unloaded.get(path);
      const { conditions: _, ...told } = facts ?? {};
      if (known) files.push(tell({ ...known.wallet, ...told, pending: false }));
    },
    signal,
  ).then(() => Promise.all(files));
  // Only `emit` can throw, and an end that was asked for; there is no one left to tell.
  void Promise.allSettled([asked, askedOfRead, read]);
  return wallets;
}

/** `legacy`: the node has it and, by its release, does not load it. */
export type LoadState = 'loaded' | 'unloaded' | 'legacy' | 'missing';

/** How one wallet stands on the node. Throws what the node's calls throw. */
export async function readLoadState({ client, status }: Session, name: string): Promise<LoadState> {
  const [inFolder, loaded] = await Promise.all([listWalletDir(client), listWallets(client)]);
  if (loaded.includes(name)) return 'loaded';
  const listed = inFolder.find((wallet) => wallet.name === name);
  if (listed === undefined) return 'missing';
  if (status.release.loadsLegacy) return 'unloaded';
  const file = await fileOf(status.walletsFolder, name);
  const kind =
    file === null || file.kind === 'unknown' ? kindByWarning(status.release, listed.warnings) : file.kind;
  return kind === 'legacy' ? 'legacy' : 'unloaded';
}

/** A node works on four calls at once by default and lets 16 wait; others want to ask it too. */
const WALLETS_AT_ONCE = 4;
const FILES_AT_ONCE = 16;
const running = new WeakMap<Session, AbortController>();

interface SeenFile {
  readonly path: string;
  readonly kind: Wallet['kind'];
  /** Bytes; 0 if unknown. */
  readonly size: number;
}

/** Null where the folder is not proved, or the file is not there. */
async function fileOf(walletsFolder: string | null, name: string): Promise<SeenFile | null> {
  const path = walletsFolder === null ? null : await walletFilePath(walletsFolder, name);
  if (path === null) return null;
  const [kind, { size }] = await Promise.all([walletFileKind(path), stat(path).catch(() => ({ size: 0 }))]);
  return { path, kind, size };
}

/**
 * Where no file tells, a warning in `listwalletdir` does on a release
 * that loads no legacy wallets: being a legacy wallet is the only thing that it warns of there
 * (`src/wallet/rpc/wallet.cpp`, releases 30 and 31). The text is not looked at.
 */
function kindByWarning(release: Release, warnings: readonly string[]): Wallet['kind'] {
  return !release.loadsLegacy && warnings.length > 0 ? 'legacy' : 'unknown';
}

function bare(known: Pick<Wallet, 'name' | 'kind' | 'size' | 'warnings' | 'loaded'>): Wallet {
  return {
    ...known,
    encrypted: null,
    watchOnly: null,
    balance: null,
    spendable: null,
    transactions: null,
    birthTime: null,
    fromFile: false,
    scanning: null,
    pending: known.loaded,
    problem: null,
  };
}

/** A node loads what a migration that was cut off left: an SQLite file without its flag, or without descriptors. */
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

/** As far as the node tells them: what it refuses is told in `problem`. */
async function withDetails(
  { client }: Session,
  wallet: Wallet,
  ending: readonly Condition[],
  signal: AbortSignal,
): Promise<Wallet> {
  let known: Wallet = { ...wallet, pending: false };
  try {
    const info = await walletInfo(client, wallet.name, signal);
    const watchOnly = !info.privateKeys;
    known = {
      ...known,
      kind: ending.length > 0 ? wallet.kind : await kindOf(client, wallet.name, info, signal),
      encrypted: info.encrypted,
      watchOnly,
      transactions: info.txcount,
      birthTime: info.birthTime,
      scanning: info.scanning,
    };
    if (ending.length > 0) return { ...known, problem: notAsked(ending) };
    return { ...known, ...balanceInList(await walletBalances(client, wallet.name, signal), watchOnly) };
  } catch (thrown) {
    return { ...known, problem: errorShapeOf(thrown) };
  }
}

function notAsked(ending: readonly Condition[]): Wallet['problem'] {
  return {
    code: 'stopped_by_check',
    message: say('Asking for its balance would crash the node.'),
    hint: [...ending.flatMap(conditionLines), say('The node was not asked. Rescue the wallet’s file.')].join(
      ' ',
    ),
  };
}
