/** Reads a file into memory that threads share, so that passing it to a thread copies nothing. */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { openToRead } from '../../files/openFile.ts';
import { withJournals } from '../../files/readWallet.ts';
import { systemError } from '../../files/systemCode.ts';
import { berkeleyByteOrder, startsLikeSqlite } from '../../walletfile/database/fileStart.ts';

/** A wallet file with its journal applied. Throws as `readShared` does, and AppError as `readWallet` does. */
export async function readSharedWallet(path: string): Promise<Uint8Array> {
  const { bytes, recovered } = await withJournals(await realpath(path), () => readShared(path, 'wallet'));
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
    if (size > MOST_BYTES) throw systemError('EFBIG');
    return readTo(file, size);
  } finally {
    closeSync(file);
  }
}

const FIRST_BYTES = 4096;
const MOST_BYTES = 2 ** 31;

function readTo(file: number, size: number): Uint8Array {
  const bytes = new Uint8Array(new SharedArrayBuffer(size));
  let filled = 0;
  for (let read = -1; filled < bytes.length && read !== 0; filled += read) {
    read = readSync(file, bytes, filled, bytes.length - filled, filled);
  }
  return bytes.subarray(0, filled);
}
