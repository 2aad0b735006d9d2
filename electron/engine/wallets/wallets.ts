/** The loaded wallets, and those to load at start: loads and unloads them, and runs work on one wallet in turn. */
import { resolve } from 'node:path';
import { z } from 'zod/mini';
import { textUpTo } from '../../../shared/model/shapes.ts';
import { replaceFile } from '../../files/durableFile.ts';
import { systemCode } from '../../files/fileError.ts';
import { NoFileError, readWhole } from '../../files/openFile.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import type { Dialect } from '../rpc/dialect.ts';
import { RpcError } from '../rpc/jsonRpc.ts';
import { EngineError, notOpenedError } from './engineError.ts';
import type { EngineState } from './engineState.ts';
import { FAILED, IN_USE, openWalletFile, readWalletFile, type WalletServices } from './readWalletFile.ts';
import { identityOf, MAX_NAME_LENGTH, type WalletPath, walletPathOf } from './walletsFolder.ts';
import type { ProvedFile, WalletHandle } from './work.ts';

/** A loaded wallet, and until when it is unlocked. */
export interface LoadedWalletEntry {
  readonly name: string;
  readonly walletPath: WalletPath;
  readonly wallet: WalletHandle;
  readonly lock: ReturnType<typeof makeUnlockedKey>;
}

type Wallets = ReturnType<typeof makeWallets>;

export function makeWallets(services: WalletServices) {
  const { dialect, log } = services;
  const folder = services.layout.walletsFolder;
  const loaded = new Map<string, LoadedWalletEntry>();
  const turns = makeTurns();

  /** Loads a wallet of the folder. `proved`: its facts are used instead of checking the file if that has this hash. Throws RpcError with the node's number. */
  async function load(name: string, proved?: ProvedFile): Promise<LoadedWalletEntry> {
    const place = walletPathOf(folder, name);
    refuseTwin(place);
    const file = await readWalletFile('read', place, services);
    const isProved = proved && (await services.work.run('hash', { file })) === proved.sha256;
    const wallet = await openWalletFile(place, file, services, isProved ? proved.facts : undefined);
    try {
      // It may have been loaded under another name meanwhile.
      refuseTwin(place);
    } catch (error) {
      wallet.release();
      throw error;
    }
    return add(name, wallet);
  }

  function refuseTwin(place: WalletPath): void {
    const twin = twinOf(place) ?? loaded.get(place.name);
    if (twin) throw alreadyLoadedError(place, twin, dialect);
  }

  function twinOf(place: WalletPath): LoadedWalletEntry | undefined {
    const identity = identityOf(place);
    if (identity === null) return undefined;
    return [...loaded.values()].find((open) => identityOf(open.walletPath) === identity);
  }

  /** Throws RpcError -4 if the same file is loaded under another name. */
  function refuseAlias(place: WalletPath): void {
    const twin = twinOf(place);
    if (!twin || twin.name === place.name) return;
    throw new RpcError(
      'wallet',
      `${FAILED} ${alreadyLoadedText(place)} It is loaded under the name "${twin.name}": use that name, or unload it first. Nothing was changed.`,
    );
  }

  function add(name: string, wallet: WalletHandle): LoadedWalletEntry {
    const open = { name, walletPath: walletPathOf(folder, name), wallet, lock: makeUnlockedKey() };
    loaded.set(name, open);
    return open;
  }

  return {
    /** Oldest first. */
    all: (): readonly LoadedWalletEntry[] => [...loaded.values()],
    get: (name: string) => loaded.get(name),
    load,
    add,
    /** Throws RpcError -18 unless the wallet is loaded. */
    unload: (name: string) => {
      const open = loaded.get(name);
      if (!open) throw notLoadedError();
      open.lock.close();
      open.wallet.release();
      loaded.delete(name);
      log.ofWallet(name, `Releasing wallet ${name}..`);
    },
    refuseAlias,
    /** Runs `work` after all earlier work on any of these wallets, under any of their names. */
    inTurn: <T>(names: readonly string[], work: () => Promise<T>) =>
      turns([...new Set(names.flatMap((name) => turnNamesOf(folder, name)))], work),
  };
}

/**
 * Keys that all names of a wallet share, such as `x`, `./x` and a link to it: the resolved path, even for a missing file,
 * and the real path.
 */
function turnNamesOf(folder: string, name: string): string[] {
  // The work itself reports an invalid name.
  const place = orNull(() => walletPathOf(folder, name));
  if (place === null) return [];
  const identity = identityOf(place);
  return [resolve(place.path), ...(identity === null ? [] : [identity])];
}

export function notLoadedError(): RpcError {
  return new RpcError('walletNotFound', 'Requested wallet does not exist or is not loaded');
}

/** Release 23 notices it by the lock on the file, later ones by the name. */
function alreadyLoadedError(place: WalletPath, open: LoadedWalletEntry, dialect: Dialect): RpcError {
  if (dialect.release !== 23) {
    return new RpcError('walletAlreadyLoaded', `Wallet "${place.name}" is already loaded.`);
  }
  if (open.wallet.kind === 'descriptor')
    return new RpcError('wallet', `${FAILED} SQLiteDatabase: ${IN_USE}\n`);
  return new RpcError('walletAlreadyLoaded', `${FAILED} ${alreadyLoadedText(place)}`);
}

function alreadyLoadedText({ file }: WalletPath): string {
  return `Refusing to load database. Data file '${file}' is already loaded.`;
}

/** Keeps the master key of an unlocked wallet until its time is up, then wipes it. */
export function makeUnlockedKey() {
  let unlocked: { masterKey: Uint8Array; until: number } | null = null;
  let timer: NodeJS.Timeout | undefined;
  const close = () => {
    clearTimeout(timer);
    unlocked?.masterKey.fill(0);
    unlocked = null;
  };
  return {
    /** Null while the wallet is locked. */
    masterKey: () => unlocked?.masterKey ?? null,
    /** Unix seconds; 0 while it is locked. */
    until: () => unlocked?.until ?? 0,
    close,
    open: (masterKey: Uint8Array, seconds: number) => {
      close();
      unlocked = { masterKey, until: Math.floor(Date.now() / 1000) + seconds };
      timer = setTimeout(close, Math.min(seconds * 1000, MAX_TIMER_MS));
      // The key ends with the process anyway.
      timer.unref();
    },
  };
}

/** The longest timeout of setTimeout. A wallet that is unlocked for longer locks after 24 days. */
const MAX_TIMER_MS = 0x7fffffff;

/** Returns a function that runs `work` once all earlier tasks with any of the same names have ended. */
export function makeTurns() {
  const last = new Map<string, Promise<void>>();
  return <T>(names: readonly string[], work: () => Promise<T>): Promise<T> => {
    const working = Promise.all(names.map((name) => last.get(name))).then(work);
    const forget = () => {
      for (const name of names) if (last.get(name) === end) last.delete(name);
    };
    const end: Promise<void> = working.then(forget, forget);
    // Queue under all names at once, so that two tasks never wait for each other.
    for (const name of names) last.set(name, end);
    return working;
  };
}

/** The state that the engine's RPC methods share. Built once at start. */
export interface Engine extends WalletServices {
  readonly state: EngineState;
  readonly startup: StartupList;
  readonly wallets: Wallets;
  /** The calls that run now, oldest first. `since`: their start by `performance.now()`. */
  readonly activeCalls: Set<{ readonly method: string; readonly since: number }>;
  /** `-deprecatedrpc=walletwarningfield`. */
  readonly walletWarningField: boolean;
  /** Whole seconds since the engine started. */
  uptime(): number;
  /** Unix seconds. */
  now(): number;
  /** Ends the engine after it has answered the running calls. */
  stop(): void;
}

type StartupList = ReturnType<typeof openStartupList>;

/**
 * Opens the list of the wallets to load at start, in a `settings.json` as a node has it, and keeps the other settings of the
 * file. Throws EngineError if the file is not a JSON object, because overwriting it could lose a node's settings, and for a link,
 * a pipe or a folder.
 */
export function openStartupList(path: string) {
  const listedNow = (): readonly string[] => readSettings(path).wallet ?? [];
  listedNow();
  return {
    /** Names in the order in which they were added. */
    names: listedNow,
    /** Adds or removes a name. Syncs the file to the disk before it returns. */
    set: (name: string, listed: boolean) => {
      const settings = readSettings(path);
      const names = settings.wallet ?? [];
      if (names.includes(name) === listed) return;
      const wallet = listed ? [...names, name] : names.filter((other) => other !== name);
      const text = JSON.stringify({ ...settings, wallet }, null, 4);
      replaceFile(path, new TextEncoder().encode(`${text}\n`));
    },
  };
}

const MAX_BYTES = 1_000_000;

const settingsShape = z.looseObject({
  wallet: z.optional(z.array(textUpTo(MAX_NAME_LENGTH))),
});

function readSettings(path: string): z.infer<typeof settingsShape> {
  let text: string;
  try {
    text = readWhole(path, { own: true, most: MAX_BYTES }).toString('utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return {};
    if (error instanceof NoFileError) throw notOpenedError('The settings file', path, error);
    if (systemCode(error) === 'EFBIG') {
      throw new EngineError(
        `The settings file ${path} is larger than 1 MB, so it contains more than settings. Repair it or move it away; nothing was changed.`,
      );
    }
    throw new EngineError(`The settings file ${path} cannot be read.`);
  }
  try {
    return settingsShape.parse(JSON.parse(text));
  } catch {
    throw new EngineError(
      `The settings file ${path} is not valid. Repair it or move it away; nothing was changed.`,
    );
  }
}
