/** Decides which file the app trusts as a node's log, and reads the wallets folder from it. */
import type { FileHandle } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import type { Listener } from '../../../shared/model/node.ts';
import { isNetworkPath, isThere, openUnlinked } from '../../files/openFile.ts';

/** The user id that must own the log; null if unknown, or if any owner will do. */
export type LogOwner = number | null;

/** The user who listens for a node also writes its log, except for root, who may listen for others. */
export function logOwner(listener: Listener | null): LogOwner {
  return listener === null || listener.user === ROOT ? null : listener.user;
}

/** Whether the log that a node names can be opened here. */
export async function isReadableLog(path: string, owner: LogOwner): Promise<boolean> {
  if (!isAbsolute(path) || isNetworkPath(path)) return false;
  try {
    await (await openUnlinked(path, owner)).close();
    return true;
  } catch {
    return false;
  }
}

/** Whether a folder contains what a node, or the offline engine, keeps next to its log. */
export async function looksLikeNodeFolder(folder: string): Promise<boolean> {
  if (!isAbsolute(folder) || isNetworkPath(folder)) return false;
  const marks = await Promise.all([
    isThere(join(folder, 'chainstate'), 'folder'),
    isThere(join(folder, 'blocks'), 'folder'),
    isThere(join(folder, '.engine.cookie'), 'file'),
  ]);
  return marks.includes(true);
}

/**
 * Whether a line starts with a node's time stamp (`LogTimestampStr` of `src/logging.cpp`). Other lines are dropped:
 * they may come from another file that was named as the log.
 */
export function isNodeLine(line: string): boolean {
  return STAMP.test(line);
}

const STAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{6})?Z /;
const ROOT = 0;

/** A cached result for a log, which grows and is read repeatedly. */
interface CachedLog {
  readonly ino: bigint;
  readonly size: number;
  readonly folder: string | null;
}
const cache = new Map<string, CachedLog>();

/**
 * The wallets folder of the last start in the log (`Using wallet directory …` of `load.cpp`); null if there is none,
 * or the log cannot be read. The caller must still compare it with the wallets that the node lists.
 */
export async function readLoggedFolder(logPath: string, owner: LogOwner): Promise<string | null> {
  if (!isAbsolute(logPath) || !(await looksLikeNodeFolder(dirname(logPath)))) return null;
  try {
    await using log = await openUnlinked(logPath, owner);
    const { ino, size: bytes } = await log.stat({ bigint: true });
    const size = Number(bytes);
    const before = cache.get(logPath);
    const isGrown = before !== undefined && before.ino === ino && before.size <= size;
    const newest = await lastIn(log, isGrown ? Math.max(0, before.size - LONGEST_PATH_LINE) : 0, size);
    const folder = newest ?? (isGrown ? before.folder : null);
    cache.set(logPath, { ino, size, folder });
    return folder;
  } catch {
    return null;
  }
}

/** For a path and its prefixes, in bytes. */
const LONGEST_PATH_LINE = 8192;
const CHUNK = 1 << 20;
/** Reads at most so many bytes, from the end. */
const MOST_BYTES = 1 << 29;

/** The last matching line in a range, read backwards in chunks that overlap by one line. */
async function lastIn(log: FileHandle, from: number, to: number): Promise<string | null> {
  const least = Math.max(from, to - MOST_BYTES);
  for (let end = to; end > least; end -= CHUNK) {
    const start = Math.max(least, end - CHUNK);
    const length = Math.min(to, end + LONGEST_PATH_LINE) - start;
    const { buffer, bytesRead } = await log.read(Buffer.alloc(length), 0, length, start);
    const text = buffer.toString('utf8', 0, bytesRead);
    const found = text.split('\n').flatMap((line) => FORM.exec(line)?.groups?.folder ?? []);
    const last = found.filter(isAbsolute).at(-1);
    // On Windows a node logs the slashes of its own `-walletdir`.
    if (last !== undefined) return normalize(last);
  }
  return null;
}

/** Allows a time stamp and the prefixes of `-logthreadnames` and `-logsourcelocations`. */
const FORM =
  /^(?:\d{4}-\d{2}-\d{2}T[\d:.]+Z )?(?:\(mocktime: [^)]*\) )?(?:\[[^\]]*\] )*Using wallet directory (?<folder>.+?)\r?$/;
