/** The wallets that the engine has loaded, and how one is loaded and let go. */
import type { Network } from '../../../shared/network.ts';
import type { Dialect } from '../rpc/dialect.ts';
import { RpcError } from '../rpc/rpcError.ts';
import type { FileWork, WalletHandle } from './fileWork.ts';
import { type InTurn, makeTurns } from './inTurn.ts';
import type { EngineLog } from './log.ts';
import { FAILED, IN_USE, openBytes, readWalletFile } from './readWalletFile.ts';
import { makeUnlockedKey, type UnlockedKey } from './unlockedKey.ts';
import { identityOf, placeOf, type WalletPlace } from './walletPlace.ts';

/** A loaded wallet, and until when it is unlocked. */
export interface OpenWallet {
  readonly name: string;
  readonly place: WalletPlace;
  readonly wallet: WalletHandle;
  readonly lock: UnlockedKey;
}

export interface Wallets {
  /** In the order in which they were loaded. */
  all(): readonly OpenWallet[];
  get(name: string): OpenWallet | undefined;
  /** Reads and keeps a wallet of the folder. Throws RpcError with the number a node gives. */
  load(name: string): Promise<OpenWallet>;
  /** Keeps a wallet whose file was checked already. */
  add(name: string, wallet: WalletHandle): OpenWallet;
  /** Throws RpcError -18 for one that is not loaded. */
  unload(name: string): void;
  /** Opens a wallet's bytes as if from a place, for `add` or to be released. Throws RpcError as `load` does. */
  read(place: WalletPlace, bytes: Uint8Array): Promise<WalletHandle>;
  readonly inTurn: InTurn;
}

interface WalletsOptions {
  readonly folder: string;
  readonly network: Network;
  readonly dialect: Dialect;
  readonly log: EngineLog;
  readonly fileWork: FileWork;
  /** Aborted once the engine is to end. */
  readonly stopping: AbortSignal;
}

export function makeWallets(options: WalletsOptions): Wallets {
  const { folder, dialect, log } = options;
  const loaded = new Map<string, OpenWallet>();

  async function load(name: string): Promise<OpenWallet> {
    const place = placeOf(folder, name);
    refuseTwin(place);
    const wallet = await read(place, await readWalletFile(place, options));
    try {
      // Under another name it may have been loaded meanwhile.
      refuseTwin(place);
    } catch (error) {
      wallet.release();
      throw error;
    }
    return add(name, wallet);
  }

  function refuseTwin(place: WalletPlace): void {
    const identity = identityOf(place);
    const twin = [...loaded.values()].find(
      (open) => identity !== null && identityOf(open.place) === identity,
    );
    if (loaded.has(place.name) || twin) throw alreadyLoaded(place, twin ?? loaded.get(place.name), dialect);
  }

  function add(name: string, wallet: WalletHandle): OpenWallet {
    const open = { name, place: placeOf(folder, name), wallet, lock: makeUnlockedKey() };
    loaded.set(name, open);
    return open;
  }

  function read(place: WalletPlace, bytes: Uint8Array): Promise<WalletHandle> {
    return openBytes(place, bytes, options);
  }

  return {
    all: () => [...loaded.values()],
    get: (name) => loaded.get(name),
    load,
    add,
    read,
    unload: (name) => {
      const open = loaded.get(name);
      if (!open) throw notLoaded();
      open.lock.close();
      open.wallet.release();
      loaded.delete(name);
      log.ofWallet(name, `Releasing wallet ${name}..`);
    },
    inTurn: makeTurns(),
  };
}

export function notLoaded(): RpcError {
  return new RpcError('walletNotFound', 'Requested wallet does not exist or is not loaded');
}

/** Release 23 finds out by the lock on the file, later ones by the name. */
function alreadyLoaded(place: WalletPlace, open: OpenWallet | undefined, dialect: Dialect): RpcError {
  if (dialect.release !== 23) {
    return new RpcError('walletAlreadyLoaded', `Wallet "${place.name}" is already loaded.`);
  }
  if (open?.wallet.kind === 'descriptor')
    return new RpcError('wallet', `${FAILED} SQLiteDatabase: ${IN_USE}\n`);
  const words = `Refusing to load database. Data file '${place.file}' is already loaded.`;
  return new RpcError('walletAlreadyLoaded', `${FAILED} ${words}`);
}
