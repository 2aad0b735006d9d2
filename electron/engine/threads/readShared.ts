/** Reads a file into memory that threads share: handing it to one takes neither time nor the same memory again. */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { openToRead } from '../../disk/openFile.ts';
import { berkeleyByteOrder, startsLikeSqlite } from '../../wallet/database/fileStart.ts';

/** The whole file, as long as it was when it was opened. Throws as `openToRead` does. */
export function readShared(path: string): Uint8Array {
  const file = openToRead(path);
  try {
    return readTo(file, fstatSync(file).size);
  } finally {
    closeSync(file);
  }
}

/**
 * The same of a wallet; of a file that begins as none, however large, its beginning alone, which tells that as well.
 * Throws EFBIG for one that is larger than 2 GiB.
 */
export function readSharedWallet(path: string): Uint8Array {
  const file = openToRead(path);
  try {
    const { size } = fstatSync(file);
    const first = readTo(file, Math.min(size, FIRST_BYTES));
    if (first.length === size || (berkeleyByteOrder(first) === null && !startsLikeSqlite(first)))
      return first;
    if (size > MOST_BYTES) throw Object.assign(new Error('too large'), { code: 'EFBIG' });
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
