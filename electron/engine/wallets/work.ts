/** What is done away from the thread that answers calls: with files, with the wallets in them, and what takes seconds. */
import type { Network } from '../../../shared/model/network.ts';
import type { Migration } from '../../walletfile/migrate/migrateLegacy.ts';
import type { FileMigrationOptions } from '../../walletfile/migrate/migrateWallet.ts';
import type { Encryption } from '../../walletfile/records/encryption.ts';
import type { EngineRelease } from '../rpc/dialect.ts';
import { answerOfLimits } from '../rpc/rpcError.ts';
import type { LoadedWallet } from '../view/openWallet.ts';
import type { ListedWallet } from './walletDir.ts';

/** What each piece of work takes and gives. All throw the system's error where a file cannot be read or written. */
export interface Tasks {
  /** A wallet's whole file, in memory that threads share; of what begins as none its beginning. */
  read: { takes: { readonly path: string }; gives: Uint8Array };
  /**
   * As `writeWholeFile`; gives the SHA-256 of what was written, lower-case hex. The bytes are not to be used after it,
   * unless they are shared.
   */
  write: { takes: { readonly path: string; readonly bytes: Uint8Array }; gives: string };
  /**
   * Puts a copy in its place at once, under a new name: throws EEXIST where something is. `part` is a name beside it,
   * as `partPath` gives it in the thread that answers calls: by those names it is known what is half-made.
   */
  copy: { takes: { readonly from: string; readonly to: string; readonly part: string }; gives: null };
  /** Whether a file can be read and is these bytes, which are shared. */
  holds: { takes: { readonly path: string; readonly bytes: Uint8Array }; gives: boolean };
  /** As `listWalletDir`. */
  list: { takes: { readonly folder: string; readonly network: Network }; gives: readonly ListedWallet[] };
  /** For `Work.open`. */
  open: { takes: { readonly wallet: NumberedWallet }; gives: WalletFacts };
  /** For `WalletHandle.ask`. The wallet comes along: a thread that does not know it yet opens it first. */
  ask: { takes: { readonly wallet: NumberedWallet; readonly question: AskedQuestion }; gives: string };
  /** This and the next are done in a thread of their own, and throw AppError for what went wrong in the work. */
  migrate: { takes: MigrationTask; gives: MigratedWallets };
  unlock: {
    takes: { readonly encryption: Encryption; readonly passphrase: string };
    gives: Uint8Array | null;
  };
}

export type TaskKind = keyof Tasks;
export type Gives<K extends TaskKind> = Tasks[K]['gives'];
export type Task<K extends TaskKind = TaskKind> = { readonly is: K; readonly given: Tasks[K]['takes'] };

/** Work is given up with the reason of `stopping`; what has neither is done to its end. */
interface WorkSignals {
  readonly stopping?: AbortSignal;
  /** Aborted when nobody waits for the answer: one that was not begun is not, one that was may soon be ended. */
  readonly asker?: AbortSignal;
}

/** For what nothing ends early. */
export const never = new AbortController().signal;

/** Throws also RpcError for work on a wallet that takes too long or too much memory. */
export type Run = <K extends TaskKind>(
  is: K,
  given: Tasks[K]['takes'],
  signals?: WorkSignals,
) => Promise<Gives<K>>;

export type Work = ReturnType<typeof workBy>;

/** A wallet that is open in a thread. */
export type WalletHandle = Awaited<ReturnType<Work['open']>>;

/** `runTask` does a task, here or in a thread. `release` frees what it has cached of a wallet. */
export function workBy(runTask: Run, release: (wallet: NumberedWallet) => void) {
  let opened = 0;
  const run: Run = (is, given, signals) =>
    runTask(is, given, signals).catch((error: unknown) => {
      throw answerOfLimits(error);
    });
  return {
    run,
    /** Reads a wallet's bytes, which are shared, and keeps them until it is released. Throws AppError for a damaged one. */
    open: async (given: WalletBytes, stopping: AbortSignal) => {
      opened += 1;
      const wallet: NumberedWallet = { ...given, id: opened };
      const facts = await run('open', { wallet }, { stopping }).catch((error: unknown) => {
        release(wallet);
        throw error;
      });
      return {
        ...facts,
        /**
         * The answer as JSON. The master key of the question is given away. Throws what the answer throws, RpcError where
         * it takes too long or too much memory.
         */
        ask: async (question: AskedQuestion, signals: WorkSignals): Promise<string> => {
          try {
            return await run('ask', { wallet, question }, signals);
          } finally {
            question.masterKey?.fill(0);
          }
        },
        /** Lets go of its bytes and of what was made of them. */
        release: () => release(wallet),
      };
    },
  };
}

interface WalletBytes {
  readonly bytes: Uint8Array;
  readonly kind: 'bdb' | 'sqlite';
  readonly network: Network;
}

/** A wallet's bytes under the number that a thread knows them by. */
export interface NumberedWallet extends WalletBytes {
  readonly id: number;
}

/** What of a loaded wallet the thread that answers calls needs itself: plain and small. */
export interface WalletFacts extends Pick<LoadedWallet, 'kind' | 'warnings' | 'encryption' | 'summary'> {
  /** How many the address book holds. */
  readonly addresses: number;
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

type MigrationTask = Readonly<
  Pick<FileMigrationOptions, 'bytes' | 'network' | 'name' | 'passphrase' | 'now'>
>;

/** The wallets that come of a migration. */
export type MigratedWallets = Readonly<Omit<Migration, 'proof'>>;
