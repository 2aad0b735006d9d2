/** Tasks that search a disk image for wallets that were deleted, a part at a time, and carve each into a file of its own. */
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FileError, failureOf } from '../../shared/model/findings/fileError.ts';
import type { ImageFound } from '../../shared/model/search/searches.ts';
import { flushFolder, moveFile, partPath, removeQuietly } from '../files/durableFile.ts';
import { fileError, writeError } from '../files/fileError.ts';
import { refuseSharedOutput } from '../files/lock/refuseSharedFolder.ts';
import { type OpenFolder, openFolder, withFolder } from '../files/openFolder.ts';
import { type CarvedFile, carveWallet, gatherPieces } from '../recovery/carving/gatherPieces.ts';
import { type PieceSearch, type PieceSource, searchPieces } from '../recovery/carving/searchPieces.ts';
import { placeFor } from './foundFiles.ts';
import { type ImageSource, openImage } from './imageSource.ts';

interface ScanRequest {
  readonly path: string;
  /** What was found before this part; null at the beginning. */
  readonly from: PieceSearch | null;
  /** How much to look at, at least. */
  readonly bytes: number;
}

/**
 * Gives all that was found so far, the image's length and what could not be read of this part, both in bytes. Throws
 * AppError for an image that cannot be read.
 */
export function scanImage({ path, from, bytes }: ScanRequest) {
  return withImage(path, async (image) => {
    const search = await searchPieces(image, from, (from?.at ?? 0) + bytes);
    return { search, length: image.length, unread: image.unread() };
  });
}

interface CarveRequest {
  readonly path: string;
  readonly search: PieceSearch;
  /** The real path of a folder for `found-1.dat` and so on, the first free ones, none twice; null: they are only told. */
  readonly folder: string | null;
}

/** Throws AppError as `scanImage` does. One wallet that cannot be written keeps no other back. */
export function carveImage({ path, search, folder }: CarveRequest): Promise<Omit<ImageFound, 'unread'>> {
  return withImage(path, async (image) => {
    const { wallets, unplaced } = await gatherPieces(image, search);
    const found: ImageFound['wallets'] = [];
    let room = mostWritten(image.length);
    for (const wallet of wallets) {
      const { kind, keys, encrypted, pages, unnumbered } = wallet;
      const told = { kind, keys, encrypted, pages: pages.size + unnumbered.length };
      const file = carveWallet(image, wallet);
      const fits = file.size <= room;
      if (folder !== null && fits) room -= file.size;
      const carve = (into: string) =>
        fits ? carveInto(into, image, file).catch(failed) : failed(noRoom(image.length));
      found.push({ ...told, ...(folder === null ? UNWRITTEN : await carve(folder)) });
    }
    // Other pieces that could not be placed name no key.
    const leftOver = search.full || unplaced.some(({ masterKeys }) => masterKeys > 0);
    return { wallets: found, leftOver };
  });
}

type Carved = Pick<ImageFound['wallets'][number], 'path' | 'wasThere' | 'error'>;

const UNWRITTEN: Carved = { path: null, wasThere: false, error: null };

function failed(error: unknown): Carved {
  return { ...UNWRITTEN, error: failureOf(error) };
}

async function withImage<T>(path: string, work: (image: ImageSource) => Promise<T>): Promise<T> {
  try {
    const image = await openImage(path);
    try {
      return await work(image);
    } finally {
      await image.close();
    }
  } catch (error) {
    throw fileError(error, path);
  }
}

/**
 * Bytes of all the files together that come of an image. What is found lies in the image, and lost pages between are
 * zeros, which take no room on most disks.
 */
function mostWritten(length: number): number {
  return 4 * length + (64 << 20);
}

function noRoom(length: number): FileError {
  return new FileError('beyond_limits', { code: 'image_output_too_large', bytes: mostWritten(length) });
}

async function carveInto(folder: string, source: PieceSource, file: CarvedFile): Promise<Carved> {
  // Hours may have passed since the first look.
  refuseSharedOutput(folder);
  try {
    return await withFolder(await openFolder(folder), (held) => carveIn(held, { folder, source, file }));
  } catch (error) {
    throw writeError(error, placeFor(folder, null).path);
  }
}

/** All steps go through the open folder. `folder` is its path for the result. */
async function carveIn(
  held: OpenFolder,
  { folder, source, file }: { folder: string; source: PieceSource; file: CarvedFile },
): Promise<Carved> {
  const part = await held.at(basename(partPath(folder)));
  try {
    await writePieces(part, source, file);
    const { path, wasThere } = placeFor(dirname(part), part);
    // Half a wallet, as a crash leaves it, must not look like one.
    if (!wasThere) moveFile(part, path);
    // Throws if the folder's path, which the user is told, now leads elsewhere.
    flushFolder(await held.at('.'));
    return { path: join(folder, basename(path)), wasThere, error: null };
  } finally {
    removeQuietly(part);
  }
}

/** A new file, flushed, with holes where there are zeros. One piece at a time is in memory. */
async function writePieces(path: string, source: PieceSource, { size, pieces }: CarvedFile): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  for (const { at, start, end } of pieces) {
    const bytes = await source.read(start, end);
    for (let written = 0; written < bytes.length; )
      written += (await file.write(bytes, written, bytes.length - written, at + written)).bytesWritten;
  }
  await file.truncate(size);
  await file.sync();
}
