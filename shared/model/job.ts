/** A job: what it does, how far it is, and its result. */
import { z } from 'zod/mini';
import { type AppErrorShape, appErrorShape } from './errors.ts';
import type { WalletPart } from './migrationPreview.ts';
import { satoshi } from './money.ts';
import { isSameWalletName } from './names/walletName.ts';
import { type Network, network, networks } from './network.ts';
import { folderMark, isSameAddress, isSameFolder, isSameWalletsFolder, nodeAddress } from './node.ts';
import { interruption, leftCopy, proof, rescueFacts, safetyCopy } from './safety.ts';
import { count, fraction, nodeText, path, sha256, textUpTo, unixSeconds } from './shapes.ts';
import { walletIds } from './wallet.ts';

export const jobKind = z.enum(['restore', 'migrate', 'restore-migrate', 'rescue', 'backup', 'rescan']);

const step = z.object({
  /** The phases of a job, in their order. */
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
  /** When it was done, in Unix seconds. Absent if the app did not see that, and in older jobs. */
  ended: z.optional(unixSeconds),
});
export type Step = z.infer<typeof step>;
export type Phase = Step['phase'];

/** How far a rescan is. */
const progress = z.object({
  wallet: nodeText,
  fraction,
  /** The current block and the number of blocks to scan, if the log names them. */
  block: z.nullable(count),
  blocks: z.nullable(count),
  /** Seconds left, only once the estimate is stable. */
  secondsLeft: z.nullable(z.number().check(z.nonnegative())),
  /** Whether block filters speed it up. Null until the log shows it. */
  fast: z.nullable(z.boolean()),
});
export type Progress = z.infer<typeof progress>;

/** The verified facts of one wallet's new backup. */
const backupProof = z.discriminatedUnion('seen', [
  z.object({
    seen: z.literal(true),
    path,
    size: z.int(),
    sha256,
    /** The folder with the file. Absent if unknown, and in older results. */
    folder: z.optional(folderMark),
    /** Changes with the file. Absent in older results. */
    mark: z.optional(textUpTo(200)),
    /** Other users of this Windows computer may be able to read it. Absent otherwise, and in older results. */
    othersMayRead: z.optional(z.literal(true)),
  }),
  /** The file lies on the node's machine, where the app cannot look. */
  z.object({ seen: z.literal(false), path }),
]);
export type BackupProof = z.infer<typeof backupProof>;

/** The backup's file after the restore. `touched`: rewritten or replaced with the same content. */
const backupAfter = z.enum(['changed', 'touched', 'unreadable']);
export type BackupAfter = z.infer<typeof backupAfter>;

export const walletRename = z.object({ name: nodeText, newName: nodeText });
export type WalletRename = Readonly<z.infer<typeof walletRename>>;
/** `path`: its folder; absent in results of an earlier version of the app. */
export const movedWallet = z.extend(walletRename, { path: z.optional(path) });

/** For new wallets: what the node's rescan covered and found, and which wallets were renamed or rescued. */
const found = {
  /** Unix seconds: the node did not scan for older payments. Absent if it scanned all blocks, or had none. */
  since: z.optional(unixSeconds),
  /** The number of transactions. Absent if the node did not say. */
  transactions: z.optional(count),
  /** The node found payments, but needs the passphrase to make the addresses after them: it did not scan for later ones. */
  locked: z.optional(z.literal(true)),
  /** How far the node was if it was still syncing: it lacks the payments in newer blocks. */
  syncing: z.optional(z.object({ blocks: count, headers: count })),
  /** After a wallet was put back: the incomplete wallets, and the names that they have now. */
  movedWallets: z.optional(z.array(movedWallet)),
  rescue: z.optional(rescueFacts),
};

const holdings = z.nullable(z.object({ balance: satoshi, transactions: count }));

/** The result of a successful job. Fields are null if the connection broke and the node's answer was lost. */
const jobResult = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('restore'),
    walletName: nodeText,
    walletKind: z.enum(['descriptor', 'legacy', 'unknown']),
    balance: z.nullable(satoshi),
    /** Absent if nothing changed, and for a file that the app cannot see. */
    backupAfter: z.optional(backupAfter),
    /** True if the backup's content was the same before and after. Absent if the app could not compare it. */
    backupSeen: z.optional(z.literal(true)),
    /** Where the backup lies now. An earlier version of the app did not keep it. */
    backupFile: z.optional(nodeText),
    /** Of the backup when the plan was made. Absent if the app could not read it, and in older results. */
    backupSha256: z.optional(sha256),
    /** The wallet has no private keys. */
    watches: z.optional(z.literal(true)),
    /** The node was restarted meanwhile, and has not loaded the wallet. */
    leftUnloaded: z.optional(z.literal(true)),
    /** After an undo: the wallets of the migration that were renamed to free their names. */
    renamedWallets: z.optional(z.array(walletRename)),
    /** Satoshi that only these wallets see, such as payments since the migration. Absent for none, and if unknown. */
    newCoins: z.optional(satoshi),
    ...found,
  }),
  z.object({
    kind: z.literal('migrate'),
    /** The primary wallet. A watch-only legacy wallet can get another name than the requested one. */
    walletName: nodeText,
    watchonlyName: z.nullable(nodeText),
    solvablesName: z.nullable(nodeText),
    backupPath: z.nullable(nodeText),
    /** Whether the app sees the backup's file: in lists, as of now; in the journal, as of the job's end. Null on a remote node. */
    backupSeen: z.nullable(z.boolean()),
    /** The node has not loaded the main wallet: by request, or because it was restarted meanwhile. */
    leftUnloaded: z.optional(z.literal(true)),
    /** A later job undid it and renamed its wallets. Only in lists, never in the journal. */
    undone: z.optional(z.literal(true)),
    ...found,
  }),
  z.object({
    kind: z.literal('backup'),
    walletName: nodeText,
    proof: backupProof,
    /** The wallet’s kind, encryption, birth and keys when it was saved. Absent if unknown, and the keys and scripts in older results. */
    saved: z.optional(
      z.object({
        kind: z.enum(['descriptor', 'legacy']),
        encrypted: z.boolean(),
        birthTime: z.optional(unixSeconds),
        ...walletIds.shape,
      }),
    ),
    /** What became of the backup's file since: removed or changed, or out of reach. Only in lists, never in the journal. */
    fileNow: z.optional(z.enum(['gone', 'out-of-reach'])),
    /** The app loaded it for the backup only, and it is still loaded. */
    leftLoaded: z.optional(z.literal(true)),
  }),
  z.object({
    kind: z.literal('rescan'),
    walletName: nodeText,
    /** Heights of the first and last scanned block. `to` is null if unknown. */
    from: count,
    to: z.nullable(count),
    /** The wallet's holdings before and after, by the node. Null if it did not say. */
    before: holdings,
    after: holdings,
    syncing: found.syncing,
  }),
]);
export type JobResult = z.infer<typeof jobResult>;
export type MigrationResult = Extract<JobResult, { kind: 'migrate' }>;
export type RestoreResult = Extract<JobResult, { kind: 'restore' }>;
export type BackupResult = Extract<JobResult, { kind: 'backup' }>;
export type RescanResult = Extract<JobResult, { kind: 'rescan' }>;
export type NewWalletResult = MigrationResult | RestoreResult;

/** The result, if the job made wallets; null for others. */
export function newWalletResult(result: JobResult | null): NewWalletResult | null {
  return result?.kind === 'migrate' || result?.kind === 'restore' ? result : null;
}

export type MigratedNames = Pick<MigrationResult, 'walletName' | 'watchonlyName' | 'solvablesName'>;

/** The one to three wallets of a migration, each once, the main one first. Without spendable keys, the main result is one of the others. */
export function migratedWallets({
  walletName,
  watchonlyName,
  solvablesName,
}: MigratedNames): { part: WalletPart; name: string }[] {
  const isOther = walletName === watchonlyName || walletName === solvablesName;
  return [
    ...(isOther ? [] : [{ part: 'primary' as const, name: walletName }]),
    ...(watchonlyName === null ? [] : [{ part: 'watchonly' as const, name: watchonlyName }]),
    ...(solvablesName === null ? [] : [{ part: 'solvables' as const, name: solvablesName }]),
  ];
}

/** The current state of one job. Each change emits the same shape, with only the new lines of `log`. */
export const job = z.object({
  id: z.string(),
  kind: jobKind,
  wallet: nodeText,
  /** What the user chose, where the kind does not say it. Absent in jobs of an earlier version of the app. */
  action: z.optional(z.enum(['undo', 'put-back'])),
  /** The file that is restored or rescued. Its hash is that of its content, with its journal. Absent where it was not read, and in older jobs. */
  file: z.optional(z.object({ path, sha256 })),
  /** The `passphraseId` of the wallet before; null without a passphrase. Absent where it was not read, and in older jobs. */
  oldPassphraseId: z.optional(z.nullable(sha256)),
  /** A restore of the repaired copy of a descriptor wallet. */
  rescues: z.optional(z.literal(true)),
  /** The node unlocked the wallet for it, and keeps it unlocked if the app is closed. */
  unlocks: z.optional(z.literal(true)),
  /** A restore whose result is compared with a file. */
  isCompared: z.optional(z.literal(true)),
  node: z.object({
    label: z.string(),
    address: nodeAddress,
    network,
    release: z.string(),
    /** Whether it was the offline engine. Absent in a journal of an earlier version of the app. */
    offline: z.optional(z.boolean()),
    /** Null if unknown, as on another machine. Absent in a journal of an earlier version of the app. */
    walletsFolder: z.optional(z.nullable(path)),
    walletsFolderMark: z.optional(z.nullable(folderMark)),
  }),
  /**
   * `failed`: no wallet was lost; an undo may leave wallets renamed. `interrupted`: the wallet was left incomplete, and
   * `interruption` says what puts it back. `unknown`: the app could not find out, and tries again whenever it can, unless the job
   * is `replaced`; `error` says what is known.
   */
  state: z.enum(['running', 'done', 'failed', 'interrupted', 'unknown']),
  /** `lost`: the node does not answer; it may work on. `another-node` answers in its place, and the app ignores its answers. */
  connection: z.enum(['ok', 'lost', 'another-node']),
  /** Since when the node has not answered; absent while it answers. */
  silentSince: z.optional(unixSeconds),
  steps: z.array(step),
  /** The source of the progress. `time`: only the elapsed time is known. */
  measured: z.enum(['log', 'scanning', 'time']),
  progress: z.nullable(progress),
  /** Unix seconds, with fractions. */
  started: unixSeconds,
  /** When the app knew the outcome. */
  ended: z.nullable(unixSeconds),
  /** When the node ended a resumed job, by its log or its answers. Absent if unknown. */
  endedOnNode: z.optional(unixSeconds),
  /** Verbatim, as the node gave them. */
  warnings: z.array(nodeText),
  result: z.nullable(jobResult),
  error: z.nullable(appErrorShape),
  /** The app's own copy of the wallet, once it exists. */
  safetyCopy: z.nullable(safetyCopy),
  /** The path of the legacy backup, once the node’s log names it. */
  legacyBackup: z.optional(nodeText),
  /** Of an interrupted job. */
  interruption: z.optional(interruption),
  /** The app tries again to take it back at each connection to the node, and at each start. */
  leftCopy: z.optional(leftCopy),
  /** Of a finished migration, restore or rescue, once both sides are compared. */
  proof: z.nullable(proof),
  /** Why the files could not be compared at the last try, where another may succeed. */
  proofError: z.optional(appErrorShape),
  /** Whether the app was closed while the job ran, and found its outcome afterwards. */
  resumed: z.boolean(),
  /** A later job may have replaced its wallets, so nothing more can be found out about it. */
  replaced: z.optional(z.literal(true)),
  /** The files of a stopped node show that it is done. The proof follows once that node is back. */
  withoutNode: z.optional(z.literal(true)),
  /** The node's last log lines since the start, verbatim, at most `MAX_LOG_LINES`. */
  log: z.array(nodeText),
  /** The number of log lines since the start. The last of them is the last one of `log`. */
  logLength: z._default(count, 0),
});
export type Job = z.infer<typeof job>;

/** When the job ended, in Unix seconds. Null while it runs, and if the app was closed then and nothing shows the time. */
export function endOf(job: Pick<Job, 'ended' | 'resumed' | 'endedOnNode'>): number | null {
  return job.resumed ? (job.endedOnNode ?? null) : job.ended;
}

/** Whether a finished job's result should have been compared, and was not. */
export function lacksProof({
  state,
  result,
  proof,
  isCompared,
}: Pick<Job, 'state' | 'result' | 'proof' | 'isCompared'>): boolean {
  return state === 'done' && proof === null && (isCompared === true || result?.kind === 'migrate');
}

/** Why a finished job's files were not compared, where the error may pass. Null otherwise. */
export function comparisonError(job: Pick<Job, 'state' | 'proofError'>): AppErrorShape | null {
  return job.state === 'done' ? (job.proofError ?? null) : null;
}

/** Whether that is only because the new wallets were left unloaded, by request or because the node was restarted. */
export function isLeftUnloaded(job: Pick<Job, 'state' | 'proofError' | 'result'>): boolean {
  return (
    comparisonError(job)?.code === 'wallet_not_found' && newWalletResult(job.result)?.leftUnloaded === true
  );
}

/** Whether the user can have the files compared again. The repaired file of a rescue is gone once the job ends. */
export function canCompareAgain(
  job: Pick<Job, 'kind' | 'rescues' | 'state' | 'replaced' | 'proofError'>,
): boolean {
  return comparisonError(job) !== null && job.kind !== 'rescue' && !job.rescues && !job.replaced;
}

/** Identifies the wallets of a job's node. */
export type JobNode = Pick<
  Job['node'],
  'address' | 'network' | 'offline' | 'walletsFolder' | 'walletsFolderMark'
>;

/**
 * Whether two jobs, or a job and the node in use, have the same wallets: the same wallets folder, by whatever path, or, if one is
 * unknown, the same address. The offline engine has another port at each start, and another node can take the port of the first.
 * A node and the engine count as two, even in one folder.
 */
export function haveSameWallets(one: JobNode, other: JobNode): boolean {
  if (one.network !== other.network || isSameFolder(one, other) === false) return false;
  const isKnown = one.offline !== undefined && other.offline !== undefined;
  if (isKnown && one.offline !== other.offline) return false;
  if (one.walletsFolder && other.walletsFolder) return isSameWalletsFolder(one, other);
  return isSameAddress(one.address, other.address);
}

/**
 * The newest job in the wallets folder at this path that did not fail, if that was another folder then and its wallet is in none of
 * these: a disk may be out. `jobs`: newest first.
 */
export function jobInOtherFolder(
  jobs: readonly Pick<Job, 'node' | 'wallet' | 'state'>[],
  node: JobNode,
  wallets: readonly { readonly name: string }[],
): Pick<Job, 'wallet'> | null {
  const { walletsFolder: path, network } = node;
  const last = jobs.find(
    (job) =>
      path && job.node.walletsFolder === path && job.node.network === network && job.state !== 'failed',
  );
  if (!last || isSameFolder(last.node, node) !== false) return null;
  return wallets.some(({ name }) => isSameWalletName(name, last.wallet, path)) ? null : last;
}

/**
 * The network of a wallets folder, by Bitcoin Core's names for folders of the test networks, or by the newest job in it. Null if
 * neither shows it: files that an interruption left may name no network. `jobs`: newest first.
 */
export function networkOfFolder(folder: string, jobs: readonly Pick<Job, 'node'>[]): Network | null {
  const ends = folder.split(/[\\/]/).slice(-2);
  const named = networks.find((network) => network !== 'main' && ends.includes(network));
  return named ?? jobs.find(({ node }) => node.walletsFolder === folder)?.node.network ?? null;
}

/** Whether a later job, of the node or of the engine in its folder, put back the wallet that this one left incomplete. `jobs`: newest first. */
export function wasPutBack(job: Job, jobs: readonly Job[]): boolean {
  if (job.state !== 'interrupted') return false;
  const isAgain = ({ wallet, result }: Job) =>
    wallet === job.wallet ||
    (newWalletResult(result)?.movedWallets ?? []).some(({ name }) => name === job.wallet);
  const at = jobs.findIndex(({ id }) => id === job.id);
  const later = jobs.slice(0, at);
  return later.some(
    (one) =>
      one.action === 'put-back' &&
      one.state === 'done' &&
      haveSameWallets({ ...one.node, offline: undefined }, job.node) &&
      isAgain(one),
  );
}

export const MAX_LOG_LINES = 200;

/** The job without its first `length` log lines, which the receiver has. */
export function withoutLogLines(job: Job, length: number): Job {
  const added = Math.max(0, job.logLength - length);
  return { ...job, log: added === 0 ? [] : job.log.slice(-added) };
}

/** The job of an event, with the log lines of `known` before its own. Lines that both have are in it once. */
export function joinLogs(known: Job, event: Job): Job {
  const log = [...known.log, ...withoutLogLines(event, known.logLength).log].slice(-MAX_LOG_LINES);
  return { ...event, log, logLength: Math.max(known.logLength, event.logLength) };
}

/** Whether a running job's call is answered, so that its work is done. Only the checks of the result remain. */
export function isBeingChecked({ steps }: Pick<Job, 'steps'>): boolean {
  return steps.some(
    ({ phase, state }) =>
      (phase === 'verifying' || phase === 'proving') && (state === 'running' || state === 'done'),
  );
}

/** Whether a running job continues without the app: its node has the call. The offline engine ends with the app. */
export function continuesWithoutApp(job: Pick<Job, 'node' | 'steps'>): boolean {
  return !job.node.offline && isSent(job);
}

/** Whether a running job has begun to change wallets: from then on, the engine may finish or undo it as it ends. */
export function isSent({ steps }: Pick<Job, 'steps'>): boolean {
  return steps.some(({ phase, state }) => phase === 'sent' && state !== 'waiting');
}
