/** Follows the node's log by polling, through rotation, truncation and absence. */
import { type FileHandle, lstat } from 'node:fs/promises';
import { z } from 'zod/mini';
import { fileMark } from '../../../shared/model/shapes.ts';
import { type FileMark, isSameFile, markOf } from '../../files/fileMark.ts';
import { openUnlinked } from '../../files/openFile.ts';
import type { LogOwner } from './nodeLog.ts';

interface FollowOptions {
  intervalMs?: number;
  owner?: LogOwner;
  from?: LogPosition | null;
}

/**
 * Calls `onLine` with every line written from now on, or from the mark `from` if it can be found, in order and
 * without the line break. Cuts lines at 64 kB. `onLine` must not throw.
 *
 * Polls every `intervalMs` (default 100), because notifications do not work on every file system. Reads a renamed
 * file to its end before the new file of that name. Reads only a regular file of `owner` (null: any user), never a
 * link. Reads only the last 64 MB of what is new since the last poll: a log may be endless.
 *
 * @throws what `openUnlinked` throws if the file cannot be opened at the start; later failures are retried.
 */
export async function followLog(
  path: string,
  onLine: (line: string) => void,
  { intervalMs = 100, owner = null, from = null }: FollowOptions = {},
) {
  const lines = splitLines(onLine);
  const open = () => openUnlinked(path, owner);
  let file = from === null ? await openAtEnd(open, lines) : await openAtPosition(open, from);
  const found = file.position > 0 || from?.position === 0;
  const reading = { stopped: false, hasGap: false };
  let queue: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const poll = async () => {
    if (reading.stopped) return false;
    const isRead = await readNew(file, lines, reading);
    const named = await lstat(path, { bigint: true }).catch(() => null);
    if (named === null || !named.isFile() || isSameFile(markOf(named), file)) return isRead;
    // While the new file is empty, the node may still write to the renamed one.
    if (named.size === 0n) return isRead;
    const isOldRead = await readNew(file, lines, reading);
    const next = await openAtStart(open).catch(() => null);
    if (next === null) return false;
    if (!isOldRead) reading.hasGap = true;
    await close(file);
    file = next;
    lines.end();
    return readNew(file, lines, reading);
  };

  const enqueue = () => {
    const polled = queue.then(poll);
    queue = polled;
    return polled;
  };
  const schedule = () => {
    timer = setTimeout(() => void enqueue().then(() => !reading.stopped && schedule()), intervalMs);
    timer.unref();
  };
  schedule();

  return {
    /** Whether the mark `from` was found; if not, `onLine` also gets earlier lines. */
    found,
    /**
     * Resolves after `onLine` got every complete line that is in the file at the time of the call: with false if it missed any, or
     * could not read them.
     */
    drain: () => enqueue(),
    /** Stops and closes the file. `onLine` is not called after it resolves. */
    stop: async () => {
      const isFirst = !reading.stopped;
      reading.stopped = true;
      clearTimeout(timer);
      await queue;
      if (isFirst) await close(file);
    },
  };
}

interface FollowedFile extends FileMark {
  handle: FileHandle;
  position: number;
  /** The last bytes before `position`, to find the position again. */
  landmark: Buffer;
}

type OpenLog = () => Promise<FileHandle>;

const CHUNK = 64 * 1024;
/** Bytes read in one poll. */
const MAX_NEW = 64_000_000;
/** A node that restarts keeps the last 10 MB of its log: `RECENT_DEBUG_HISTORY_SIZE` of `src/logging.cpp`. */
const MAX_KEPT_LOG_SIZE = 11_000_000;
/** A shorter landmark could match by chance. */
const MIN_LANDMARK_BYTES = 64;

async function openAtEnd(open: OpenLog, lines: LineSplitter): Promise<FollowedFile> {
  const handle = await open();
  try {
    const end = await endOfLog(handle);
    if (end.position > 0 && end.landmark.at(-1) !== LINE_FEED) lines.skipRest();
    return { handle, ...end };
  } catch (error) {
    await handle.close().catch(() => undefined);
    throw error;
  }
}

/** Without the mark it reads the log from the start: repeated lines are better than missing ones. */
async function openAtPosition(open: OpenLog, mark: LogPosition): Promise<FollowedFile> {
  const file = await openAtStart(open);
  if (!isSameFile(file, mark)) return file;
  const landmark = Buffer.from(mark.landmark, 'base64');
  const there = Buffer.alloc(landmark.length);
  await file.handle.read(there, 0, there.length, mark.position - there.length);
  if (there.equals(landmark)) return { ...file, position: mark.position, landmark };
  const { size } = await file.handle.stat();
  return { ...file, position: await afterLandmark({ ...file, landmark }, size), landmark: Buffer.alloc(0) };
}

async function openAtStart(open: OpenLog): Promise<FollowedFile> {
  const handle = await open();
  return { handle, ...markOf(await handle.stat({ bigint: true })), position: 0, landmark: Buffer.alloc(0) };
}

async function close({ handle }: FollowedFile): Promise<void> {
  // A network share may report its loss only on close, when nothing is left to do.
  await handle.close().catch(() => undefined);
}

/** Reads up to the file's size at the start of the call; the next call reads the rest. Resolves with whether no line is missing. */
async function readNew(
  file: FollowedFile,
  lines: LineSplitter,
  reading: { readonly stopped: boolean; hasGap: boolean },
): Promise<boolean> {
  const chunk = Buffer.allocUnsafe(CHUNK);
  try {
    const { size } = await file.handle.stat();
    if (size < file.position) {
      file.position = await afterLandmark(file, size);
      if (file.position === 0) {
        lines.end();
        file.landmark = Buffer.alloc(0);
      }
    }
    if (size - file.position > MAX_NEW) {
      reading.hasGap = true;
      file.position = size - MAX_NEW;
      file.landmark = Buffer.alloc(0);
      lines.end();
      lines.skipRest();
    }
    while (file.position < size && !reading.stopped) {
      const want = Math.min(CHUNK, size - file.position);
      const { bytesRead } = await file.handle.read(chunk, 0, want, file.position);
      if (bytesRead === 0) return false;
      const fresh = chunk.subarray(0, bytesRead);
      file.position += bytesRead;
      file.landmark = Buffer.from(
        Buffer.concat([file.landmark, fresh.subarray(-LANDMARK_BYTES)]).subarray(-LANDMARK_BYTES),
      );
      lines.push(fresh);
    }
    return !(reading.hasGap || reading.stopped);
  } catch {
    // The next poll retries a disk or share that fails now.
    return false;
  }
}

/**
 * Where to continue in a file that became shorter. A restarting node cuts its log to the last 10 MB in place: the
 * landmark is then in that part, and everything before it was reported. Otherwise at the start.
 */
async function afterLandmark({ handle, landmark }: FollowedFile, size: number): Promise<number> {
  if (landmark.length < MIN_LANDMARK_BYTES) return 0;
  const window = Buffer.allocUnsafe(CHUNK + landmark.length);
  let found = 0;
  const searched = Math.min(size, MAX_KEPT_LOG_SIZE);
  for (let start = 0; start < searched; start += CHUNK) {
    const { bytesRead } = await handle.read(window, 0, Math.min(window.length, searched - start), start);
    const index = window.subarray(0, bytesRead).lastIndexOf(landmark);
    if (index !== -1) found = start + index + landmark.length;
  }
  return found;
}

type LineSplitter = ReturnType<typeof splitLines>;

/**
 * Splits chunks of bytes into lines and decodes complete lines only, so that no character is split. Cuts lines at 64
 * kB.
 */
function splitLines(onLine: (line: string) => void) {
  let parts: Buffer[] = [];
  let length = 0;
  let skipping = false;

  const keep = (bytes: Buffer) => {
    const kept = bytes.subarray(0, MAX_READ_LINE_LENGTH - length);
    if (skipping || kept.length === 0) return;
    parts.push(Buffer.from(kept));
    length += kept.length;
  };
  const finish = () => {
    const line = Buffer.concat(parts, length);
    const skipped = skipping;
    parts = [];
    length = 0;
    skipping = false;
    if (skipped) return;
    // `stream` drops a character that was cut instead of replacing it.
    const text = new TextDecoder().decode(line, { stream: line.length === MAX_READ_LINE_LENGTH });
    onLine(text.endsWith('\r') ? text.slice(0, -1) : text);
  };

  return {
    push(bytes: Buffer): void {
      let start = 0;
      for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, start)) {
        keep(bytes.subarray(start, at));
        finish();
        start = at + 1;
      }
      if (start < bytes.length) keep(bytes.subarray(start));
    },
    /** The file ends here: reports the incomplete line. */
    end(): void {
      if (length > 0 || skipping) finish();
    },
    /** Skips the rest of a line that began before the follower started. */
    skipRest(): void {
      skipping = true;
    },
  };
}

const LINE_FEED = 10;
const MAX_READ_LINE_LENGTH = 64 * 1024;

/** A position in a log that can be found again after the app restarts: a rename keeps the device and inode of the file. */
export const logMark = z.extend(fileMark, {
  path: z.string(),
  /** Bytes from the start of the file. */
  position: z.int().check(z.nonnegative()),
  /** Base64 of the last bytes before the position: a restarting node removes the beginning of its log in place. */
  landmark: z.string(),
});
export type LogPosition = z.infer<typeof logMark>;

/** Length of the landmark in bytes. */
const LANDMARK_BYTES = 256;

/** The end of an open log, and its landmark. */
async function endOfLog(handle: FileHandle) {
  const stats = await handle.stat({ bigint: true });
  const position = Number(stats.size);
  const landmark = Buffer.alloc(Math.min(LANDMARK_BYTES, position));
  await handle.read(landmark, 0, landmark.length, position - landmark.length);
  return { ...markOf(stats), position, landmark };
}

/** A mark at the current end of the log; null if it cannot be read. */
export async function readLogEnd(path: string, owner: LogOwner): Promise<LogPosition | null> {
  try {
    await using handle = await openUnlinked(path, owner);
    const { landmark, ...end } = await endOfLog(handle);
    return { path, ...end, landmark: landmark.toString('base64') };
  } catch {
    return null;
  }
}
