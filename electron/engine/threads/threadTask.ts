/** Runs a task of the engine in the calling thread. Threads share the memory that files are read into, so that none copies it. */
import { closeSync, fstatSync, lstatSync, readSync } from 'node:fs';
import type { WalletPart } from '../../../shared/model/migrationPreview.ts';
import { placeFile, writeWholeFile } from '../../files/durableFile.ts';
import { systemError } from '../../files/fileError.ts';
import { contentMarkOf } from '../../files/fileMark.ts';
import { sha256Of } from '../../files/hash.ts';
import { fillFile, type LargeFile, openLargeFile } from '../../files/largeFile.ts';
import { openToRead, realPath } from '../../files/openFile.ts';
import { withJournals } from '../../files/readWallet.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { berkeleyByteOrder, startsLikeSqlite } from '../../walletfile/database/fileStart.ts';
import { checkNewSqlite } from '../../walletfile/database/walletDatabase.ts';
import { unlock } from '../../walletfile/keys/crypter.ts';
import { migrateWalletIn, proveKeys } from '../../walletfile/migrate/migrateWallet.ts';
import { runReadMethod } from '../methods/walletReadMethods.ts';
import { type LoadedWallet, openWallet, provedFacts } from '../view/openWallet.ts';
import { listWalletDir } from '../wallets/walletsFolder.ts';
import type { NumberedWallet, OnWritten, Output, Task, TaskKind, Tasks } from '../wallets/work.ts';

/** The wallets that this thread has opened, by their numbers. */
export type OpenedWalletCache = Map<number, Promise<LoadedWallet>>;

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
  read: ({ path }) => readSharedWallet(path),
  write: ({ path, bytes }) => {
    const sha256 = writeWholeFile(path, bytes);
    return { sha256, mark: contentMarkOf(lstatSync(path, { bigint: true })) };
  },
  copy: async ({ from, to, part }) => {
    const { bytes } = await withJournals(await realPath(from), () => readShared(from));
    placeFile(to, bytes, part);
    return null;
  },
  holds: ({ path, bytes }) => orNull(() => hasBytes(path, bytes)) ?? false,
  list: ({ folder, network }) => listWalletDir(folder, network),
  open: async ({ wallet }, open) => {
    const { kind, warnings, encryption, summary, addressBook } = await openOnce(wallet, open);
    return { kind, warnings, encryption, summary, addresses: addressBook.length };
  },
  ask: async ({ wallet, question }, open) => runReadMethod(await openOnce(wallet, open), question),
  hash: ({ bytes }) => sha256Of(bytes),
  migrate: async ({ files, ...task }, _, onWritten) => {
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
      for (const file of written.values()) file.close();
    }
  },
  proveKeys: async (task) => {
    await proveKeys(task);
    return null;
  },
  check: async ({ path }) => {
    const file = openLargeFile(path, 0);
    try {
      await checkNewSqlite(file);
      return { sha256: file.sha256(), mark: file.mark };
    } catch (error) {
      // SQLite calls a page that it cannot read damaged.
      file.throwError();
      throw error;
    } finally {
      file.close();
    }
  },
  unlock: ({ encryption, passphrase }) => unlock(encryption.masterKeys, encryption.samples, passphrase),
};

/** The proof reads a new file from its start to its end. */
const BLOCKS = 16;

function openOnce(wallet: NumberedWallet, open: OpenedWalletCache): Promise<LoadedWallet> {
  const { id } = wallet;
  const known = open.get(id);
  if (known) return known;
  const opening = openWallet({ ...wallet, isProved: wallet.facts !== undefined });
  open.set(id, opening);
  opening.catch(() => open.delete(id));
  return opening;
}

/** A wallet file with its journal applied. Throws as `readShared` does, and AppError as `readWallet` does. */
async function readSharedWallet(path: string): Promise<Uint8Array> {
  const { bytes, recovered } = await withJournals(await realPath(path), () => readShared(path, 'wallet'));
  if (!recovered) return bytes;
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

/**
 * The whole file, up to its size when it was opened. For a `wallet` whose first bytes are not those of a wallet, returns
 * only the first 4096 bytes. Throws as `openToRead` does, and EFBIG for a wallet larger than 2 GiB.
 */
export function readShared(path: string, as: 'file' | 'wallet' = 'file'): Uint8Array {
  const file = openToRead(path);
  try {
    const { size } = fstatSync(file);
    if (as === 'file') return readTo(file, size);
    const first = readTo(file, Math.min(size, FIRST_BYTES));
    if (berkeleyByteOrder(first) === null && !startsLikeSqlite(first)) return first;
    if (size > MAX_BYTES) throw systemError('EFBIG');
    return readTo(file, size);
  } finally {
    closeSync(file);
  }
}

/** Whether a file has exactly these bytes. Reads it in pieces: a second copy of a large wallet would take too much memory. */
function hasBytes(path: string, bytes: Uint8Array): boolean {
  const file = openToRead(path);
  try {
    if (fstatSync(file).size !== bytes.length) return false;
    const piece = new Uint8Array(Math.min(bytes.length, PIECE_BYTES));
    for (let at = 0; at < bytes.length; ) {
      const read = readSync(file, piece, 0, piece.length, at);
      if (read === 0 || Buffer.compare(piece.subarray(0, read), bytes.subarray(at, at + read)) !== 0)
        return false;
      at += read;
    }
    return true;
  } finally {
    closeSync(file);
  }
}

const PIECE_BYTES = 2 ** 20;
const FIRST_BYTES = 4096;
const MAX_BYTES = 2 ** 31;

function readTo(file: number, size: number): Uint8Array {
  const bytes = new Uint8Array(new SharedArrayBuffer(size));
  let filled = 0;
  for (let read = -1; filled < bytes.length && read !== 0; filled += read) {
    read = readSync(file, bytes, filled, bytes.length - filled, filled);
  }
  return bytes.subarray(0, filled);
}
