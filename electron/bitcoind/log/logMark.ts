/** A place in a node's log, by which it is found again after the app was away. */
import type { FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import { fileMark, markOf } from '../../files/fileMark.ts';
import { openUnlinked } from '../../files/openRegularFile.ts';
import type { LogOwner } from './nodeLog.ts';

/** The mark of the file stays with it when it is renamed. */
export const logMark = fileMark.extend({
  path: z.string(),
  /** Bytes from its start. */
  position: z.number().int().nonnegative(),
  /** Base64 of the last bytes before it: a node that restarts cuts its log's beginning away in place. */
  landmark: z.string(),
});
export type LogMark = z.infer<typeof logMark>;

/** How many bytes before a place are kept to find it again by. */
export const LANDMARK = 256;

/** The end of an open log, and what is kept to find it again by. */
export async function endOfLog(handle: FileHandle) {
  const stats = await handle.stat({ bigint: true });
  const position = Number(stats.size);
  const landmark = Buffer.alloc(Math.min(LANDMARK, position));
  await handle.read(landmark, 0, landmark.length, position - landmark.length);
  return { ...markOf(stats), position, landmark };
}

/** The end of the log as it is now; null where it cannot be read. */
export async function markLogEnd(path: string, owner: LogOwner): Promise<LogMark | null> {
  try {
    await using handle = await openUnlinked(path, owner);
    const { landmark, ...end } = await endOfLog(handle);
    return { path, ...end, landmark: landmark.toString('base64') };
  } catch {
    return null;
  }
}
