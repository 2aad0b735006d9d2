/** A node's log as a file: which one is believed to be it, and how it is opened. */
import type { FileHandle } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import type { Listener } from '../../../shared/model/node.ts';
import { isNetworkPath } from '../../files/isNetworkPath.ts';
import { isThere } from '../../files/isThere.ts';
import { openUnlinked } from '../../files/openRegularFile.ts';

/** The number of the user that a log has to belong to; null where it is not known, or where it may be any. */
export type LogOwner = number | null;

/** Who listens for a node writes its log; only the system itself listens for what others run. */
export function logOwner(listener: Listener | null): LogOwner {
  return listener === null || listener.user === ROOT ? null : listener.user;
}

/** Whether what a node names as its log can be opened here. */
export async function isReadableLog(path: string, owner: LogOwner): Promise<boolean> {
  if (!isAbsolute(path) || isNetworkPath(path)) return false;
  try {
    await (await openUnlinked(path, owner)).close();
    return true;
  } catch {
    return false;
  }
}

/** Whether a folder holds what a node, or the offline engine, keeps beside its log. */
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
 * Whether a line begins as a node begins each of its own, with a time (`LogTimestampStr` of `src/logging.cpp`). Of any
 * other line nothing is kept: it may be of another file that was named as the log.
 */
export function isNodeLine(line: string): boolean {
  return STAMP.test(line);
}

const STAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{6})?Z /;
const ROOT = 0;

/** What of a log is known: a running node's grows, and is asked about again and again. */
interface Known {
  readonly ino: bigint;
  readonly size: number;
  readonly folder: string | null;
}
const known = new Map<string, Known>();

/**
 * The folder of the last start that the log tells of; null where it tells of none, or cannot be read. A log says what its node
 * wrote, and no more: the folder is still to be held against what the node lists.
 */
export async function readLoggedFolder(logPath: string, owner: LogOwner): Promise<string | null> {
  if (!isAbsolute(logPath) || !(await looksLikeNodeFolder(dirname(logPath)))) return null;
  try {
    await using log = await openUnlinked(logPath, owner);
    const { ino, size: bytes } = await log.stat({ bigint: true });
    const size = Number(bytes);
    const before = known.get(logPath);
    const isGrown = before !== undefined && before.ino === ino && before.size <= size;
    const newest = await lastIn(log, isGrown ? Math.max(0, before.size - LONGEST_LINE) : 0, size);
    const folder = newest ?? (isGrown ? before.folder : null);
    known.set(logPath, { ino, size, folder });
    return folder;
  } catch {
    return null;
  }
}

/** Of a path, and what stands before it. */
const LONGEST_LINE = 8192;
const CHUNK = 1 << 20;
/** A log of more than this since its node started is not read through. */
const MOST_BYTES = 1 << 29;

/** The last such line between two places, read from the end in pieces that overlap by a line. */
async function lastIn(log: FileHandle, from: number, to: number): Promise<string | null> {
  const least = Math.max(from, to - MOST_BYTES);
  for (let end = to; end > least; end -= CHUNK) {
    const start = Math.max(least, end - CHUNK);
    const length = Math.min(to, end + LONGEST_LINE) - start;
    const { buffer, bytesRead } = await log.read(Buffer.alloc(length), 0, length, start);
    const text = buffer.toString('utf8', 0, bytesRead);
    const found = text.split('\n').flatMap((line) => FORM.exec(line)?.groups?.folder ?? []);
    const last = found.filter(isAbsolute).at(-1);
    if (last !== undefined) return last;
  }
  return null;
}

/** After the time, where there is one, and what `-logthreadnames` and `-logsourcelocations` put before it. */
const FORM =
  /^(?:\d{4}-\d{2}-\d{2}T[\d:.]+Z )?(?:\(mocktime: [^)]*\) )?(?:\[[^\]]*\] )*Using wallet directory (?<folder>.+?)\r?$/;
