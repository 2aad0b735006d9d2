/** Reads a file into memory that threads share: handing it to one takes neither time nor the same memory again. */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { openToRead } from '../../disk/openFile.ts';

/** The whole file, as long as it was when it was opened. Throws as `openToRead` does. */
export function readShared(path: string): Uint8Array {
  const file = openToRead(path);
  try {
    const bytes = new Uint8Array(new SharedArrayBuffer(fstatSync(file).size));
    let filled = 0;
    for (let read = -1; filled < bytes.length && read !== 0; filled += read) {
      read = readSync(file, bytes, filled, bytes.length - filled, filled);
    }
    return bytes.subarray(0, filled);
  } finally {
    closeSync(file);
  }
}
