/** Nodes: where one is, what it can do, how the app stands with it, those found and those remembered. */
import { z } from 'zod';
import { appErrorShape } from './errors.ts';
import { network } from './network.ts';
import { count, fraction, nodeText, path, unixSeconds } from './shapes.ts';

/** Where a node's RPC port is. */
export const nodeAddress = z.object({
  host: z.string().min(1).max(253),
  port: z.number().int().min(1).max(65535),
  tls: z.boolean(),
});
export type NodeAddress = z.infer<typeof nodeAddress>;

/** Whether two addresses are of one node. A name that leads to the same machine counts as another. */
export function sameNode(one: NodeAddress, other: NodeAddress): boolean {
  return one.host === other.host && one.port === other.port;
}

/** What a release of Bitcoin Core can do for us. `number` is its version as `getnetworkinfo` gives it (280100). */
export const release = z.object({
  number: count,
  /** `28.1` */
  text: z.string(),
  /** `no` before 24; `unlock-first` on 24.0 (an encrypted wallet is unlocked first); `yes` from 24.1 on. */
  migrates: z.enum(['no', 'unlock-first', 'yes']),
  /** False from 30 on: such a node neither loads nor restores a legacy wallet. */
  loadsLegacy: z.boolean(),
});
export type Release = z.infer<typeof release>;

/** Who listens at a node's address on this machine, where the system tells. */
export const listener = z.object({
  /** The number of the user that the program runs as; `UNTOLD_USER` where the system has one for many. */
  user: count,
  /** Tells the listening socket from every other one since the machine started, and so one run of a node from another. */
  socket: z.string().max(1000),
});
export type Listener = z.infer<typeof listener>;

/** By what a folder of this machine is known again, whatever lies at its path by then. */
const folderMark = z.object({
  /** Device and inode in decimal: both can be larger than a number of JavaScript keeps exactly. */
  dev: z.string().max(40),
  ino: z.string().max(40),
  /** When it was made, in nanoseconds; null where the disk does not keep that. */
  born: z.string().max(40).nullable(),
});
export type FolderMark = z.infer<typeof folderMark>;

/** The one number that no user of Linux has: `(uid_t) -1`. */
export const UNTOLD_USER = 4_294_967_295;

/** What the app knows of the node it is connected to. */
export const nodeStatus = z.object({
  label: z.string(),
  address: nodeAddress,
  /** True when the node runs on this machine, so that its files can be seen here. */
  local: z.boolean(),
  /** True for the offline engine: it holds no chain, and its balances are what each file last knew. */
  offline: z.boolean(),
  network,
  release,
  blocks: count,
  headers: count,
  syncProgress: fraction,
  initialBlockDownload: z.boolean(),
  pruned: z.boolean(),
  /** The lowest block a pruned node still has, else null. */
  pruneHeight: count.nullable(),
  blockFilters: z.enum(['on', 'building', 'off', 'unknown']),
  /** The node's log, when it is known and can be read here. */
  logPath: path.nullable(),
  /** Where the node says that its log is, word for word and on its own machine; null when it does not say. */
  logTold: z.string().max(4096).nullable(),
  /** When it started, by its own `uptime` and this machine's clock; null when it does not say. */
  started: unixSeconds.nullable(),
  /** Null where the system does not tell: only Linux does, and only of this machine. */
  listener: listener.nullable(),
  /** The folder of the node's wallets, only when it is proved: every wallet of `listwalletdir` lies in it. */
  walletsFolder: path.nullable(),
  /** Of that folder; null where it is not known or cannot be looked at. */
  walletsFolderMark: folderMark.nullable(),
  /** Warnings of the node itself, verbatim. */
  warnings: z.array(nodeText),
});
export type NodeStatus = z.infer<typeof nodeStatus>;

/** By what a node is known again. What it does not tell, or the system does not, is null. */
export const nodeIdentity = z.object({
  address: nodeAddress,
  network,
  /** True for the app's own offline engine, or what calls itself one. */
  offline: z.boolean(),
  /** The number of its release. */
  release: count.nullable(),
  walletsFolder: path.nullable(),
  /** An earlier version of the app did not write it down. */
  walletsFolderMark: folderMark.nullable().default(null),
  logTold: nodeStatus.shape.logTold,
  started: nodeStatus.shape.started,
  listener: nodeStatus.shape.listener,
});
export type NodeIdentity = z.infer<typeof nodeIdentity>;

export function identityOf(status: NodeStatus): NodeIdentity {
  const { address, network, offline, release, walletsFolder, walletsFolderMark, logTold, started, listener } =
    status;
  return {
    ...{ address, network, offline, release: release.number },
    ...{ walletsFolder, walletsFolderMark, logTold, started, listener },
  };
}

/** How the app stands with its node. */
export const connection = z.discriminatedUnion('state', [
  z.object({ state: z.literal('none') }),
  /** Reached, but it is still starting: `message` is what it says it is doing. */
  z.object({ state: z.literal('starting'), label: z.string(), message: nodeText }),
  z.object({ state: z.literal('connected'), node: nodeStatus }),
  /** Was connected and does not answer now. The app keeps trying. */
  z.object({ state: z.literal('lost'), node: nodeStatus, error: appErrorShape, since: unixSeconds }),
]);
export type Connection = z.infer<typeof connection>;

export const foundNode = z.object({
  /** Stable for one data folder and network. */
  id: z.string(),
  dataFolder: path,
  network,
  address: nodeAddress,
  /** How the app would log in: the node's cookie file, or user and password from `bitcoin.conf`. */
  credentials: z.enum(['cookie', 'config', 'none']),
  /** Its `bitcoin.conf` includes more than the app reads: the node may listen elsewhere, or want another login. */
  partlyRead: z.literal(true).optional(),
  state: z.discriminatedUnion('state', [
    z.object({ state: z.literal('ready'), node: nodeStatus, wallets: z.number().int().nullable() }),
    z.object({ state: z.literal('starting'), message: nodeText }),
    /** A node answers and asks for a login, which the app has and sends only when it is to connect. */
    z.object({ state: z.literal('asks-login') }),
    z.object({ state: z.literal('failed'), error: appErrorShape }),
  ]),
});
export type FoundNode = z.infer<typeof foundNode>;

/** A node the user connected to by hand, remembered without its secret. */
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
