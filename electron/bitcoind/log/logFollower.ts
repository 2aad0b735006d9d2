/** Follows the node's log as it grows, through rotation, truncation and absence, by asking the file system. */
import { type FileHandle, lstat } from 'node:fs/promises';
import { type FileMark, markOf, sameMark } from '../../files/fileMark.ts';
import { openUnlinked } from '../../files/openRegularFile.ts';
import { endOfLog, LANDMARK, type LogMark } from './logMark.ts';
import type { LogOwner } from './nodeLog.ts';

interface FollowOptions {
  intervalMs?: number;
  owner?: LogOwner;
  from?: LogMark | null;
}

export type LogFollower = Awaited<ReturnType<typeof followLog>>;

/**
 * Gives `onLine` every line written to the file from now on, or from the place `from` on where it can be found again,
 * in order and without its line break. A line over 64 kB is cut there. `onLine` must not throw.
 *
 * The file is asked every `intervalMs` (100): this works the same on every system and file system, which
 * notifications do not. What is renamed away is read to its end before the new file of that name is begun. Only a plain
 * file of `owner` (null: of whomever) is read, and no link to one. Of more than 64 MB that came since it was last asked
 * only the end is read: a log may claim to be endless.
 *
 * @throws what `openUnlinked` throws when the file cannot be opened at the start; later failures are waited out.
 */
export async function followLog(
  path: string,
  onLine: (line: string) => void,
  { intervalMs = 100, owner = null, from = null }: FollowOptions = {},
) {
  const lines = splitLines(onLine);
  const open = () => openUnlinked(path, owner);
  let file = from === null ? await openAtEnd(open, lines) : await openAtMark(open, from);
  const found = file.position > 0 || from?.position === 0;
  let stopped = false;
  let queue: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const poll = async () => {
    if (stopped) return;
    await readOn(file, lines, () => stopped);
    const named = await lstat(path, { bigint: true }).catch(() => null);
    if (named === null || !named.isFile() || sameMark(markOf(named), file)) return;
    // Until something is in the new file, the node may still be writing to the one that was renamed.
    if (named.size === 0n) return;
    await readOn(file, lines, () => stopped);
    const next = await openAtStart(open).catch(() => null);
    if (next === null) return;
    await close(file);
    file = next;
    lines.end();
    await readOn(file, lines, () => stopped);
  };

  const enqueue = () => {
    queue = queue.then(poll);
    return queue;
  };
  const schedule = () => {
    timer = setTimeout(() => void enqueue().then(() => !stopped && schedule()), intervalMs);
    timer.unref();
  };
  schedule();

  return {
    /** Whether the place `from` was found again; lines from before it are given out where it was not. */
    found,
    /** Resolves when every whole line that was in the file at the time of the call has been given out. */
    drain: () => enqueue(),
    /** Ends following and closes the file. No line is given out after it resolves. */
    stop: async () => {
      if (stopped) return queue;
      stopped = true;
      clearTimeout(timer);
      await queue;
      await close(file);
    },
  };
}

interface Followed extends FileMark {
  handle: FileHandle;
  position: number;
  /** The last bytes before `position`: a landmark to find it again by. */
  landmark: Buffer;
}

type OpenLog = () => Promise<FileHandle>;

const CHUNK = 64 * 1024;
/** Bytes that are read of a log at one turn. */
const MOST_NEW = 64_000_000;
/** A node that restarts keeps the last 10 MB of its log: `RECENT_DEBUG_HISTORY_SIZE` of `src/logging.cpp`. */
const MOST_KEPT = 11_000_000;
/** Fewer bytes than these could turn up in a new file by chance. */
const SHORTEST_LANDMARK = 64;

async function openAtEnd(open: OpenLog, lines: LineSplitter): Promise<Followed> {
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

/** Where the mark is not found, the log from its start: lines from before are told too then, never fewer. */
async function openAtMark(open: OpenLog, mark: LogMark): Promise<Followed> {
  const file = await openAtStart(open);
  if (!sameMark(file, mark)) return file;
  const landmark = Buffer.from(mark.landmark, 'base64');
  const there = Buffer.alloc(landmark.length);
  await file.handle.read(there, 0, there.length, mark.position - there.length);
  if (there.equals(landmark)) return { ...file, position: mark.position, landmark };
  const { size } = await file.handle.stat();
  return { ...file, position: await afterLandmark({ ...file, landmark }, size), landmark: Buffer.alloc(0) };
}

async function openAtStart(open: OpenLog): Promise<Followed> {
  const handle = await open();
  return { handle, ...markOf(await handle.stat({ bigint: true })), position: 0, landmark: Buffer.alloc(0) };
}

async function close({ handle }: Followed): Promise<void> {
  // A network share may only tell at the end that it went away; there is nothing left to do then.
  await handle.close().catch(() => undefined);
}

/** Reads up to the size the file has at the start of the call; what is written meanwhile is for the next one. */
async function readOn(file: Followed, lines: LineSplitter, isStopped: () => boolean): Promise<void> {
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
    if (size - file.position > MOST_NEW) {
      file.position = size - MOST_NEW;
      file.landmark = Buffer.alloc(0);
      lines.end();
      lines.skipRest();
    }
    while (file.position < size && !isStopped()) {
      const want = Math.min(CHUNK, size - file.position);
      const { bytesRead } = await file.handle.read(chunk, 0, want, file.position);
      if (bytesRead === 0) return;
      const fresh = chunk.subarray(0, bytesRead);
      file.position += bytesRead;
      file.landmark = Buffer.from(
        Buffer.concat([file.landmark, fresh.subarray(-LANDMARK)]).subarray(-LANDMARK),
      );
      lines.push(fresh);
    }
  } catch {
    // A disk or share that fails now is asked again at the next turn.
  }
}

/**
 * Where to read on in a file that became shorter. A node that restarts cuts its log to the last 10 MB in place:
 * then the landmark is still in that part, and everything before it was given out already. Else from the start.
 */
async function afterLandmark({ handle, landmark }: Followed, size: number): Promise<number> {
  if (landmark.length < SHORTEST_LANDMARK) return 0;
  const window = Buffer.allocUnsafe(CHUNK + landmark.length);
  let found = 0;
  const searched = Math.min(size, MOST_KEPT);
  for (let start = 0; start < searched; start += CHUNK) {
    const { bytesRead } = await handle.read(window, 0, Math.min(window.length, searched - start), start);
    const index = window.subarray(0, bytesRead).lastIndexOf(landmark);
    if (index !== -1) found = start + index + landmark.length;
  }
  return found;
}

type LineSplitter = ReturnType<typeof splitLines>;

/**
 * Splits bytes that come in pieces into lines of text: at bytes, and decodes whole lines only, so that no character is
 * torn between two reads. A line over 64 kB is cut there.
 */
function splitLines(onLine: (line: string) => void) {
  let parts: Buffer[] = [];
  let length = 0;
  let skipping = false;

  const keep = (bytes: Buffer) => {
    const kept = bytes.subarray(0, LONGEST_LINE - length);
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
    // `stream` leaves out a character that the cut went through, instead of a replacement character.
    const text = new TextDecoder().decode(line, { stream: line.length === LONGEST_LINE });
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
    /** The file ended here: what is left of a line is given out as it is. */
    end(): void {
      if (length > 0 || skipping) finish();
    },
    /** The line begun is not wanted: its start was written before the follower came. */
    skipRest(): void {
      skipping = true;
    },
  };
}

const LINE_FEED = 10;
const LONGEST_LINE = 64 * 1024;
