/** Searches a disk image for wallets that were deleted, and carves each into a file of its own. The image is only read. */
import type { FileHandle } from 'node:fs/promises';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isThere } from '../disk/durableFile.ts';
import { fileError } from '../disk/fileError.ts';
import { openRegularFile } from '../disk/openRegularFile.ts';
import { refuseTaken, writeNewFile } from '../disk/writeNewFile.ts';
import { carveWallet } from '../wallet/rescue/pieces/carveWallet.ts';
import { type FoundWallet, gatherPieces } from '../wallet/rescue/pieces/gatherPieces.ts';
import { type PieceSource, searchPieces } from '../wallet/rescue/pieces/searchPieces.ts';

export interface ImageSearch {
  readonly path: string;
  /** A folder for `found-1.dat` and so on, the first free ones; null: they are only told. */
  readonly folder: string | null;
}

export interface FoundInImage {
  readonly kind: FoundWallet['kind'];
  /** Public keys with a record of a private key. None is proved yet. */
  readonly keys: number;
  readonly encrypted: boolean;
  readonly pages: number;
  /** Where it was written. */
  readonly path: string | null;
}

/** Those with the most keys first. Throws AppError for an image that cannot be read, and as `writeNewFile` does. */
export async function searchImage({ path, folder }: ImageSearch): Promise<FoundInImage[]> {
  // Before hours of reading.
  if (folder !== null) refuseTaken(freePlace(folder));
  try {
    const handle = await openRegularFile(await realpath(path));
    try {
      const source = await sourceOf(handle);
      const { wallets } = await gatherPieces(source, await searchPieces(source));
      const found: FoundInImage[] = [];
      for (const wallet of wallets) {
        const { kind, keys, encrypted, pages, unnumbered } = wallet;
        const place = folder === null ? null : freePlace(folder);
        if (place !== null) await carveInto(place, source, wallet);
        found.push({ kind, keys, encrypted, pages: pages.size + unnumbered.length, path: place });
      }
      return found;
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw fileError(error, path);
  }
}

/** Beside what earlier searches found. */
function freePlace(folder: string): string {
  let number = 1;
  const place = () => join(folder, `found-${number}.dat`);
  while (isThere(place())) number += 1;
  return place();
}

async function sourceOf(handle: FileHandle): Promise<PieceSource> {
  const { size } = await handle.stat();
  return {
    length: size,
    async read(start, end) {
      const bytes = new Uint8Array(end - start);
      for (let at = 0; at < bytes.length; ) {
        const { bytesRead } = await handle.read(bytes, at, bytes.length - at, start + at);
        if (bytesRead === 0) break;
        at += bytesRead;
      }
      return bytes;
    },
  };
}

/** Single records stand behind the pages, where a rescue looks for them too. */
async function carveInto(place: string, source: PieceSource, wallet: FoundWallet): Promise<void> {
  const { file, beside } = await carveWallet(source, wallet);
  writeNewFile(place, Buffer.concat([file, ...beside]));
}
