/** Runs a task of the engine in the calling thread. Threads share the memory that files are read into, so that none copies it. */
import { closeSync, fstatSync, lstatSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import type { WalletPart } from '../../../shared/model/migrationPreview.ts';
import { flushFolder, moveFile, removeQuietly, writeWholeFile } from '../../files/durableFile.ts';
import { systemError } from '../../files/fileError.ts';
import { contentMarkOf } from '../../files/fileMark.ts';
import { sha256Of } from '../../files/hash.ts';
import {
  fillFile,
  hashFileAt,
  type LargeFile,
  openLargeFile,
  withMarkedFile,
} from '../../files/largeFile.ts';
import { fileChangedError, openToRead, realPath } from '../../files/openFile.ts';
import { withJournals, withWallet } from '../../files/readWallet.ts';
import { refuseHotJournal } from '../../files/walletJournals.ts';
import { type ByteSource, sourceOf } from '../../walletfile/bytes/byteSource.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { berkeleyByteOrder, startsLikeSqlite } from '../../walletfile/database/fileStart.ts';
import { checkNewSqlite } from '../../walletfile/database/walletDatabase.ts';
import { unlock } from '../../walletfile/keys/crypter.ts';
import {
  type FileMigrationOptions,
  migrateWalletIn,
  proveKeys,
} from '../../walletfile/migrate/migrateWallet.ts';
import { runReadMethod } from '../methods/walletReadMethods.ts';
import { RpcError } from '../rpc/jsonRpc.ts';
import { type LoadedWallet, openWallet, provedFacts } from '../view/openWallet.ts';
import { listWalletDir } from '../wallets/walletsFolder.ts';
import type {
  MigratedWallets,
  NumberedWallet,
  OnWritten,
  Output,
  ReadFile,
  Task,
  TaskKind,
  Tasks,
} from '../wallets/work.ts';

/** The wallets that this thread has opened, by their numbers. */
export type OpenedWalletCache = Map<number, OpenedWallet>;

interface OpenedWallet {
  readonly loading: Promise<LoadedWallet>;
  /** A file that is too large for memory. It is open during a task only. */
  readonly onDisk: { current: ByteSource | null };
}

/** Throws the errors that `Tasks` names. `onWritten`: see `WorkSignals`. */
export async function doTask<K extends TaskKind>(
  { kind, input }: Task<K>,
  open: OpenedWalletCache,
  onWritten: OnWritten = () => {},
): Promise<Output<K>> {
  return taskRunners[kind](input, open, onWritten);
}

type Doer<K extends TaskKind> = (
  input: Tasks[K]['input'],
  open: OpenedWalletCache,
  onWritten: OnWritten,
) => Output<K> | Promise<Output<K>>;

const taskRunners: { readonly [K in TaskKind]: Doer<K> } = {
  read: ({ path }) => readFile(path, MAX_BYTES, readSharedWallet),
  look: ({ path }) => readFile(path, MAX_SHARED, readShared),
  copy: async ({ from, to, part }) => {
    try {
      await withWallet(from, async ({ content }) => writeWholeFile(part, content), { accepts: 'anything' });
      // A large file that changed while it was read gives an error only at its end.
      moveFile(part, to);
    } catch (error) {
      removeQuietly(part);
      throw error;
    }
    flushFolder(dirname(to));
    return null;
  },
  duplicate: async ({ file, path }) => {
    const sha256 = await withMarkedFile(file, (content) => writeWholeFile(path, content), 0);
    return { sha256, mark: contentMarkOf(lstatSync(path, { bigint: true })) };
  },
  holds: ({ path, sha256 }) => orNull(() => hashFileAt(path)) === sha256,
  list: ({ folder, network }) => listWalletDir(folder, network),
  open: ({ wallet }, open) =>
    withOpened(wallet, open, ({ kind, warnings, encryption, summary, addressBook }) => {
      return { kind, warnings, encryption, summary, addresses: addressBook.length };
    }),
  ask: ({ wallet, question }, open) => withOpened(wallet, open, (opened) => runReadMethod(opened, question)),
  hash: ({ file: { bytes, path } }) => (bytes === null ? hashFileAt(path) : sha256Of(bytes)),
  migrate: ({ file, ...task }, _, onWritten) =>
    withMarkedFile(file, (bytes) => migrate({ ...task, bytes }, onWritten)),
  proveKeys: ({ file, ...task }) =>
    withMarkedFile(file, async (bytes) => {
      await proveKeys({ ...task, bytes });
      return null;
    }),
  check: async ({ path }) => {
    using file = openLargeFile(path, 0);
    try {
      await checkNewSqlite(file);
      return { sha256: file.sha256(), mark: file.mark };
    } catch (error) {
      // SQLite calls a page that it cannot read damaged.
      file.throwError();
      throw error;
    }
  },
  unlock: ({ encryption, passphrase }) => unlock(encryption.masterKeys, encryption.samples, passphrase),
};

async function migrate(
  { files, ...task }: Omit<Tasks['migrate']['input'], 'file'> & Pick<FileMigrationOptions, 'bytes'>,
  onWritten: OnWritten,
): Promise<MigratedWallets> {
  const written = new Map<WalletPart, LargeFile>();
  const create = (part: WalletPart) => {
    const file = fillFile(files[part]);
    const end = () => {
      file.end();
      onWritten(part);
      const content = openLargeFile(files[part], BLOCKS);
      written.set(part, content);
      return content;
    };
    return { write: file.write, end };
  };
  try {
    const migration = await migrateWalletIn(create, task);
    const answerOf = (part: WalletPart) => {
      const [wallet, file] = [migration[part], written.get(part)];
      return wallet && file
        ? { name: wallet.name, sha256: file.sha256(), facts: provedFacts(wallet.records, task.network) }
        : null;
    };
    return {
      primary: answerOf('primary'),
      watchonly: answerOf('watchonly'),
      solvables: answerOf('solvables'),
    };
  } finally {
    for (const file of written.values()) file[Symbol.dispose]();
  }
}

/** The proof reads a new file from its start to its end. */
const BLOCKS = 16;

/** Calls `work` with a wallet that this thread opens once. Throws as `withMarkedFile` does. */
async function withOpened<T>(
  wallet: NumberedWallet,
  open: OpenedWalletCache,
  work: (wallet: LoadedWallet) => T | Promise<T>,
): Promise<T> {
  const { id, file } = wallet;
  let isOpened = false;
  try {
    return await withMarkedFile(file, async (content) => {
      const known = open.get(id);
      const onDisk = known?.onDisk ?? { current: null };
      onDisk.current = sourceOf(content);
      try {
        const bytes = file.bytes ?? sourceWhileOpen(file.size, onDisk);
        const loading =
          known?.loading ?? openWallet({ ...wallet, bytes, isProved: wallet.facts !== undefined });
        open.set(id, { loading, onDisk });
        const opened = await loading;
        isOpened = true;
        return await work(opened);
      } finally {
        onDisk.current = null;
      }
    });
  } catch (error) {
    // After a disk error, the cached wallet may lack records that a parser took for damaged.
    if (!isOpened || !(error instanceof RpcError)) open.delete(id);
    throw error;
  }
}

/** A file that is open only during a task, so that no program has to wait for the engine to close it. */
function sourceWhileOpen(size: number, onDisk: OpenedWallet['onDisk']): ByteSource {
  const read = (offset: number, length: number) => {
    if (onDisk.current === null) throw fileChangedError();
    return onDisk.current.read(offset, length);
  };
  return { size, inMemory: null, read };
}

/** `read`: reads it into memory, unless it has more than `most` bytes. Throws AppError `beyond_limits` for a journal of a larger file. */
async function readFile(
  path: string,
  most: number,
  read: (path: string) => Uint8Array | Promise<Uint8Array>,
): Promise<ReadFile> {
  using file = openLargeFile(path);
  const { size } = file;
  const bytes = size > most ? null : await read(path);
  const start = bytes?.subarray(0, FIRST_BYTES) ?? file.read(0, FIRST_BYTES);
  if (bytes === null && startsLikeSqlite(start)) refuseHotJournal(path);
  return { path, size: bytes?.length ?? size, mark: file.stateNow(), start, bytes };
}

/** A wallet file with its journal applied. Throws as `readShared` does, and AppError as `readWallet` does. */
async function readSharedWallet(path: string): Promise<Uint8Array> {
  const { bytes, recovered } = await withJournals(await realPath(path), () => readShared(path));
  if (!recovered) return bytes;
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

/**
 * A whole wallet file, up to its size when it was opened; of any other file only the first 4096 bytes. Throws as `openToRead` does, and
 * EFBIG for a wallet larger than 2 GiB.
 */
export function readShared(path: string): Uint8Array {
  const file = openToRead(path);
  try {
    const { size } = fstatSync(file);
    const first = readTo(file, Math.min(size, FIRST_BYTES));
    if (berkeleyByteOrder(first) === null && !startsLikeSqlite(first)) return first;
    if (size > MAX_BYTES) throw systemError('EFBIG');
    return readTo(file, size);
  } finally {
    closeSync(file);
  }
}

const FIRST_BYTES = 4096;
const MAX_BYTES = 2 ** 31;
/** Bytes. A file that is read from its disk takes longer, and needs memory only for its short records. */
const MAX_SHARED = 2 ** 28;

function readTo(file: number, size: number): Uint8Array {
  const bytes = new Uint8Array(new SharedArrayBuffer(size));
  let filled = 0;
  for (let read = -1; filled < bytes.length && read !== 0; filled += read) {
    read = readSync(file, bytes, filled, bytes.length - filled, filled);
  }
  return bytes.subarray(0, filled);
}
