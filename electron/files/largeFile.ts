/** Reads and writes files that are too large for memory, a piece at a time. */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, readSync, writeSync } from 'node:fs';
import type { ByteSource, FileBytes } from '../walletfile/bytes/byteSource.ts';
import { contentMarkOf, stateMarkOf } from './fileMark.ts';
import { fileChangedError, openToFill, openToRead } from './openFile.ts';

export interface LargeFile extends ByteSource, Disposable {
  readonly inMemory: null;
  /** When it was opened: see `contentMarkOf`. */
  readonly mark: string;
  /** Identifies its state at the call, see `stateMarkOf`. */
  readonly stateNow: () => string;
  /** SHA-256 of the whole file in lower-case hex. Reads it from start to end. */
  readonly sha256: () => string;
  /** Throws the first error of a read again: its caller may have taken it for damage. */
  readonly throwError: () => void;
}

/**
 * Opens a file with its present size, even if it grows. The caller closes it. Throws as `openToRead` does. `read` throws the system's
 * error, and AppError `file_changed` if the file has become shorter. `blocks`: how many blocks of 64 KiB it keeps; with 0,
 * the bytes of a read of up to 64 KiB are there until the next one only.
 */
export function openLargeFile(
  path: string,
  blocks = BLOCKS,
  options: { readonly own?: boolean } = {},
): LargeFile {
  const file = openToRead(path, options);
  const facts = fstatSync(file, { bigint: true });
  const size = Number(facts.size);
  const kept = new Map<number, Uint8Array>();
  const latest = new Uint8Array(blocks === 0 ? BLOCK : 0);
  let failed: { error: unknown } | null = null;

  function fill(into: Uint8Array, offset: number): Uint8Array {
    try {
      for (let at = 0; at < into.length; ) {
        const count = readSync(file, into, at, into.length - at, offset + at);
        if (count === 0) throw fileChangedError();
        at += count;
      }
      return into;
    } catch (error) {
      failed ??= { error };
      throw error;
    }
  }

  /** A block by its number. Drops the one that was used longest ago to make room. */
  function block(number: number): Uint8Array {
    const known = kept.get(number);
    const found = known ?? fill(new Uint8Array(Math.min(BLOCK, size - number * BLOCK)), number * BLOCK);
    if (known) kept.delete(number);
    kept.set(number, found);
    const [oldest = number] = kept.keys();
    if (kept.size > blocks) kept.delete(oldest);
    return found;
  }

  return {
    size,
    inMemory: null,
    mark: contentMarkOf(facts),
    stateNow: () => stateMarkOf(fstatSync(file, { bigint: true })),
    read(offset, wanted) {
      const length = Math.max(0, Math.min(wanted, size - offset));
      if (blocks === 0 && length <= BLOCK) return fill(latest.subarray(0, length), offset);
      const first = Math.floor(offset / BLOCK);
      const start = offset - first * BLOCK;
      if (start + length > BLOCK) return fill(new Uint8Array(length), offset);
      if (length === 0) return new Uint8Array();
      const bytes = block(first);
      // A page is needed only briefly. A record may be kept, and as a view it would keep the whole block in memory.
      return length < MIN_PAGE_SIZE
        ? bytes.slice(start, start + length)
        : bytes.subarray(start, start + length);
    },
    sha256() {
      const hash = createHash('sha256');
      const piece = new Uint8Array(Math.min(PIECE, size));
      for (let at = 0; at < size; at += PIECE) hash.update(fill(piece.subarray(0, size - at), at));
      return hash.digest('hex');
    },
    throwError() {
      if (failed) throw failed.error;
    },
    [Symbol.dispose]: () => closeSync(file),
  };
}

/** SHA-256 of a file in lower-case hex. Throws as `openToRead` does, and as `LargeFile.read`. */
export function hashFileAt(path: string, options?: { readonly own?: boolean }): string {
  using file = openLargeFile(path, 0, options);
  return file.sha256();
}

/** A file in one state. */
export interface MarkedFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** See `stateMarkOf`. */
  readonly mark: string;
  /** Its content, unless it is too large for memory. */
  readonly bytes: Uint8Array | null;
}

/**
 * Calls `work` with the content of a file, read from its disk if it is too large for memory. `blocks`: see `openLargeFile`. Throws
 * AppError `file_changed` if the file on the disk has another mark before or after that, else what `work` throws, and the system's error.
 */
export async function withMarkedFile<T>(
  { path, mark, bytes }: MarkedFile,
  work: (content: FileBytes) => T | Promise<T>,
  blocks = BLOCKS,
): Promise<T> {
  if (bytes !== null) return work(bytes);
  using file = openLargeFile(path, blocks);
  const refuseChanged = () => {
    if (file.stateNow() !== mark) throw fileChangedError();
  };
  refuseChanged();
  try {
    return await work(file);
  } finally {
    // A parser may have mistaken an error of reading, or a change, for damage.
    file.throwError();
    refuseChanged();
  }
}

/**
 * Opens a file of `createFile` to write it in parts. `end` flushes and closes it. All throw the system's error. A file that has
 * disappeared since is not created again: another folder may be in the place of its folder.
 */
export function fillFile(path: string) {
  const file = openToFill(path);
  const piece = new Uint8Array(PIECE);
  let [start, size] = [0, 0];
  const writePiece = () => {
    try {
      for (let at = 0; at < size; ) at += writeSync(file, piece, at, size - at, start + at);
      start += size;
      size = 0;
    } catch (error) {
      closeSync(file);
      throw error;
    }
  };
  return {
    /** `bytes`: at most 1 MiB. */
    write(bytes: Uint8Array, offset: number): void {
      if (offset !== start + size || size + bytes.length > PIECE) writePiece();
      if (size === 0) start = offset;
      piece.set(bytes, size);
      size += bytes.length;
    },
    end(): void {
      writePiece();
      fsyncSync(file);
      closeSync(file);
    },
  };
}

/** Bytes. */
const BLOCK = 2 ** 16;
const BLOCKS = 256;
const MIN_PAGE_SIZE = 512;
const PIECE = 2 ** 20;
