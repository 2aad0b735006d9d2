/** A position in a node's log that can be found again after the app restarts. */
import type { FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import { fileMark, markOf } from '../../files/fileMark.ts';
import { openUnlinked } from '../../files/openRegularFile.ts';
import type { LogOwner } from './nodeLog.ts';

/** The file's device and inode, which a rename keeps. */
export const logMark = fileMark.extend({
  path: z.string(),
  /** Bytes from the start of the file. */
  position: z.number().int().nonnegative(),
  /** Base64 of the last bytes before the position: a restarting node removes the beginning of its log in place. */
  landmark: z.string(),
});
export type LogMark = z.infer<typeof logMark>;

/** Length of the landmark in bytes. */
export const LANDMARK = 256;

/** The end of an open log, and its landmark. */
export async function endOfLog(handle: FileHandle) {
  const stats = await handle.stat({ bigint: true });
  const position = Number(stats.size);
  const landmark = Buffer.alloc(Math.min(LANDMARK, position));
  await handle.read(landmark, 0, landmark.length, position - landmark.length);
  return { ...markOf(stats), position, landmark };
}

/** A mark at the current end of the log; null if it cannot be read. */
export async function markLogEnd(path: string, owner: LogOwner): Promise<LogMark | null> {
  try {
    await using handle = await openUnlinked(path, owner);
    const { landmark, ...end } = await endOfLog(handle);
    return { path, ...end, landmark: landmark.toString('base64') };
  } catch {
    return null;
  }
}
