/** The tasks that run outside of the thread that answers calls: on files, on wallets, and others that take seconds. */
import type { WalletPart } from '../../../shared/model/migrationPreview.ts';
import type { Network } from '../../../shared/model/network.ts';
import type { MarkedFile } from '../../files/largeFile.ts';
import type { FileMigrationOptions } from '../../walletfile/migrate/migrateWallet.ts';
import type { Encryption } from '../../walletfile/records/encryption.ts';
import type { EngineRelease } from '../rpc/dialect.ts';
import { limitErrorOf } from '../rpc/jsonRpc.ts';
import type { LoadedWallet } from '../view/openWallet.ts';
import type { ListedWallet } from './walletsFolder.ts';

/** The input and result of each task. All throw the system's error for a file that cannot be read or written. */
export interface Tasks {
  /** A wallet's file with its journal applied; of any other file only the beginning. In shared memory up to 2 GiB. */
  read: { input: { readonly path: string }; output: ReadFile };
  /** The same without a journal, and in shared memory only up to 256 MiB. */
  look: { input: { readonly path: string }; output: ReadFile };
  /**
   * Places a copy under a new name at once. Throws EEXIST if the name is taken. `part`: a path by `partPath` from the thread that
   * answers calls, which recognises unfinished files by these names.
   */
  copy: { input: { readonly from: string; readonly to: string; readonly part: string }; output: null };
  /** Copies a file to a new one as `writeWholeFile` does. Throws AppError `file_changed` for a file in another state. */
  duplicate: { input: { readonly file: MarkedFile; readonly path: string }; output: KnownFile };
  /** Whether a file is readable and has this SHA-256 (lower-case hex). */
  holds: { input: { readonly path: string; readonly sha256: string }; output: boolean };
  /** The SHA-256 of a file, in lower-case hex. */
  hash: { input: { readonly file: MarkedFile }; output: string };
  /** As `listWalletDir`. */
  list: { input: { readonly folder: string; readonly network: Network }; output: readonly ListedWallet[] };
  /** For `Work.open`. */
  open: { input: { readonly wallet: NumberedWallet }; output: WalletFacts };
  /** For `WalletHandle.ask`. A thread that has not opened the wallet opens it first. */
  ask: { input: { readonly wallet: NumberedWallet; readonly question: ReadCall }; output: string };
  /**
   * This task and `unlock` each run in a thread of their own, and throw FileError. Fills the empty file of each new wallet, which still
   * needs `check`: see `onWritten`. Does not create it, and leaves the files of other parts empty. Throws as `duplicate` does.
   */
  migrate: { input: MigrationTask; output: MigratedWallets };
  /** A share of `migrate` with the same `nextKeyIndex`. Runs in a thread of its own if there is a passphrase. Throws as `migrate` does. */
  proveKeys: { input: Pick<MigrationTask, 'file' | 'passphrase' | 'nextKeyIndex'>; output: null };
  /** Has SQLite check a file that `migrate` has written. Throws AppError `internal` for a fault. */
  check: { input: { readonly path: string }; output: KnownFile };
  unlock: {
    input: { readonly encryption: Encryption; readonly passphrase: string };
    output: Uint8Array | null;
  };
}

/** What was written or checked, to recognise it when it is moved. */
export interface KnownFile {
  /** In lower-case hex. */
  readonly sha256: string;
  /** By `contentMarkOf`. */
  readonly mark: string;
}

export type TaskKind = keyof Tasks;
export type Output<K extends TaskKind> = Tasks[K]['output'];
export type Task<K extends TaskKind = TaskKind> = { readonly kind: K; readonly input: Tasks[K]['input'] };

/** A task ends with the reason of `stopping`. Without signals it runs to its end. */
interface WorkSignals {
  readonly stopping?: AbortSignal;
  /** Aborted when nobody waits for the answer: the task does not start, or ends soon. */
  readonly caller?: AbortSignal;
  readonly onWritten?: OnWritten;
}

/** Called for each file of a `migrate` as soon as it is written, so that it can be checked while the migration is proved. */
export type OnWritten = (part: WalletPart) => void;

export const never = new AbortController().signal;

/** Runs a task. Throws also RpcError if it takes too long or too much memory. */
export type Run = <K extends TaskKind>(
  is: K,
  input: Tasks[K]['input'],
  signals?: WorkSignals,
) => Promise<Output<K>>;

export type Work = ReturnType<typeof createWork>;

/** A wallet that is open in a thread. */
export type WalletHandle = Awaited<ReturnType<Work['open']>>;

/** `runTask` does a task, here or in a thread. `release` frees what it has cached of a wallet. */
export function createWork(runTask: Run, release: (wallet: NumberedWallet) => void) {
  let opened = 0;
  const run: Run = (is, input, signals) =>
    runTask(is, input, signals).catch((error: unknown) => {
      throw limitErrorOf(error);
    });
  return {
    run,
    /** Opens a wallet until it is released. Throws FileError for a damaged wallet, and for a file in another state. */
    open: async (input: WalletToOpen, stopping: AbortSignal) => {
      opened += 1;
      const wallet: NumberedWallet = { ...input, id: opened };
      const read = () =>
        run('open', { wallet }, { stopping }).catch((error: unknown) => {
          release(wallet);
          throw error;
        });
      const facts = input.facts ?? (await read());
      return {
        ...facts,
        /**
         * The answer as JSON. Wipes the master key of the question. Throws the errors of the answer, and RpcError if it takes too
         * long or too much memory.
         */
        ask: async (question: ReadCall, signals: WorkSignals): Promise<string> => {
          try {
            return await run('ask', { wallet, question }, signals);
          } finally {
            question.masterKey?.fill(0);
          }
        },
        /** Frees the bytes of the wallet and what threads cache of it. */
        release: () => release(wallet),
      };
    },
  };
}

/** `start`: its first bytes. */
export type ReadFile = MarkedFile & { readonly start: Uint8Array };

interface WalletToOpen {
  readonly file: MarkedFile;
  readonly kind: 'bdb' | 'sqlite';
  readonly network: Network;
  /** Given if a migration has just written and proved these bytes, which are not checked again. */
  readonly facts?: WalletFacts | undefined;
}

/** A wallet with the number that threads know it by. */
export interface NumberedWallet extends WalletToOpen {
  readonly id: number;
}

/** The facts of a loaded wallet that the thread that answers calls needs. */
export interface WalletFacts extends Pick<LoadedWallet, 'kind' | 'warnings' | 'encryption' | 'summary'> {
  /** The number of entries in the address book. */
  readonly addresses: number;
}

/** An RPC call that a thread answers, as plain data. */
export interface ReadCall {
  readonly method: string;
  /** The arguments by position. */
  readonly params: readonly unknown[];
  readonly release: EngineRelease;
  readonly name: string;
  /** Wiped after the answer. Null while the wallet is locked. */
  readonly masterKey: Uint8Array | null;
  /** Unix seconds; 0 while it is locked. */
  readonly unlockedUntil: number;
  /** Unix seconds. */
  readonly now: number;
}

/** The paths of the files that a migration fills, under hidden names in the folders that they will stay in. */
export type NewFiles = Readonly<Record<WalletPart, string>>;

type MigrationTask = Readonly<
  Pick<FileMigrationOptions, 'network' | 'name' | 'passphrase' | 'now' | 'nextKeyIndex'>
> & {
  /** The legacy wallet. */
  readonly file: MarkedFile;
  /** The path of an empty file for each new wallet. */
  readonly files: NewFiles;
};

/** The wallets that a migration makes. */
export type MigratedWallets = { readonly [P in WalletPart]: MigratedWallet | null };

export interface MigratedWallet {
  readonly name: string;
  /** SHA-256 of the file that was proved, in lower-case hex. */
  readonly sha256: string;
  /** Without them, the file is opened like any other. */
  readonly facts?: WalletFacts;
}

/** A file that a migration has just written and proved. `sha256`: in lower-case hex. */
export interface ProvedFile {
  readonly sha256: string;
  readonly facts: WalletFacts;
}
