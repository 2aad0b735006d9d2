/** The files that wallets found in a disk image are put into: without the code that carves, which only threads load. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isThere, removeParts } from '../disk/durableFile.ts';
import { refuseSharedOutput } from '../disk/lock/refuseSharedFolder.ts';
import { readWhole } from '../disk/openFile.ts';
import { refuseTaken } from '../disk/writeNewFile.ts';
import { orNull } from '../wallet/bytes/once.ts';

/**
 * Makes a folder ready, without what a search that was killed left half-made. Throws AppError where nothing can be
 * written, and where others could change what is written or lead it elsewhere.
 */
export function readyFolder(folder: string): void {
  refuseSharedOutput(folder);
  refuseTaken(placeFor(folder, null).path);
  removeParts(folder);
}

/** Where a found wallet goes: beside what earlier searches found, or the file of that which holds these very bytes. */
export function placeFor(folder: string, bytes: Buffer | null): { path: string; wasThere: boolean } {
  for (let number = 1; ; number += 1) {
    const path = join(folder, `found-${number}.dat`);
    if (!isThere(path)) return { path, wasThere: false };
    if (bytes !== null && holds(path, bytes)) return { path, wasThere: true };
  }
}

function holds(path: string, bytes: Buffer): boolean {
  return orNull(() => statSync(path).size === bytes.length && readWhole(path).equals(bytes)) === true;
}
