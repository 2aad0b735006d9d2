/** Jobs that search a disk image for wallets that were deleted, a part at a time, and carve each into a file of its own. */
import { errorShapeOf } from '../../shared/errors.ts';
import type { ImageFound } from '../../shared/search/searches.ts';
import { placeFile } from '../disk/durableFile.ts';
import { fileError, writeError } from '../disk/fileError.ts';
import { refuseSharedOutput } from '../disk/lock/refuseSharedFolder.ts';
import { carveWallet } from '../wallet/rescue/pieces/carveWallet.ts';
import { gatherPieces } from '../wallet/rescue/pieces/gatherPieces.ts';
import type { FoundWallet } from '../wallet/rescue/pieces/pieceGroup.ts';
import { type PieceSearch, type PieceSource, searchPieces } from '../wallet/rescue/pieces/searchPieces.ts';
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
  /** A folder for `found-1.dat` and so on, the first free ones, none twice; null: they are only told. */
  readonly folder: string | null;
}

/** Throws AppError as `scanImage` does. One wallet that cannot be written keeps no other back. */
export function carveImage({ path, search, folder }: CarveRequest): Promise<Omit<ImageFound, 'unread'>> {
  return withImage(path, async (image) => {
    const { wallets, unplaced } = await gatherPieces(image, search);
    const found: ImageFound['wallets'] = [];
    for (const wallet of wallets) {
      const { kind, keys, encrypted, pages, unnumbered } = wallet;
      const told = { kind, keys, encrypted, pages: pages.size + unnumbered.length };
      const carved = folder === null ? UNWRITTEN : await carveInto(folder, image, wallet).catch(failed);
      found.push({ ...told, ...carved });
    }
    // Other pieces that could not be placed name no key.
    const leftOver = search.full || unplaced.some(({ masterKeys }) => masterKeys > 0);
    return { wallets: found, leftOver };
  });
}

type Carved = Pick<ImageFound['wallets'][number], 'path' | 'wasThere' | 'error'>;

const UNWRITTEN: Carved = { path: null, wasThere: false, error: null };

function failed(error: unknown): Carved {
  return { ...UNWRITTEN, error: errorShapeOf(error) };
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

async function carveInto(folder: string, source: PieceSource, wallet: FoundWallet): Promise<Carved> {
  const bytes = await carveWallet(source, wallet);
  // Hours may have passed since the first look.
  refuseSharedOutput(folder);
  const { path, wasThere } = placeFor(folder, bytes);
  try {
    // Half a wallet, as a crash leaves it, must not look like one.
    if (!wasThere) placeFile(path, bytes);
  } catch (error) {
    throw writeError(error, path);
  }
  return { path, wasThere, error: null };
}
