/** Long-running work of the app: what it is, how far it is, and what came of it. */
import { z } from 'zod';
import { appErrorShape } from './errors.ts';
import { satoshi } from './money.ts';
import { network } from './network.ts';
import { nodeAddress } from './node.ts';
import { interruption, proof, rescueFacts, safetyCopy } from './safety.ts';
import { count, fraction, nodeText, path, sha256, unixSeconds } from './shapes.ts';

export const jobKind = z.enum(['restore', 'migrate', 'restore-migrate', 'rescue', 'backup', 'rescan']);

export const step = z.object({
  /** The phases of long work, in the order in which they come. */
  phase: z.enum([
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
  ]),
  state: z.enum(['waiting', 'running', 'done', 'skipped']),
});
export type Step = z.infer<typeof step>;
export type Phase = Step['phase'];

/** How far a rescan is. */
export const progress = z.object({
  wallet: nodeText,
  fraction,
  /** The block it is at and how many there are to look at, where the log tells. */
  block: count.nullable(),
  blocks: count.nullable(),
  /** Seconds left, only once the estimate is stable. */
  secondsLeft: z.number().nonnegative().nullable(),
  /** Whether block filters make it fast. Null until the log says. */
  fast: z.boolean().nullable(),
});
export type Progress = z.infer<typeof progress>;

/** A new backup of one wallet, as it was verified. */
const backupProof = z.discriminatedUnion('seen', [
  z.object({ seen: z.literal(true), path, size: z.number().int(), sha256 }),
  /** The file lies on the node's machine, where the app cannot look. */
  z.object({ seen: z.literal(false), path }),
]);
export type BackupProof = z.infer<typeof backupProof>;

/** `touched`: written to, or put in its place anew, with the same content. */
const backupAfter = z.enum(['changed', 'touched', 'unreadable']);
export type BackupAfter = z.infer<typeof backupAfter>;

/** What a node found for a wallet. */
const found = {
  /** Unix seconds: it looked for no payments from before this. Absent where it looked at all blocks, or had none. */
  since: unixSeconds.optional(),
  /** How many transactions the wallet has. Absent where the node did not say. */
  transactions: count.optional(),
};

const holdings = z.object({ balance: satoshi, transactions: count }).nullable();
const renamed = z.object({ name: nodeText, newName: nodeText });
/** `path`: where it lies; absent in results of an earlier version of the app. */
const movedWallet = renamed.extend({ path: path.optional() });

/** What came of a job that ended well. Fields are null when the line was lost and the node's answer with it. */
const jobResult = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('restore'),
    walletName: nodeText,
    walletKind: z.enum(['descriptor', 'legacy', 'unknown']),
    balance: satoshi.nullable(),
    /** Absent where nothing did, and for a file that the app cannot see. */
    backupAfter: backupAfter.optional(),
    /** Where the backup lies now. An earlier version of the app did not keep it. */
    backupFile: nodeText.optional(),
    /** The node was started anew meanwhile, and has not loaded it. */
    leftUnloaded: z.literal(true).optional(),
    /** Of a wallet that was put back: what was half-made, and the name that it has now. It may have kept its own. */
    movedWallets: z.array(movedWallet).optional(),
    /** Of an undone migration: the wallets that came of it and made room, if any. */
    renamedWallets: z.array(renamed).optional(),
    /** Of a rescue. */
    rescue: rescueFacts.optional(),
    ...found,
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
    /** The node has not loaded the main one: it was told not to, or was started anew meanwhile. */
    leftUnloaded: z.literal(true).optional(),
    /** Of a wallet that was put back: as above. */
    movedWallets: z.array(movedWallet).optional(),
    /** Of a rescue. */
    rescue: rescueFacts.optional(),
    ...found,
  }),
  z.object({
    kind: z.literal('backup'),
    walletName: nodeText,
    proof: backupProof,
    /** It was loaded for the backup alone, and is loaded still. */
    leftLoaded: z.literal(true).optional(),
  }),
  z.object({
    kind: z.literal('rescan'),
    walletName: nodeText,
    /** Heights of the first and the last block that the node looked at. `to` is null where nobody told. */
    from: count,
    to: count.nullable(),
    /** What the node said the wallet held before and after. Null where it did not say. */
    before: holdings,
    after: holdings,
  }),
]);
export type JobResult = z.infer<typeof jobResult>;
export type MigrationResult = Extract<JobResult, { kind: 'migrate' }>;

/** A copy of a backup, with its keys, that the app placed for a node and could not take away again. */
export const leftCopy = z.object({
  path,
  /** Why it is still there and what to do, in sentences. */
  text: z.string().max(4000),
});
export type LeftCopy = z.infer<typeof leftCopy>;

/** One long-running work as it stands now. The same shape is emitted at each change. */
export const job = z.object({
  id: z.string(),
  kind: jobKind,
  wallet: nodeText,
  node: z.object({
    label: z.string(),
    address: nodeAddress,
    network,
    release: z.string(),
    /** Whether it was the offline engine. Absent in a journal of an earlier version of the app. */
    offline: z.boolean().optional(),
  }),
  /**
   * `failed`: nothing was changed. `interrupted`: the wallet was left half-made, and `interruption` says what puts it back.
   * `unknown`: the app could not tell, and asks again whenever it can; `error` says what is known.
   */
  state: z.enum(['running', 'done', 'failed', 'interrupted', 'unknown']),
  /** `lost`: the node does not answer; it may work on. `another-node` answers in its place, and is not believed. */
  connection: z.enum(['ok', 'lost', 'another-node']),
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
  result: jobResult.nullable(),
  error: appErrorShape.nullable(),
  /** The app's own copy of the wallet, once it is made. */
  safetyCopy: safetyCopy.nullable(),
  /** Of an interrupted one. */
  interruption: interruption.optional(),
  /** Absent where there is none. The app tries again to take it away whenever it meets the node, and at each start. */
  leftCopy: leftCopy.optional(),
  /** Of a migration that is done, once both sides are compared. */
  proof: proof.nullable(),
  /** True once the app was away while it ran: what came of it was found out afterwards. */
  resumed: z.boolean(),
  /** The node's last log lines since the start, verbatim, at most 200. */
  log: z.array(nodeText),
});
export type Job = z.infer<typeof job>;
