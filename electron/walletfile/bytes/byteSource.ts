/** The bytes of a file, in memory or, if it is too large for that, on a disk. */
import { createView } from '@noble/hashes/utils.js';

export interface ByteSource {
  /** Bytes. */
  readonly size: number;
  /** All bytes, if they are in memory. */
  readonly inMemory: Uint8Array | null;
  /** The bytes from an offset on, fewer than `length` only at the end. They never change. May throw the system's error. */
  read(offset: number, length: number): Uint8Array;
  /** Throws what reading threw first: those who asked for the bytes may have taken it for damage. Absent if reading never throws. */
  readonly throwError?: () => void;
}

export type FileBytes = Uint8Array | ByteSource;

export function sourceOf(file: FileBytes): ByteSource {
  if (!(file instanceof Uint8Array)) return file;
  // Views of a Buffer are Buffers, which take longer to create. Records must be plain byte arrays.
  const bytes = new Uint8Array(file.buffer, file.byteOffset, file.byteLength);
  const read = (offset: number, length: number) => bytes.subarray(offset, offset + length);
  return { size: bytes.length, inMemory: bytes, read };
}

/** The bytes of one page, which lie at an offset of a larger array if the whole file is in memory. */
export interface PlacedPage {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** The offset of the page in `bytes`. */
  readonly start: number;
}

/** Returns a function that gives a page by its number, from 0 on. The page must be within the file. `size`: of a page, in bytes. */
export function pageReader({ inMemory, read }: ByteSource, size: number): (page: number) => PlacedPage {
  if (inMemory !== null) {
    const view = createView(inMemory);
    return (page) => ({ bytes: inMemory, view, start: page * size });
  }
  let latest: PlacedPage | null = null;
  let number = -1;
  return (page) => {
    if (latest === null || number !== page) {
      const bytes = read(page * size, size);
      latest = { bytes, view: createView(bytes), start: 0 };
      number = page;
    }
    return latest;
  };
}
