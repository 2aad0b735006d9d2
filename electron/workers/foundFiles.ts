/** The output files of a search in a disk image. Separate from the code that carves, which only threads load. */
import { closeSync, fstatSync, readSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isThere, partPath, refuseTaken, removeParts } from '../files/durableFile.ts';
import { refuseSharedOutput } from '../files/lock/refuseSharedFolder.ts';
import { openToRead } from '../files/openFile.ts';
import { orNull } from '../walletfile/bytes/once.ts';

/**
 * Checks that the folder is writable and private, and removes what a killed search left half-written. Returns its real path, so
 * that a link that replaces the folder later is not followed. Throws AppError.
 */
export function prepareFolder(folder: string): string {
  refuseSharedOutput(folder);
  refuseTaken(partPath(folder));
  removeParts(folder);
  return realpathSync(folder);
}

/** The path for a found wallet: a free name, or the file of an earlier search that is equal to `file` (`wasThere`). */
export function outputSlot(folder: string, file: string | null): { path: string; wasThere: boolean } {
  for (let number = 1; ; number += 1) {
    const path = join(folder, `found-${number}.dat`);
    if (!isThere(path)) return { path, wasThere: false };
    if (file !== null && orNull(() => isEqual(path, file)) === true) return { path, wasThere: true };
  }
}

function isEqual(path: string, other: string): boolean {
  const [one, two] = [openToRead(path), openToRead(other)];
  try {
    const { size } = fstatSync(one);
    if (size !== fstatSync(two).size) return false;
    const [a, b] = [Buffer.alloc(AT_ONCE), Buffer.alloc(AT_ONCE)];
    for (let at = 0; at < size; at += AT_ONCE) {
      const [read, readOther] = [readSync(one, a, 0, AT_ONCE, at), readSync(two, b, 0, AT_ONCE, at)];
      const rest = Math.min(AT_ONCE, size - at);
      if (read !== rest || readOther !== rest || !a.subarray(0, rest).equals(b.subarray(0, rest)))
        return false;
    }
    return true;
  } finally {
    closeSync(one);
    closeSync(two);
  }
}

const AT_ONCE = 1 << 20;
