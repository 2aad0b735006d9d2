/** What is done away from the thread that answers calls: with files, with the wallets in them, and what takes seconds. */
import type { Network } from '../../../shared/network.ts';
import type { Unlocked } from '../../wallet/key/crypter.ts';
import type { Migration } from '../../wallet/migrate/migrateLegacy.ts';
import type { FileMigrationOptions } from '../../wallet/migrate/migrateWallet.ts';
import type { Encryption } from '../../wallet/record/encryption.ts';
import type { LastBlock } from '../../wallet/record/lastBlock.ts';
import type { EngineRelease } from '../rpc/dialect.ts';
import type { LoadedWallet, WalletSummary } from '../view/loadedWallet.ts';
import type { ListedWallet } from './walletDir.ts';

/** All throw the system's error where a file cannot be read or written, and the reason of a signal. */
export interface FileWork {
  /** A wallet's whole file, in memory that threads share; of what begins as none its beginning. */
  read(path: string, stopping: AbortSignal): Promise<Uint8Array>;
  /**
   * As `writeWholeFile`; gives the SHA-256 of what was written, lower-case hex. The bytes are not to be used after it,
   * unless they are shared.
   */
  write(path: string, bytes: Uint8Array): Promise<string>;
  /**
   * Puts a copy in its place at once, under a new name: throws EEXIST where something is. `part` is a name beside it,
   * as `partPath` gives it in the thread that answers calls: by those names it is known what is half-made.
   */
  copy(from: string, to: string, part: string): Promise<void>;
  /** Whether a file can be read and is these bytes, which are shared. */
  holds(path: string, bytes: Uint8Array): Promise<boolean>;
  /** As `listWalletDir`. */
  list(walletsFolder: string, network: Network, stopping: AbortSignal): Promise<readonly ListedWallet[]>;
  /**
   * Reads a wallet's bytes, which are shared, and keeps them until it is released. Throws AppError for a damaged one,
   * RpcError where it takes too long or too much memory.
   */
  open(wallet: WalletBytes, stopping: AbortSignal): Promise<WalletHandle>;
}

export interface WalletBytes {
  readonly bytes: Uint8Array;
  readonly kind: 'bdb' | 'sqlite';
  readonly network: Network;
}

/** What of a loaded wallet the thread that answers calls needs itself: plain and small. */
export interface WalletFacts extends Pick<LoadedWallet, 'kind' | 'warnings' | 'encryption'> {
  readonly summary: Omit<WalletSummary, 'lastBlock'> & {
    readonly lastBlock: Pick<LastBlock, 'hash' | 'height'> | null;
  };
  /** How many the address book holds. */
  readonly addresses: number;
}

/** A wallet that is open in a thread. */
export interface WalletHandle extends WalletFacts {
  /**
   * The answer as JSON. The master key of the question is given away. Throws what the answer throws, RpcError where it
   * takes too long or too much memory.
   */
  ask(question: AskedQuestion, signals: QuestionSignals): Promise<string>;
  /** Lets go of its bytes and of what was made of them. */
  release(): void;
}

/** A question as it goes to another thread: plain data. */
export interface AskedQuestion {
  readonly method: string;
  /** In their positions. */
  readonly given: readonly unknown[];
  readonly release: EngineRelease;
  /** The wallet's. */
  readonly name: string;
  /** Wiped once it is answered; null while the wallet is locked. */
  readonly masterKey: Uint8Array | null;
  /** Unix seconds; 0 while it is locked. */
  readonly unlockedUntil: number;
  /** Unix seconds. */
  readonly now: number;
}

export interface QuestionSignals {
  readonly stopping: AbortSignal;
  /** Aborted when nobody waits for the answer: one that was not begun is not, one that was may soon be ended. */
  readonly asker: AbortSignal;
}

export function factsOf({ kind, warnings, encryption, summary, addressBook }: LoadedWallet): WalletFacts {
  const { lastBlock } = summary;
  const known = lastBlock && { hash: lastBlock.hash, height: lastBlock.height };
  return {
    kind,
    warnings,
    encryption,
    summary: { ...summary, lastBlock: known },
    addresses: addressBook.length,
  };
}

export type MigrationJob = Readonly<
  Pick<FileMigrationOptions, 'bytes' | 'network' | 'name' | 'passphrase' | 'prefix' | 'now'>
>;

/** The wallets that come of a migration. */
export type MigratedWallets = Readonly<Omit<Migration, 'proof'>>;

export interface UnlockJob {
  readonly encryption: Encryption;
  readonly passphrase: string;
}

/** Done in a thread of its own. Both throw AppError for what went wrong in the work, and reject with the signal's reason when it is aborted. */
export interface HeavyWork {
  migrate(job: MigrationJob, signal: AbortSignal): Promise<MigratedWallets>;
  unlock(job: UnlockJob, signal: AbortSignal): Promise<Unlocked>;
}
