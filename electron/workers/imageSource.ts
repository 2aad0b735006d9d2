/** Reads disk images, devices and folders of fragments as one stream of bytes. Counts unreadable bytes and gives zeros for them. */
import type { Stats } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode, systemError } from '../files/fileError.ts';
import { inspectFile } from '../files/inspect.ts';
import { OPEN_TO_READ, openRegularFile, realPath } from '../files/openFile.ts';
import { readWallet } from '../files/readWallet.ts';
import { journalsBeside } from '../files/walletJournals.ts';
import { SECTOR_SIZE } from '../recovery/salvage/berkeleyPages.ts';

export type ImageSource = Awaited<ReturnType<typeof openImage>>;

/**
 * Opens all files of a folder one after the other, each at the start of a sector. Applies the journal of a wallet that has one.
 * Throws as `openRegularFile` and `readWallet` do.
 */
export async function openImage(path: string) {
  const place = await realPath(path);
  const files = await filesOf(place);
  const parts: Part[] = [];
  let length = 0;
  let unread = 0;
  let last: { part: Part; handle: PartHandle } | null = null;

  async function handleOf(part: Part): Promise<PartHandle> {
    if (last?.part !== part) {
      await last?.handle[Symbol.asyncDispose]();
      last = null;
      last = { part, handle: await openPart(part.path) };
    }
    return last.handle;
  }

  for (const file of files) {
    await using handle = await openPart(file);
    const size = await sizeOf(handle);
    parts.push({ path: file, start: length, size });
    length += Math.ceil(size / SECTOR_SIZE) * SECTOR_SIZE;
  }

  return {
    length: parts.length === 1 ? (parts[0]?.size ?? 0) : length,
    /** The number of unreadable bytes so far. */
    unread: () => unread,
    /** Implements `PieceSource`. */
    async read(start: number, end: number, buffer?: Uint8Array): Promise<Uint8Array> {
      const bytes = buffer ? buffer.subarray(0, end - start) : new Uint8Array(end - start);
      // Zeros fill the space between parts, and the end of a part that has become shorter.
      if (parts.length !== 1) bytes.fill(0);
      for (const part of parts) {
        const from = Math.max(start, part.start);
        const to = Math.min(end, part.start + part.size);
        if (from >= to) continue;
        const handle = await handleOf(part);
        unread += await readOrZeros(handle, bytes.subarray(from - start, to - start), from - part.start);
      }
      return bytes;
    },
    [Symbol.asyncDispose]: async () => last?.handle[Symbol.asyncDispose](),
  };
}

interface Part {
  readonly path: string;
  readonly start: number;
  readonly size: number;
}

/**
 * All files of a folder in the order of their names, without links; or the file itself. Recovery programs name files by their
 * place on the disk.
 */
export async function filesOf(folder: string): Promise<string[]> {
  if (!(await stat(folder)).isDirectory()) return [folder];
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** An open file, or the bytes of a file with its journal applied, with the methods that a search uses. */
interface PartHandle extends Readable, AsyncDisposable {
  stat(): Promise<Pick<Stats, 'size' | 'isBlockDevice'>>;
}

/** Opens devices too, because the user named this path. */
async function openPart(path: string): Promise<PartHandle> {
  if ((await stat(path)).isBlockDevice()) return open(path, OPEN_TO_READ);
  const recovered = await recoveredBytes(path);
  return recovered === null ? openRegularFile(path) : handleOn(recovered);
}

/** The bytes of a wallet with its journal applied. Null if the journal changes nothing, or the file is no wallet. */
async function recoveredBytes(path: string): Promise<Uint8Array | null> {
  if (!journalsBeside(path)) return null;
  const facts = await inspectFile(path).catch(() => null);
  if (facts?.kind !== 'descriptor-wallet') return null;
  const { bytes, recovered } = await readWallet(path, 'anything');
  return recovered ? bytes : null;
}

function handleOn(bytes: Uint8Array): PartHandle {
  const read = async (into: Uint8Array, offset: number, length: number, position: number) => {
    const piece = bytes.subarray(position, position + length);
    into.set(piece, offset);
    return { bytesRead: piece.length, buffer: into };
  };
  return {
    read,
    stat: async () => ({ size: bytes.length, isBlockDevice: () => false }),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** The size in bytes. Devices report none, so search for the end by reading. */
async function sizeOf(handle: PartHandle): Promise<number> {
  const stats = await handle.stat();
  if (!stats.isBlockDevice()) return stats.size;
  const sector = new Uint8Array(SECTOR_SIZE);
  const isThere = async (number: number) => {
    try {
      return (await handle.read(sector, 0, SECTOR_SIZE, number * SECTOR_SIZE)).bytesRead > 0;
    } catch (error) {
      if (systemCode(error) === 'EIO') return true;
      throw error;
    }
  };
  let [there, beyond] = [-1, 1];
  while (await isThere(beyond)) {
    if (beyond > MAX_SECTORS) throw systemError('EIO');
    [there, beyond] = [beyond, beyond * 2];
  }
  while (beyond - there > 1) {
    const middle = Math.floor((there + beyond) / 2);
    if (await isThere(middle)) there = middle;
    else beyond = middle;
  }
  return beyond * SECTOR_SIZE;
}

/** Stops the search on a disk that fails everywhere. */
const MAX_SECTORS = 2 ** 42;

/** Sizes of the pieces around an unreadable place, in bytes. */
const PIECES = [1 << 16, 4096, SECTOR_SIZE];

interface Readable {
  read(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
}

/** Returns the number of unreadable bytes. */
export async function readOrZeros(
  handle: Readable,
  bytes: Uint8Array,
  from: number,
  pieces: readonly number[] = PIECES,
): Promise<number> {
  try {
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await handle.read(bytes, at, bytes.length - at, from + at);
      // The file has become shorter.
      if (bytesRead === 0) {
        bytes.fill(0, at);
        return 0;
      }
      at += bytesRead;
    }
    return 0;
  } catch (error) {
    if (systemCode(error) !== 'EIO') throw error;
    const [size, ...smaller] = pieces;
    if (size === undefined) {
      bytes.fill(0);
      return bytes.length;
    }
    let unread = 0;
    for (let at = 0; at < bytes.length; at += size)
      unread += await readOrZeros(handle, bytes.subarray(at, at + size), from + at, smaller);
    return unread;
  }
}
