/** The things both sides talk about: nodes, wallets, files and operations, as zod schemas and their types. */
import { z } from 'zod';
import { appErrorShape, nodeWords } from './errors.ts';
import { satoshi } from './money.ts';
import { network } from './network.ts';
import { proof, safetyCopy } from './safety.ts';

/** Seconds since 1970, as the node and file systems give them. */
const unixSeconds = z.number().nonnegative();
const path = z.string().min(1).max(4096);
const blocks = z.number().int().nonnegative();
/** A share of a whole, 0 to 1. */
const fraction = z.number().min(0).max(1);
/** What arrived from a node: any text it may have put there, bounded so that it cannot flood the page. */
const nodeText = z.string().max(20_000);

/** Where a node's RPC port is. */
export const nodeAddress = z.object({
  host: z.string().min(1).max(253),
  port: z.number().int().min(1).max(65535),
  tls: z.boolean(),
});
export type NodeAddress = z.infer<typeof nodeAddress>;

/** What a release of Bitcoin Core can do for us. `number` is its version as `getnetworkinfo` gives it (280100). */
export const release = z.object({
  number: z.number().int().nonnegative(),
  /** `28.1` */
  text: z.string(),
  /** `no` before 24; `unlock-first` on 24 (an encrypted wallet is unlocked first); `yes` from 25 on. */
  migrates: z.enum(['no', 'unlock-first', 'yes']),
  /** False from 30 on: such a node neither loads nor restores a legacy wallet. */
  loadsLegacy: z.boolean(),
});
export type Release = z.infer<typeof release>;

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
  subversion: nodeText,
  blocks,
  headers: blocks,
  syncProgress: fraction,
  initialBlockDownload: z.boolean(),
  pruned: z.boolean(),
  /** The lowest block a pruned node still has, else null. */
  pruneHeight: blocks.nullable(),
  blockFilters: z.enum(['on', 'building', 'off', 'unknown']),
  /** The node's log, when it is known and can be read here. */
  logPath: path.nullable(),
  /** The folder of the node's wallets, only when it is proved: every wallet of `listwalletdir` lies in it. */
  walletsFolder: path.nullable(),
  /** Warnings of the node itself, verbatim. */
  warnings: z.array(nodeText),
});
export type NodeStatus = z.infer<typeof nodeStatus>;

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

/** A node found on this machine. */
export const foundNode = z.object({
  /** Stable for one data folder and network. */
  id: z.string(),
  dataFolder: path,
  network,
  address: nodeAddress,
  /** How the app would log in: the node's cookie file, or user and password from `bitcoin.conf`. */
  credentials: z.enum(['cookie', 'config', 'none']),
  state: z.discriminatedUnion('state', [
    z.object({ state: z.literal('ready'), node: nodeStatus, wallets: z.number().int().nullable() }),
    z.object({ state: z.literal('starting'), message: nodeText }),
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

/** One wallet in the node's wallets folder. What is null is not known (the wallet is not loaded, or busy). */
export const wallet = z.object({
  /** Empty for the unnamed wallet, a bare `wallet.dat` in the wallets folder. */
  name: nodeText,
  kind: z.enum(['descriptor', 'legacy', 'unknown']),
  loaded: z.boolean(),
  encrypted: z.boolean().nullable(),
  watchOnly: z.boolean().nullable(),
  /** Spendable, unconfirmed and immature together. */
  balance: satoshi.nullable(),
  /** Of these, confirmed and spendable. */
  spendable: satoshi.nullable(),
  transactions: z.number().int().nonnegative().nullable(),
  birthTime: unixSeconds.nullable(),
  /** Set while the node rescans for this wallet: the share done. */
  scanning: fraction.nullable(),
  /** What `listwalletdir` warned of, verbatim. */
  warnings: z.array(nodeText),
  /** True while its details are still being asked for. */
  pending: z.boolean(),
  /** Why its details could not be read. */
  problem: appErrorShape.nullable(),
});
export type Wallet = z.infer<typeof wallet>;

/** What a file's header tells, before anything is done with it. */
export const fileFacts = z.object({
  /** Absolute, links resolved. */
  path,
  name: z.string(),
  folder: path,
  /** Bytes. */
  size: z.number().int().nonnegative(),
  modified: unixSeconds,
  kind: z.enum(['descriptor-wallet', 'legacy-wallet', 'other']),
  /** In words: "descriptor wallet (SQLite)", "PNG picture", "empty file". */
  description: z.string(),
  /** The network a descriptor wallet belongs to. A legacy wallet's header does not tell. */
  network: network.nullable(),
  /** The file is shorter than its own header says. */
  truncated: z.boolean(),
  /** A name for the restored wallet, from the file's name or its folder. */
  suggestedName: z.string(),
});
export type FileFacts = z.infer<typeof fileFacts>;

/** One line of the app's own file dialog. */
export const folderEntry = z.object({
  name: z.string(),
  path,
  kind: z.enum(['folder', 'file', 'special']),
  size: z.number().int().nonnegative().nullable(),
  modified: unixSeconds.nullable(),
});
export type FolderEntry = z.infer<typeof folderEntry>;

export const folderListing = z.object({
  path,
  parent: path.nullable(),
  /** At most 5,000; `truncated` tells when there are more. Folders first, then by name. */
  entries: z.array(folderEntry),
  truncated: z.boolean(),
  /** Places to start from: home, the wallets folder, mounted sticks. */
  places: z.array(z.object({ label: z.string(), path })),
});
export type FolderListing = z.infer<typeof folderListing>;

/** A backup that migrations left beside the wallets. */
export const foundBackup = z.object({
  path,
  name: z.string(),
  size: z.number().int(),
  modified: unixSeconds,
});
export type FoundBackup = z.infer<typeof foundBackup>;

export const operationKinds = ['restore', 'migrate', 'restore-migrate', 'backup'] as const;

/** The phases of long work, in the order in which they come. */
export const phases = [
  'preparing',
  'safety-copy',
  'placing',
  'sent',
  'backing-up',
  'converting',
  'separating',
  'loading',
  'rescanning',
  'verifying',
  'proving',
] as const;
export type Phase = (typeof phases)[number];

export const step = z.object({
  phase: z.enum(phases),
  state: z.enum(['waiting', 'running', 'done', 'skipped']),
});
export type Step = z.infer<typeof step>;

/** How far a rescan is. */
export const progress = z.object({
  /** `log`: the node's log; `scanning`: `getwalletinfo`. */
  source: z.enum(['log', 'scanning']),
  /** Which wallet is being rescanned. */
  wallet: nodeText,
  fraction,
  /** The block it is at and how many there are to look at, where the log tells. */
  block: blocks.nullable(),
  blocks: blocks.nullable(),
  /** Seconds left, only once the estimate is stable. */
  secondsLeft: z.number().nonnegative().nullable(),
  /** Whether block filters make it fast. Null until the log says. */
  fast: z.boolean().nullable(),
});
export type Progress = z.infer<typeof progress>;

/** A new backup of one wallet, as it was verified. */
export const backupProof = z.discriminatedUnion('seen', [
  z.object({
    seen: z.literal(true),
    path,
    size: z.number().int(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  /** The file lies on the node's machine, where the app cannot look. */
  z.object({ seen: z.literal(false), path }),
]);
export type BackupProof = z.infer<typeof backupProof>;

/** What came of an operation that ended well. Fields are null when the line was lost and the node's answer with it. */
export const operationResult = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('restore'),
    walletName: nodeText,
    walletKind: z.enum(['descriptor', 'legacy', 'unknown']),
    balance: satoshi.nullable(),
  }),
  z.object({
    kind: z.literal('migrate'),
    /** The primary wallet. It can differ from the name asked for when the legacy wallet only watched. */
    walletName: nodeText,
    watchonlyName: nodeText.nullable(),
    solvablesName: nodeText.nullable(),
    backupPath: nodeText.nullable(),
    /** Whether the backup's file can be seen from here. Null when it cannot be told (remote node). */
    backupSeen: z.boolean().nullable(),
  }),
  z.object({ kind: z.literal('backup'), walletName: nodeText, proof: backupProof }),
]);
export type OperationResult = z.infer<typeof operationResult>;

/** One long-running work as it stands now. The same shape is emitted at each change. */
export const operation = z.object({
  id: z.string(),
  kind: z.enum(operationKinds),
  wallet: nodeText,
  node: z.object({ label: z.string(), address: nodeAddress, network, release: z.string() }),
  /** `unknown`: it ended without the app being able to tell how; `error` says what is known. */
  state: z.enum(['running', 'done', 'failed', 'unknown']),
  /** `lost` while the node does not answer; the work may go on there all the same. */
  line: z.enum(['ok', 'lost']),
  /** Since when the node has not been heard at all, though it was asked; absent while it is. */
  silentSince: unixSeconds.optional(),
  steps: z.array(step),
  /** Where progress comes from. `time`: only the elapsed time is known. */
  measured: z.enum(['log', 'scanning', 'time']),
  progress: progress.nullable(),
  /** Unix seconds, with fractions. */
  started: unixSeconds,
  ended: unixSeconds.nullable(),
  /** Verbatim, as the node gave them. */
  warnings: z.array(nodeText),
  result: operationResult.nullable(),
  error: appErrorShape.nullable(),
  /** The app's own copy of the wallet, once it is made. */
  safetyCopy: safetyCopy.nullable(),
  /** Of a migration that is done, once both sides are compared. */
  proof: proof.nullable(),
  /** True once the app was away while it ran: what came of it was found out afterwards. */
  resumed: z.boolean(),
  /** The node's last log lines since the start, verbatim, at most 200. */
  log: z.array(nodeText),
});
export type Operation = z.infer<typeof operation>;

/** What the page must know of where it runs. */
export const appInfo = z.object({
  version: z.string(),
  entry: z.enum(['electron', 'browser']),
  platform: z.enum(['linux', 'darwin', 'win32', 'other']),
  /** `native`: the system's dialogs; `own`: the app's own, over `files.browse`. */
  fileDialogs: z.enum(['native', 'own']),
  canShowInFolder: z.boolean(),
  /** True only when the system truly encrypts what is saved. */
  canSaveSecrets: z.boolean(),
});
export type AppInfo = z.infer<typeof appInfo>;

export { type Network, network, networks } from './network.ts';
export { nodeWords };

/** Whether two addresses are of one node. A name that leads to the same machine counts as another. */
export function sameNode(one: NodeAddress, other: NodeAddress): boolean {
  return one.host === other.host && one.port === other.port;
}
