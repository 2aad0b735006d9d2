/** A node's log as a file: which one is believed to be it, and how it is opened. */
import { isAbsolute, join } from 'node:path';
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
