/** Tasks that search a disk image for deleted wallets, one part at a time, and carve each wallet into a file. */
import { open, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FileError, failureOf } from '../../shared/model/findings/fileError.ts';
import type { ImageSearchResult } from '../../shared/model/searches.ts';
import { flushFolder, moveFile, partPath, pathExists, removeQuietly } from '../files/durableFile.ts';
import { fileError, writeError } from '../files/fileError.ts';
import { hashFile } from '../files/hash.ts';
import { refuseSharedOutput } from '../files/lock/refuseSharedFolder.ts';
import { type OpenFolder, openFolder } from '../files/openFolder.ts';
import { type CarvedFile, carveWallet, gatherPieces } from '../recovery/carving/gatherPieces.ts';
import { type PieceSearch, type PieceSource, searchPieces } from '../recovery/carving/searchPieces.ts';
import { once } from '../walletfile/bytes/once.ts';
import { type ImageSource, openImage } from './imageSource.ts';

interface ScanRequest {
  readonly path: string;
  /** The findings before this part; null for the first part. */
  readonly from: PieceSearch | null;
  /** The least size of the part. */
  readonly bytes: number;
}

/**
 * Returns all findings so far, and in bytes the image's length and what was unreadable in this part. Throws AppError for an
 * unreadable image.
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
  /** The real path of the folder for `found-1.dat` and so on, under free names; null to write nothing. */
  readonly folder: string | null;
}

/** Throws AppError as `scanImage` does. If one wallet cannot be written, the others still are. */
export function carveImage({
  path,
  search,
  folder,
}: CarveRequest): Promise<Omit<ImageSearchResult, 'unread'>> {
  return withImage(path, async (image) => {
    const { wallets, unassigned } = await gatherPieces(image, search);
    const found: ImageSearchResult['wallets'] = [];
    let left = mostWritten(image.length);
    for (const wallet of wallets) {
      const { kind, keys, encrypted, pages, unnumbered } = wallet;
      const facts = { kind, keys, encrypted, pages: pages.size + unnumbered.length };
      const file = carveWallet(image, wallet);
      const fits = file.size <= left;
      if (folder !== null && fits) left -= file.size;
      const carve = (into: string) =>
        fits ? carveIntoFolder(into, image, file).catch(failed) : failed(noRoomError(image.length));
      found.push({ ...facts, ...(folder === null ? UNWRITTEN : await carve(folder)) });
    }
    // Unplaced pieces without a master key name no key.
    const leftOver = search.full || unassigned.some(({ masterKeys }) => masterKeys > 0);
    return { wallets: found, leftOver };
  });
}

type CarvedWallet = Pick<ImageSearchResult['wallets'][number], 'path' | 'wasThere' | 'error'>;

const UNWRITTEN: CarvedWallet = { path: null, wasThere: false, error: null };

function failed(error: unknown): CarvedWallet {
  return { ...UNWRITTEN, error: failureOf(error) };
}

async function withImage<T>(path: string, work: (image: ImageSource) => Promise<T>): Promise<T> {
  try {
    await using image = await openImage(path);
    return await work(image);
  } catch (error) {
    throw fileError(error, path);
  }
}

/**
 * The most bytes that all carved files of an image may have together. Their pages lie in the image; lost pages between them are
 * holes, which take no space on most disks.
 */
function mostWritten(length: number): number {
  return 4 * length + (64 << 20);
}

function noRoomError(length: number): FileError {
  return new FileError('beyond_limits', { code: 'image_output_too_large', bytes: mostWritten(length) });
}

async function carveIntoFolder(folder: string, source: PieceSource, file: CarvedFile): Promise<CarvedWallet> {
  // Hours may have passed since the first check.
  refuseSharedOutput(folder);
  try {
    await using opened = await openFolder(folder);
    return await carveIntoOpenFolder(opened, { folder, source, file });
  } catch (error) {
    throw writeError(error, (await outputSlot(folder, null)).path);
  }
}

/** All steps go through the open folder. `folder` is its path for the result. */
async function carveIntoOpenFolder(
  opened: OpenFolder,
  { folder, source, file }: { folder: string; source: PieceSource; file: CarvedFile },
): Promise<CarvedWallet> {
  const part = await opened.at(basename(partPath(folder)));
  try {
    await writePieces(part, source, file);
    const { path, wasThere } = await outputSlot(dirname(part), part);
    // After a crash, half a file must not look like a wallet.
    if (!wasThere) moveFile(part, path);
    // Throws if the folder's path, which the user sees, now leads elsewhere.
    flushFolder(await opened.at('.'));
    return { path: join(folder, basename(path)), wasThere, error: null };
  } finally {
    removeQuietly(part);
  }
}

/** The path for a found wallet: a free name, or the file of an earlier search that is equal to `file` (`wasThere`). */
async function outputSlot(folder: string, file: string | null): Promise<{ path: string; wasThere: boolean }> {
  const isEqual = file === null ? async () => false : await equalTo(file);
  for (let number = 1; ; number += 1) {
    const path = join(folder, `found-${number}.dat`);
    if (!pathExists(path)) return { path, wasThere: false };
    if (await isEqual(path).catch(() => false)) return { path, wasThere: true };
  }
}

/** A comparison of other files with this one, which is read at most once. */
async function equalTo(file: string): Promise<(path: string) => Promise<boolean>> {
  const { size } = await stat(file);
  const hash = once(() => hashFile(file));
  return async (path) => (await stat(path)).size === size && (await hashFile(path)) === (await hash());
}

/** Writes and flushes a new file with holes for lost pages. Holds one piece at a time in memory. */
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
