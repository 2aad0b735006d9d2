/** The bytes of a file, in memory or, if it is too large for that, on a disk. */
import { createView } from '@noble/hashes/utils.js';

export interface ByteSource {
  /** Bytes. */
  readonly size: number;
  /** All bytes, if they are in memory. */
  readonly inMemory: Uint8Array | null;
  /** The bytes from an offset on, fewer than `length` only at the end. They never change. May throw the system's error. */
  read(offset: number, length: number): Uint8Array;
  /** Rethrows the first error of reading, which a parser may have mistaken for damage. Absent if reading never throws. */
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

/** The part of a file between two offsets. */
export function partOf(source: ByteSource, start: number, end: number): ByteSource {
  if (source.inMemory !== null) return sourceOf(source.inMemory.subarray(start, end));
  const size = Math.max(0, Math.min(end, source.size) - start);
  const read = (offset: number, length: number) =>
    source.read(start + offset, Math.min(length, Math.max(0, size - offset)));
  return { size, inMemory: null, read };
}

/** A file of equal pages that `pageAt` makes when they are read. Keeps the latest page. `pageSize`: in bytes. */
export function sourceOfPages(
  count: number,
  pageSize: number,
  pageAt: (page: number) => Uint8Array,
): ByteSource {
  const size = count * pageSize;
  let latest = new Uint8Array();
  let number = -1;
  return {
    size,
    inMemory: null,
    read(offset, length) {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
      for (let at = 0; at < bytes.length; ) {
        const page = Math.floor((offset + at) / pageSize);
        const from = offset + at - page * pageSize;
        if (page !== number) latest = Uint8Array.from(pageAt(page));
        number = page;
        const part = latest.subarray(from, from + bytes.length - at);
        bytes.set(part, at);
        at += part.length;
      }
      return bytes;
    },
  };
}

/**
 * Returns a function that copies bytes of a file on a disk, because a view would keep the whole piece in memory. It returns bytes of a
 * file in memory as they are.
 */
export function copierOf(file: FileBytes): (part: Uint8Array) => Uint8Array {
  return sourceOf(file).inMemory === null ? (part) => part.slice() : (part) => part;
}

/** Bytes of a file for a search, which looks for what starts between the offsets `from` and `to`. */
interface Piece {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/** Yields a file in memory as one piece, and else pieces that overlap by `margin` bytes on both sides. */
export function* piecesToSearch(file: FileBytes, margin: number): Generator<Piece> {
  const { size, inMemory, read } = sourceOf(file);
  if (inMemory !== null) {
    yield { bytes: inMemory, from: 0, to: size };
    return;
  }
  for (let at = 0; at < size; at += PIECE) {
    const start = Math.max(0, at - margin);
    const to = Math.min(size, at + PIECE) - start;
    yield { bytes: read(start, to + margin), from: at - start, to };
  }
}

/** Bytes. */
const PIECE = 2 ** 24;
