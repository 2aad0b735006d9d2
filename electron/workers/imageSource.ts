/** Disk images, devices and folders of fragments as one stream of bytes. What a disk cannot read is zeros, and counted. */
import type { Stats } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inspectFile } from '../files/inspect.ts';
import { OPEN_TO_READ } from '../files/openFile.ts';
import { openRegularFile } from '../files/openRegularFile.ts';
import { readWallet } from '../files/readWallet.ts';
import { systemCode, systemError } from '../files/systemCode.ts';
import { journalsBeside } from '../files/walletJournals.ts';
import { SECTOR } from '../recovery/salvage/berkeleyPages.ts';

export type ImageSource = Awaited<ReturnType<typeof openImage>>;

/**
 * Of a folder all its files, one after the other, each from a whole sector on; a wallet that has a journal beside it as both
 * are together. Throws as `openRegularFile` and `readWallet` do.
 */
export async function openImage(path: string) {
  const place = await realpath(path);
  const files = await filesOf(place);
  const parts: Part[] = [];
  let length = 0;
  let unread = 0;
  let last: { part: Part; handle: PartHandle } | null = null;

  async function handleOf(part: Part): Promise<PartHandle> {
    if (last?.part !== part) {
      await last?.handle.close();
      last = null;
      last = { part, handle: await openPart(part.path) };
    }
    return last.handle;
  }

  for (const file of files) {
    const handle = await openPart(file);
    try {
      const size = await sizeOf(handle);
      parts.push({ path: file, start: length, size });
      length += Math.ceil(size / SECTOR) * SECTOR;
    } finally {
      await handle.close();
    }
  }

  return {
    length: parts.length === 1 ? (parts[0]?.size ?? 0) : length,
    /** Bytes that could not be read so far. */
    unread: () => unread,
    /** As a `PieceSource`. */
    async read(start: number, end: number, room?: Uint8Array): Promise<Uint8Array> {
      const bytes = room ? room.subarray(0, end - start) : new Uint8Array(end - start);
      // Between the parts of several, and behind one that is shorter than it was.
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
    async close() {
      await last?.handle.close();
    },
  };
}

interface Part {
  readonly path: string;
  readonly start: number;
  readonly size: number;
}

/**
 * Of a folder all its files, in the order of their names, which is that of their places where a program has recovered them;
 * else the file itself. No links.
 */
export async function filesOf(folder: string): Promise<string[]> {
  if (!(await stat(folder)).isDirectory()) return [folder];
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** The parts of an open file that a search uses, or of the bytes of a file joined with its journal. */
interface PartHandle extends Readable {
  stat(): Promise<Pick<Stats, 'size' | 'isBlockDevice'>>;
  close(): Promise<void>;
}

/** A device is opened only here, where somebody named it. */
async function openPart(path: string): Promise<PartHandle> {
  if ((await stat(path)).isBlockDevice()) return open(path, OPEN_TO_READ);
  const together = await withItsJournal(path);
  return together === null ? openRegularFile(path) : handleOn(together);
}

/** Null unless the file is a wallet with its own journal. Without one, the file has everything. */
async function withItsJournal(path: string): Promise<Uint8Array | null> {
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
    close: async () => {},
  };
}

/** Devices tell no size: it is where reading ends. */
async function sizeOf(handle: PartHandle): Promise<number> {
  const stats = await handle.stat();
  if (!stats.isBlockDevice()) return stats.size;
  const sector = new Uint8Array(SECTOR);
  const isThere = async (number: number) => {
    try {
      return (await handle.read(sector, 0, SECTOR, number * SECTOR)).bytesRead > 0;
    } catch (error) {
      if (systemCode(error) === 'EIO') return true;
      throw error;
    }
  };
  let [there, beyond] = [-1, 1];
  while (await isThere(beyond)) {
    if (beyond > MOST_SECTORS) throw systemError('EIO');
    [there, beyond] = [beyond, beyond * 2];
  }
  while (beyond - there > 1) {
    const middle = Math.floor((there + beyond) / 2);
    if (await isThere(middle)) there = middle;
    else beyond = middle;
  }
  return beyond * SECTOR;
}

/** A disk that answers nothing at all seems to have no end. */
const MOST_SECTORS = 2 ** 42;

/** Smaller and smaller pieces around what cannot be read. */
const PIECES = [1 << 16, 4096, SECTOR];

interface Readable {
  read(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
}

/** Gives how many bytes could not be read. */
export async function readOrZeros(
  handle: Readable,
  bytes: Uint8Array,
  from: number,
  pieces: readonly number[] = PIECES,
): Promise<number> {
  try {
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await handle.read(bytes, at, bytes.length - at, from + at);
      // It got shorter meanwhile.
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
