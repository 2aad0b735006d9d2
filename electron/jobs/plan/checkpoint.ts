/** What the journal keeps of a job so that it can resume after a restart of the app: plain JSON, no secrets. */
import { basename } from 'node:path';
import { z } from 'zod/mini';
import { movedWallet, walletRename } from '../../../shared/model/job.ts';
import { satoshi } from '../../../shared/model/money.ts';
import { rescueFacts } from '../../../shared/model/safety.ts';
import { fileMark } from '../../../shared/model/shapes.ts';
import { isPartName } from '../../files/durableFile.ts';
import { type CompanionPart, companionNames } from '../../walletfile/migrate/companionNames.ts';

const name = z.string();
const path = z.string();

const common = {
  /** The wallet. */
  name,
  /** The methods of the job's calls before the one that does its work. Earlier versions of the app did not keep them. */
  precedingMethods: z.optional(z.array(z.string())),
  /** Wallets that the app unloaded before the calls. Written before it does, and absent once they are loaded again. */
  unloaded: z.optional(z.array(name)),
};

const migrationFields = {
  ...common,
  loadedBefore: z.array(name),
  /** Names in the wallets folder before the job. Earlier versions of the app did not keep them. */
  onDiskBefore: z.optional(z.array(name)),
  /** Whether the user gave a passphrase. The passphrase itself is never kept. */
  gavePassphrase: z.boolean(),
  /** Set if the wallet's file proved it right. */
  isPassphraseRight: z.optional(z.literal(true)),
  /** Whether the wallet is encrypted; null: unknown. */
  encrypted: z.nullable(z.boolean()),
  /**
   * The file that the proof compares the new wallets with: a copy of the legacy wallet's file, or for a rescue the planned path of
   * the repaired file. Null if the app cannot read the wallet's file.
   */
  fileForProof: z.nullable(path),
  /** The balance that the node reported before; null if unknown. */
  balanceBefore: z.nullable(satoshi),
};

/** `born`: time of creation in nanoseconds, if the system knows it. Needed because systems reuse the inodes of deleted files. */
const createdFile = z.extend(fileMark, { born: z.optional(z.string()) });
export type CreatedFile = z.infer<typeof createdFile>;

/** A copy of a backup that the app put into the node's wallets folder, and what identifies it. */
const placedWallet = z.object({
  folder: path,
  file: path,
  /** Lower-case hex. The app removes only a file with this hash. */
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  /**
   * The name of the file until it is complete. It must be a random name of the app, because the app removes that file without
   * comparing its hash. Earlier versions of the app kept nothing from here on.
   */
  part: z.optional(z.string().check(z.refine(isPartName))),
  /** The wallets folder. */
  within: z.optional(fileMark),
  /** The folder and the files that the app created; null before it creates one. */
  created: z.optional(z.nullable(z.object({ folder: fileMark, files: z.array(createdFile) }))),
});
export type PlacedWallet = z.infer<typeof placedWallet>;

/** An incomplete wallet, or a file of it, that the app moved, and what identifies it. */
const movedPath = z.object({ from: path, to: path, mark: fileMark });
export type MovedPath = z.infer<typeof movedPath>;

/** For a job that puts a wallet back. */
const putsBack = {
  /** The incomplete wallets with their new names and paths. */
  movedWallets: z.optional(z.array(movedWallet)),
  /** Written before each move; absent before the first one, and once all are moved back. */
  moves: z.optional(z.array(movedPath)),
};

const placing = {
  ...putsBack,
  backupFile: path,
  /** Written before the app places the copy. */
  placed: z.nullable(placedWallet),
};

export const checkpoint = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('restore'),
    ...common,
    backupFile: path,
    /** The backup's hash, if the app can read it. Earlier versions of the app did not keep it. */
    sha256: z.optional(z.string()),
    /** Of the backup, as in its inspection. */
    keysId: z.optional(z.string()),
    /** The date of its oldest key in Unix seconds, if the file has one. */
    birth: z.optional(z.number()),
    ...putsBack,
    /** For an undo: the wallets to rename first. */
    renamedWallets: z.optional(z.array(walletRename)),
    /** Satoshi that only these wallets see. */
    newCoins: z.optional(satoshi),
    /** Whether the restored wallet is compared with the backup: a descriptor wallet that the app has read. */
    compares: z.optional(z.literal(true)),
    /** For a rescue: the planned path of the repaired file, and the saved records; null until the file exists. */
    repaired: z.optional(z.object({ path, rescue: z.nullable(rescueFacts) })),
  }),
  z.object({ kind: z.literal('migrate'), ...migrationFields }),
  z.object({ kind: z.literal('restore-migrate'), ...migrationFields, ...placing }),
  z.object({
    kind: z.literal('rescue'),
    ...migrationFields,
    ...placing,
    /** The saved records; null until the repaired file exists. */
    rescue: z.nullable(rescueFacts),
  }),
  z.object({
    kind: z.literal('backup'),
    ...common,
    newBackup: path,
    /** Whether the wallet is loaded only for the backup. */
    unloads: z.optional(z.literal(true)),
    /** Path of the app's copy until it is complete. Its name is random, so it never belongs to anyone else. */
    part: z.optional(z.string().check(z.refine((place) => isPartName(basename(place))))),
  }),
  z.object({
    kind: z.literal('rescan'),
    ...common,
    /** Heights of the first block to scan and of the newest block at the start. */
    range: z.object({ from: z.number(), to: z.number() }),
    /** The hash of the first block; absent if unknown, and in entries of earlier versions of the app. */
    start: z.optional(z.string()),
    /** The balance and number of transactions that the node reported; null: unknown. */
    holdingsBefore: z.nullable(z.object({ balance: satoshi, transactions: z.number() })),
    /** The user asked the node to stop it. */
    cancelled: z.optional(z.literal(true)),
    /** The wallet was unlocked for it. Absent in entries of an earlier version of the app, whose unlock ended after ten minutes. */
    unlocked: z.optional(z.literal(true)),
  }),
]);
export type Checkpoint = z.infer<typeof checkpoint>;

export type CheckpointOf<K extends Checkpoint['kind']> = Extract<Checkpoint, { kind: K }>;
/** The checkpoint of every kind of job that ends in a migration. */
export type MigrationCheckpoint = CheckpointOf<'migrate' | 'restore-migrate' | 'rescue'>;

/** The watch-only and solvables wallets that a migration created: there now, but not before. Null: none. */
export function findNewCompanions(
  { name, loadedBefore, onDiskBefore = [] }: MigrationCheckpoint,
  isThere: (name: string, part: CompanionPart) => boolean,
) {
  const isNew = (each: string) => !loadedBefore.includes(each) && !onDiskBefore.includes(each);
  const created = (part: CompanionPart) =>
    companionNames(name, [part]).find((each) => isNew(each) && isThere(each, part)) ?? null;
  return { watchonlyName: created('watchonly'), solvablesName: created('solvables') };
}

/** The wallets that a migration left, by what is there; null without a main one. A wallet that only watched leaves no spendable one. */
export function findMigratedWallets(checkpoint: MigrationCheckpoint, isThere: (name: string) => boolean) {
  const companions = findNewCompanions(checkpoint, isThere);
  const walletName = isThere(checkpoint.name) ? checkpoint.name : companions.watchonlyName;
  return walletName === null ? null : { walletName, ...companions };
}

/** Whether the result of a restore is compared with a file. */
export function isCompared({ compares, repaired }: CheckpointOf<'restore'>): boolean {
  return compares === true || repaired !== undefined;
}
