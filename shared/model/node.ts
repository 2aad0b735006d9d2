/**
 * Nodes: address, abilities and status, the connection to one, the found and remembered ones, and the only place that decides whether a
 * node is the same as before.
 */
import { z } from 'zod/mini';
import { appErrorShape } from './errors.ts';
import { network } from './network.ts';
import { count, fraction, nodeText, path, textUpTo, unixSeconds } from './shapes.ts';

/** The address of a node's RPC port. */
export const nodeAddress = z.object({
  host: z.string().check(z.minLength(1), z.maxLength(253)),
  port: z.int().check(z.gte(1), z.lte(65535)),
  tls: z.boolean(),
});
export type NodeAddress = z.infer<typeof nodeAddress>;

/** `host:port`, with brackets around IPv6. */
export function authorityOf(address: NodeAddress): string {
  const host = address.host.replace(/^\[|\]$/g, '');
  return `${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

/** Whether two addresses name one node. Two host names of one machine count as two nodes. */
export function isSameAddress(one: NodeAddress, other: NodeAddress): boolean {
  return one.host === other.host && one.port === other.port;
}

/** Whether it is 127.0.0.0/8 (also in IPv6 notation), ::1 or localhost. A tunnel to another machine looks the same. */
export function isLoopback(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/^::ffff:/, '');
  if (name === 'localhost' || name === '::1') return true;
  return name.startsWith('127.') && ipv4.safeParse(name).success;
}

const ipv4 = z.ipv4();

/** What a release of Bitcoin Core can do. `number` is the version of `getnetworkinfo` (280100). */
const release = z.object({
  number: count,
  /** `28.1` */
  text: z.string(),
  /** `no` before 24; `unlock-first` on 24.0 (an encrypted wallet is unlocked first); `yes` from 24.1 on. */
  migrates: z.enum(['no', 'unlock-first', 'yes']),
  /** False from 30 on: such a node neither loads nor restores a legacy wallet. */
  loadsLegacy: z.boolean(),
});
export type Release = z.infer<typeof release>;

/** The program that listens at a node's address on this machine, if the system names it. */
const listener = z.object({
  /** The id of the user that runs the program; `UNIDENTIFIED_USER` if the system maps several users to one id. */
  user: count,
  /** Identifies the listening socket since the machine started, and so one run of a node. */
  socket: textUpTo(1000),
});
export type Listener = z.infer<typeof listener>;

/** Identifies a folder of this machine, even if another one takes its path. */
export const folderMark = z.object({
  /** Device and inode in decimal: both can be larger than a number of JavaScript keeps exactly. */
  dev: textUpTo(40),
  ino: textUpTo(40),
  /** Creation time in nanoseconds; null if the disk does not record it. */
  born: z.nullable(textUpTo(40)),
});
export type FolderMark = z.infer<typeof folderMark>;

/** The one number that no user of Linux has: `(uid_t) -1`. */
export const UNIDENTIFIED_USER = 4_294_967_295;

/** What the app knows about the node that it is connected to. */
export const nodeStatus = z.object({
  label: z.string(),
  address: nodeAddress,
  /** Whether the node runs on this machine, so that the app can see its files. */
  local: z.boolean(),
  /** Whether it is the offline engine, which has no chain: its balances are the last known ones of each file. */
  offline: z.boolean(),
  network,
  release,
  blocks: count,
  headers: count,
  /** The time in its newest block, which its miner wrote. Absent before release 23. */
  newestBlockTime: z.optional(unixSeconds),
  syncProgress: fraction,
  initialBlockDownload: z.boolean(),
  pruned: z.boolean(),
  /** The lowest block of a pruned node, else null. */
  pruneHeight: z.nullable(count),
  blockFilters: z.enum(['on', 'building', 'off', 'unknown']),
  /** The node's log, if the app knows it and can read it. */
  logPath: z.nullable(path),
  /** The path of the log that the node reports, on its own machine; null if it reports none. */
  reportedLogPath: z.nullable(textUpTo(4096)),
  /** Its start, by its own `uptime` and this machine's clock; null if it does not report that. */
  started: z.nullable(unixSeconds),
  /**
   * The same by this machine's steady clock, in seconds since its boot. Since release 31, `uptime` counts by such a clock, which on
   * Linux stops while the machine sleeps. Null also in records of an earlier version of the app.
   */
  startedSteady: z._default(z.nullable(z.number()), null),
  /** Null if unknown: only Linux names it, and only on this machine. */
  listener: z.nullable(listener),
  /** The node's wallets folder, once proved: it contains every wallet of `listwalletdir`. Null for a node on another machine. */
  walletsFolder: z.nullable(path),
  /** The mark of that folder; null if the app cannot see it. */
  walletsFolderMark: z.nullable(folderMark),
  /** By its log, it was started with `-nosettings`: it saves no list of wallets to load at start. */
  noSettings: z.optional(z.literal(true)),
  /** Warnings of the node itself, verbatim. */
  warnings: z.array(nodeText),
});
export type NodeStatus = z.infer<typeof nodeStatus>;

export type ChainFacts = Pick<
  NodeStatus,
  'blocks' | 'headers' | 'initialBlockDownload' | 'newestBlockTime' | 'network' | 'offline'
>;

/**
 * Whether the node lacks blocks at that time (Unix seconds): more than the three that it may lack for a moment. After days asleep it is
 * behind without being in its initial download, and without peers it does not know of newer blocks. Only the main network never rests.
 */
export function isBehind(
  { blocks, headers, initialBlockDownload, newestBlockTime, network, offline }: ChainFacts,
  now = Date.now() / 1000,
): boolean {
  const isOld = network === 'main' && !offline && newestBlockTime !== undefined;
  return initialBlockDownload || headers - blocks > 3 || (isOld && now - newestBlockTime > MAX_BLOCK_AGE);
}

/** Whether a block of the main network is newer than this computer's clock, by more than a block may be (`MAX_FUTURE_BLOCK_TIME`). */
export function isClockBehind(
  { newestBlockTime, network, offline }: ChainFacts,
  now = Date.now() / 1000,
): boolean {
  return network === 'main' && !offline && newestBlockTime !== undefined && newestBlockTime > now + 7200;
}

/** Seconds: a day, because the clock of a computer with two systems may be hours ahead. */
const MAX_BLOCK_AGE = 86_400;

/** Identifies a node. Facts that neither the node nor the system reports are null. */
export const nodeIdentity = z.object({
  address: nodeAddress,
  network,
  /** Whether it says that it is an offline engine. */
  offline: z.boolean(),
  /** The number of its release. */
  release: z.nullable(count),
  walletsFolder: z.nullable(path),
  /** Absent in records of an earlier version of the app. */
  walletsFolderMark: z._default(z.nullable(folderMark), null),
  reportedLogPath: nodeStatus.shape.reportedLogPath,
  started: nodeStatus.shape.started,
  startedSteady: nodeStatus.shape.startedSteady,
  listener: nodeStatus.shape.listener,
});
export type NodeIdentity = z.infer<typeof nodeIdentity>;

export function identityOf(status: NodeStatus): NodeIdentity {
  return nodeIdentity.parse({ ...status, release: status.release.number });
}

/** The state of the connection to the node. */
export const connection = z.discriminatedUnion('state', [
  z.object({ state: z.literal('none') }),
  /** The node answers but is still starting; `message` is its own status text. */
  z.object({ state: z.literal('starting'), label: z.string(), message: nodeText }),
  z.object({ state: z.literal('connected'), node: nodeStatus }),
  /** The node stopped answering. The app keeps trying. */
  z.object({ state: z.literal('lost'), node: nodeStatus, error: appErrorShape, since: unixSeconds }),
]);
export type Connection = z.infer<typeof connection>;

export const foundNode = z.object({
  /** Stable for one data folder and network. */
  id: z.string(),
  dataFolder: path,
  network,
  address: nodeAddress,
  /** The login that the app would use: the cookie file, or user and password of `bitcoin.conf`. */
  credentials: z.enum(['cookie', 'config', 'none']),
  /** Its `bitcoin.conf` includes files that the app does not read: port and login may differ. */
  partlyRead: z.optional(z.literal(true)),
  state: z.discriminatedUnion('state', [
    z.object({ state: z.literal('ready'), node: nodeStatus }),
    z.object({ state: z.literal('starting'), message: nodeText }),
    /** A node asks for a login. The app has one, and sends it only to connect. */
    z.object({ state: z.literal('asks-login') }),
    z.object({
      state: z.literal('failed'),
      error: appErrorShape,
      /** That of a node that does not run: the app can work there without it. */
      walletsFolder: z.optional(path),
    }),
  ]),
});
export type FoundNode = z.infer<typeof foundNode>;

/** Whether connecting may work: also to a node that is starting, or that answered too late when the app looked. */
export function mayConnect({ state }: FoundNode): boolean {
  return state.state !== 'failed' || state.error.code === 'timed_out';
}

/** A node that the user connected to by hand, without its password. */
export const profile = z.object({
  id: z.string(),
  label: z.string(),
  address: nodeAddress,
  login: z.discriminatedUnion('by', [
    z.object({ by: z.literal('cookie'), cookieFile: path }),
    z.object({
      by: z.literal('password'),
      user: z.string(),
      /** True when the password is kept, encrypted by the system. */
      passwordSaved: z.boolean(),
    }),
  ]),
  lastUsed: unixSeconds,
});
export type Profile = z.infer<typeof profile>;

/**
 * The name of a release by the number that wallets and `getnetworkinfo` contain: `280100` → `28.1`, `210100` → `0.21.1`.
 * Names before 22 begin with 0. A last 0 is omitted.
 */
export function releaseText(version: number): string {
  const part = (unit: number) => Math.floor(version / unit) % 100;
  const [major, minor, build] = [Math.floor(version / 10_000), part(100), part(1)];
  if (major >= FIRST_WITHOUT_ZERO) return build === 0 ? `${major}.${minor}` : `${major}.${minor}.${build}`;
  return build === 0 ? `0.${major}.${minor}` : `0.${major}.${minor}.${build}`;
}

const FIRST_WITHOUT_ZERO = 22;

/** When a node started, by two clocks. */
export type NodeStart = Pick<NodeStatus, 'started' | 'startedSteady'>;

/**
 * Whether two start times mean one start. A release counts by one of the clocks, so one of them has to agree. Clock corrections and slow
 * answers allow a tolerance.
 */
export function isSameStart(one: NodeStart, other: NodeStart): boolean {
  const agree = (before: number | null, now: number | null) =>
    before !== null && now !== null && Math.abs(before - now) <= START_TOLERANCE;
  return agree(one.started, other.started) || agree(one.startedSteady, other.startedSteady);
}

/** Seconds. */
const START_TOLERANCE = 10;

/**
 * Whether this can be the known node, possibly restarted or at another port, as the offline engine always is. It needs the
 * same network and the same wallets folder, by whatever path, or, if that is unknown, the same log at the same address.
 * It must not belong to another user of this machine. Unknown facts decide nothing.
 */
export function isSameNode(known: NodeIdentity, now: NodeIdentity): boolean {
  if (now.network !== known.network || now.offline !== known.offline) return false;
  if (isOtherUser(known, now) || isOtherFolder(known, now)) return false;
  const sameLog = known.reportedLogPath === now.reportedLogPath;
  if (known.walletsFolder !== null && now.walletsFolder !== null) {
    return isSameWalletsFolder(known, now);
  }
  return isSameAddress(known.address, now.address) && (sameLog || known.reportedLogPath === null);
}

/** Whether both are one run of a node: same start, release, listening socket and log. */
export function isSameRun(known: NodeIdentity, now: NodeIdentity): boolean {
  const { walletsFolder, walletsFolderMark } = known;
  return findDifference(known, { ...now, walletsFolder, walletsFolderMark }) === null;
}

export type NodeDifference =
  | 'address'
  | 'user'
  | 'network'
  | 'release'
  | 'data_folder'
  | 'start_time'
  | 'listener';

/**
 * The first difference from the node of before, or null. A fact that was known before must be known now; other facts
 * decide nothing.
 */
export function findDifference(before: NodeIdentity, now: NodeIdentity): NodeDifference | null {
  if (!isSameAddress(before.address, now.address)) return 'address';
  if (isOtherUser(before, now)) return 'user';
  if (before.network !== now.network) return 'network';
  if (before.offline !== now.offline || (before.release !== null && before.release !== now.release))
    return 'release';
  // An unproved folder counts as the same if the log is still at its place.
  const [folder, folderNow] = [before.walletsFolder, now.walletsFolder];
  const isElsewhere = folder !== null && folderNow !== null && folder !== folderNow;
  const hasOtherLog = before.reportedLogPath !== null && before.reportedLogPath !== now.reportedLogPath;
  if (hasOtherLog || isElsewhere || isOtherFolder(before, now)) return 'data_folder';
  if (before.started !== null && !isSameStart(before, now)) return 'start_time';
  if (before.listener !== null && before.listener.socket !== now.listener?.socket) return 'listener';
  return null;
}

/**
 * Whether two known wallets folders are one, unless their marks differ. A link may lead to it; with another path, the disk has to be the
 * same too, as a copied disk has folders with the same inode and creation time.
 */
export function isSameWalletsFolder(one: WalletsFolder, other: WalletsFolder): boolean {
  const isSameDisk = one.walletsFolderMark?.dev === other.walletsFolderMark?.dev;
  return one.walletsFolder === other.walletsFolder || (isSameDisk && isSameFolder(one, other) === true);
}

interface WalletsFolder extends MarkedFolder {
  readonly walletsFolder?: string | null | undefined;
}

interface MarkedFolder {
  readonly walletsFolderMark?: FolderMark | null | undefined;
}

/** Whether another folder may have taken the path of the wallets folder while the app watched it. Unknown marks decide nothing. */
function isOtherFolder(known: MarkedFolder, now: MarkedFolder): boolean {
  return !!known.walletsFolderMark && !!now.walletsFolderMark && isSameFolder(known, now) !== true;
}

/**
 * Whether both are one folder. Null if unknown: a new mount may change a disk's number and a folder's inode, but never its
 * creation time, which not every system keeps.
 */
export function isSameFolder(
  { walletsFolderMark: one }: MarkedFolder,
  { walletsFolderMark: other }: MarkedFolder,
): boolean | null {
  if (!one || !other) return null;
  const birthKnown = one.born !== null && other.born !== null;
  if (birthKnown && one.born === other.born) return true;
  if (one.ino === other.ino && (one.dev === other.dev || !birthKnown)) return true;
  return birthKnown ? false : null;
}

/** Root may listen for a container. If the system maps several users to one id, another socket means another user. */
export function isListenerOfOtherUser(known: Listener, now: Listener): boolean {
  if (now.user === UNIDENTIFIED_USER && known.user === UNIDENTIFIED_USER) return now.socket !== known.socket;
  return now.user !== known.user && now.user !== ROOT_USER;
}

function isOtherUser(known: NodeIdentity, now: NodeIdentity): boolean {
  if (known.listener === null || now.listener === null) return false;
  return isListenerOfOtherUser(known.listener, now.listener);
}

/** The id of the superuser on Unix. */
export const ROOT_USER = 0;
