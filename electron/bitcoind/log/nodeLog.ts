/**
 * Decides which file the app trusts as a node's log, reads the wallets folder from it, and parses its lines that show the progress of
 * a restore or a migration.
 */
import type { FileHandle } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import { z } from 'zod/mini';
import { type Listener, ROOT_USER } from '../../../shared/model/node.ts';
import { convert } from '../../../shared/model/shapes.ts';
import { existsAs, isNetworkPath, openUnlinked } from '../../files/openFile.ts';
import type { CompanionPart } from '../../walletfile/migrate/companionNames.ts';

/** The user id that must own the log; null if unknown, or if any owner will do. */
export type LogOwner = number | null;

/** The user who listens for a node also writes its log, except for root, who may listen for others. */
export function logOwner(listener: Listener | null): LogOwner {
  return listener === null || listener.user === ROOT_USER ? null : listener.user;
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
    existsAs(join(folder, 'chainstate'), 'folder'),
    existsAs(join(folder, 'blocks'), 'folder'),
    existsAs(join(folder, '.engine.cookie'), 'file'),
  ]);
  return marks.includes(true);
}

/**
 * The time (ISO 8601) with which a node's line begins, and the text after it. Null for any other line, which may come from another
 * file that was named as the log.
 */
export function splitLogLine(line: string): { time: string; text: string } | null {
  const [start, time] = TIME.exec(line) ?? [];
  return start === undefined || time === undefined ? null : { time, text: line.slice(start.length) };
}

/** `LogTimestampStr` of `src/logging.cpp`. The second time is that of `-mocktime`. */
const TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{6})?Z) (?:\(mocktime: [^)]*\) )?/;

/** Cached by path, because a log grows and is read repeatedly. */
const cache = new Map<string, { ino: bigint; size: number; start: LoggedStart | null }>();

/** What a node logs at its start. */
interface LoggedStart {
  /** Its wallets folder (`Using wallet directory …` of `load.cpp`). The caller must still compare it with the wallets that the node lists. */
  readonly folder: string;
  /** In Unix seconds; null without time stamps. */
  readonly time: number | null;
  /** Whether it was started with `-nosettings`, so that it cannot save which wallets to load at start. */
  readonly noSettings: boolean;
}

/** The last start in the log; null if there is none, or the log cannot be read. */
export async function readLoggedStart(logPath: string, owner: LogOwner): Promise<LoggedStart | null> {
  if (!isAbsolute(logPath) || !(await looksLikeNodeFolder(dirname(logPath)))) return null;
  try {
    await using log = await openUnlinked(logPath, owner);
    const { ino, size: bytes } = await log.stat({ bigint: true });
    const size = Number(bytes);
    const before = cache.get(logPath);
    const isGrown = before !== undefined && before.ino === ino && before.size <= size;
    const newest = await lastIn(log, isGrown ? Math.max(0, before.size - MAX_PATH_LINE_LENGTH) : 0, size);
    const start = newest ?? (isGrown ? before.start : null);
    cache.set(logPath, { ino, size, start });
    return start;
  } catch {
    return null;
  }
}

/** For a path and its prefixes, in bytes. */
const MAX_PATH_LINE_LENGTH = 8192;
const CHUNK = 1 << 20;
/** The most bytes to read, from the end. */
const MAX_BYTES = 1 << 29;

/** The last start in a range, read backwards in chunks that overlap by one line. */
async function lastIn(log: FileHandle, from: number, to: number): Promise<LoggedStart | null> {
  const least = Math.max(from, to - MAX_BYTES);
  for (let end = to; end > least; end -= CHUNK) {
    const start = Math.max(least, end - CHUNK);
    const text = await readText(log, start, Math.min(to, end + MAX_PATH_LINE_LENGTH));
    let last: { folder: string; time: number | null; at: number } | null = null;
    let at = start;
    for (const line of text.split('\n')) {
      const found = FOLDER_LINE.exec(line.replace(TIME, ''))?.groups?.folder;
      const folder = found && Buffer.from(found, 'latin1').toString('utf8');
      const time = Date.parse(splitLogLine(line)?.time ?? '') / 1000 || null;
      if (folder && isAbsolute(folder)) last = { folder, time, at };
      at += line.length + 1;
    }
    // On Windows a node logs the slashes of its own `-walletdir`.
    if (last !== null)
      return { ...last, folder: normalize(last.folder), noSettings: await lacksSettings(log, last.at) };
  }
  return null;
}

/** Whether the arguments of the start that logged its wallets folder at this offset include `-nosettings`. */
async function lacksSettings(log: FileHandle, at: number): Promise<boolean> {
  const lines = (await readText(log, Math.max(0, at - MAX_START_BYTES), at)).split('\n');
  const words = lines.map((line) => line.replace(TIME, ''));
  const first = words.findLastIndex((line) => FIRST_LINE.test(line));
  return first >= 0 && words.slice(first).some((line) => NO_SETTINGS.test(line));
}

/** Bytes as `latin1`, so that offsets in the text are offsets in the file. */
async function readText(log: FileHandle, start: number, end: number): Promise<string> {
  const { buffer, bytesRead } = await log.read(Buffer.alloc(end - start), 0, end - start, start);
  return buffer.toString('latin1', 0, bytesRead);
}

/** Allows the prefixes of `-logthreadnames` and `-logsourcelocations`. */
const FOLDER_LINE = /^(?:\[[^\]]*\] )*Using wallet directory (?<folder>.+?)\r?$/;
/** The first line of a start, some 2 kB before its wallets folder; the arguments are in between. */
const FIRST_LINE = /^(?:\[[^\]]*\] )*Bitcoin \S+ version v/;
const MAX_START_BYTES = 1 << 16;
/** `LogArgs` of `common/args.cpp`; recorded from 29.3 and 31.0. */
const NO_SETTINGS = /^(?:\[[^\]]*\] )*[\w-]+(?: \w+)* arg: (?:\[\w+\] )?settings=false\r?$/;

const wallet = z.string();
const number = z.coerce.number();

/**
 * A parsed line. `wallet` is the wallet's name, empty for the unnamed one, and absent where the line names none. Units: blocks,
 * milliseconds.
 */
const logLine = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('node-started') }),
  z.object({ kind: z.literal('copied'), from: z.string(), to: z.string() }),
  z.object({ kind: z.literal('converting'), wallet }),
  z.object({
    kind: z.literal('separating'),
    wallet,
    into: convert(
      z.string(),
      (content): CompanionPart => (content === 'watched' ? 'watchonly' : 'solvables'),
    ),
  }),
  z.object({ kind: z.literal('converted'), wallet }),
  z.object({ kind: z.literal('loading') }),
  z.object({ kind: z.literal('keys'), wallet, plaintext: number, encrypted: number }),
  z.object({ kind: z.literal('rescan-range'), wallet, blocks: number, from: number }),
  /** Null on release 23, which has one variant and does not name it. */
  z.object({
    kind: z.literal('rescan-started'),
    wallet,
    /** The hash of the first block. */
    start: z.string(),
    variant: z._default(z.nullable(z.enum(['fast', 'slow'])), null),
  }),
  /** `share` is the node's own progress: the fraction of the chain's transactions below `block`. */
  z.object({
    kind: z.literal('still-rescanning'),
    wallet,
    block: number,
    share: convert(number, (share) => Math.min(share, 1)),
  }),
  z.object({ kind: z.literal('rescan-completed'), wallet, milliseconds: number }),
  z.object({ kind: z.literal('rescan-aborted'), wallet, block: number }),
]);
export type LogLine = z.output<typeof logLine>;

/**
 * Parses one line of `debug.log`, with or without time stamp, microseconds, thread names, source locations and
 * categories. Null for lines about anything else.
 *
 * `names` are the expected wallets. They resolve ambiguous brackets: `[main] [x]` is the wallet `x` after the thread
 * `main`, unless there is a wallet called `main] [x`.
 */
export function readLogLine(line: string, names: readonly string[] = []): LogLine | null {
  const text = line.replace(TIME, '');
  for (const [kind, pattern] of forms) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const { brackets = '', paths, ...values } = match.groups ?? {};
    const copied = paths === undefined ? {} : copiedPaths(paths);
    return logLine.safeParse({ kind, wallet: walletOf(brackets, names), ...values, ...copied }).data ?? null;
  }
  return null;
}

/** Matches the end exactly and the brackets before it greedily: a wallet's name may contain anything. */
const forms: readonly (readonly [LogLine['kind'], RegExp])[] = [
  ['rescan-range', named(/Rescanning last (?<blocks>\d+) blocks \(from block (?<from>\d+)\)\.\.\./)],
  [
    'rescan-started',
    named(
      /Rescan started from block (?<start>[0-9a-f]+)\.\.\.(?: \((?<variant>fast|slow) variant (?:using block filters|inspecting all blocks)\))?/,
    ),
  ],
  ['still-rescanning', named(/Still rescanning\. At block (?<block>\d+)\. Progress=(?<share>\d+(?:\.\d+)?)/)],
  ['rescan-completed', named(/Rescan completed in\s+(?<milliseconds>\d+)ms/)],
  [
    'rescan-aborted',
    named(/Rescan (?:aborted|interrupted by shutdown request) at block (?<block>\d+)(?:\D.*)?/),
  ],
  ['converting', named(/Migrating wallet storage database from BerkeleyDB to SQLite\./)],
  // Releases up to 31 call both "watchonly"; the contents distinguish them.
  ['separating', named(/Making a new \w+ wallet containing the (?<into>watched|unwatched solvable) scripts/)],
  ['converted', named(/Wallet migration complete\./)],
  // "Keys:" up to 25, "Legacy Wallet Keys:" and "Descriptors: N, Descriptor Keys:" from 28 on.
  [
    'keys',
    named(
      /(?:Legacy Wallet |Descriptors: \d+, Descriptor )?Keys: (?<plaintext>\d+) plaintext, (?<encrypted>\d+) encrypted, .*/,
    ),
  ],
  ['node-started', FIRST_LINE],
  ['loading', /^(?:\[.*\] )?init message: Loading wallet(?:…|\.\.\.)$/],
  ['copied', /^(?:\[.*\] )?copied (?<paths>.+)$/],
];

function named(tail: RegExp): RegExp {
  return new RegExp(`^(?<brackets>\\[.*\\]) ${tail.source}$`);
}

/** `A to B`, where both may contain " to ". A wallet's file is usually `wallet.dat`. */
function copiedPaths(paths: string): { from: string; to: string } | undefined {
  const candidates = [...paths.matchAll(/ to /g)].map(({ index }) => ({
    from: paths.slice(0, index),
    to: paths.slice(index + ' to '.length),
  }));
  return candidates.find(({ from }) => /(?:^|[\\/])wallet\.dat$/.test(from)) ?? candidates[0];
}

function walletOf(brackets: string, names: readonly string[]): string {
  const known = names.filter((name) => brackets === labelOf(name) || brackets.endsWith(` ${labelOf(name)}`));
  const longest = known.sort((a, b) => b.length - a.length)[0];
  if (longest !== undefined) return longest;
  const label = brackets.replace(BEFORE_WALLET, '').slice(1, -1);
  return label === 'default wallet' ? '' : label;
}

function labelOf(name: string): string {
  return `[${name === '' ? 'default wallet' : name}]`;
}

/**
 * Prefixes before the wallet's name, in this order: `-logthreadnames`, `-logsourcelocations` (file and function),
 * category and level. Matches only known thread names.
 */
const BEFORE_WALLET =
  /^(?:\[(?:main|init|shutoff|scheduler|httpworker\.\d+|http|msghand|net|opencon|addcon|qt-\w+|b-[\w-]+)\] (?=\[))?(?:\[[\w./\\-]+\.(?:cpp|h):\d+\] \[[^\]]+\] (?=\[))?(?:\[(?:all|wallet|walletdb)?:?(?:trace|debug|info|warning|error)?\] (?=\[))?/;
