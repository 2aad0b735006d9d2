/** What the journal keeps of a job so that it can resume after a restart of the app: plain JSON, no secrets. */
import { basename } from 'node:path';
import { z } from 'zod';
import { satoshi } from '../../../shared/model/money.ts';
import { rescueFacts } from '../../../shared/model/safety.ts';
import { isPartName } from '../../files/durableFile.ts';
import { fileMark } from '../../files/fileMark.ts';
import { type CompanionPart, companionNames } from '../../walletfile/migrate/companionNames.ts';

const name = z.string();
const path = z.string();

const beforeMigration = {
  name,
  loadedBefore: z.array(name),
  /** Names that were in the wallets folder. An earlier version of the app did not keep them. */
  onDiskBefore: z.array(name).optional(),
  /** Whether the user gave a passphrase. The passphrase itself is never kept. */
  gavePassphrase: z.boolean(),
  /** Whether the wallet is encrypted; null: not known. */
  encrypted: z.boolean().nullable(),
  /** The legacy wallet's file as it was, for the proof; null where the app cannot read it. */
  before: path.nullable(),
  /** The balance that the node reported before; null if unknown. */
  balanceBefore: satoshi.nullable(),
};

/** `born`: when it was made, in nanoseconds, where the system tells; an inode is given again once its file is gone. */
const createdFile = fileMark.extend({ born: z.string().optional() });
export type CreatedFile = z.infer<typeof createdFile>;

/** A copy of a backup that the app put into the node's wallets folder, and by what it is known to be that copy. */
const placedWallet = z.object({
  folder: path,
  file: path,
  /** Lower-case hex: what is taken away is held against it. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /**
   * The name that it has in its folder until it is whole: one that chance made, and never a path or a name of others, as
   * what lies under it is taken away without its hash. Earlier versions of the app kept nothing from here on.
   */
  part: z.string().refine(isPartName).optional(),
  /** The wallets folder. */
  within: fileMark.optional(),
  /** The folder and the files that were made; null while none is, and then there is nothing in it. */
  created: z
    .object({ folder: fileMark, files: z.array(createdFile) })
    .nullable()
    .optional(),
});
export type PlacedWallet = z.infer<typeof placedWallet>;

/** A half-made wallet, or a file of it, that made room, and by what it is known to be that. */
const movedPath = z.object({ from: path, to: path, mark: fileMark });
export type MovedPath = z.infer<typeof movedPath>;

/** Of a wallet that is put back. */
const putsBack = {
  /** The half-made wallets with their new names and paths. */
  movedWallets: z.array(z.object({ name, newName: name, path: path.optional() })).optional(),
  /** Written before each move; absent before the first one, and once all are moved back. */
  moves: z.array(movedPath).optional(),
};

const placing = {
  ...putsBack,
  backupFile: path,
  /** Written before anything is placed, with what will be. */
  placed: placedWallet.nullable(),
};

export const checkpoint = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('restore'),
    name,
    backupFile: path,
    /** Of the backup, where the app can see it. An earlier version of the app did not keep it. */
    sha256: z.string().optional(),
    /** When its keys are dated, in Unix seconds, where the file tells. */
    birth: z.number().optional(),
    ...putsBack,
    /** Of an undoing: what was to be renamed first. */
    renamedWallets: z.array(z.object({ name, newName: name })).optional(),
    /** Of a rescue: the planned path of the repaired file, and the saved records; null until the file exists. */
    repaired: z.object({ path, rescue: rescueFacts.nullable() }).optional(),
  }),
  z.object({ kind: z.literal('migrate'), ...beforeMigration }),
  z.object({ kind: z.literal('restore-migrate'), ...beforeMigration, ...placing }),
  z.object({
    kind: z.literal('rescue'),
    ...beforeMigration,
    ...placing,
    /** The saved records; null until the repaired file exists. `before` is its planned path. */
    rescue: rescueFacts.nullable(),
  }),
  z.object({
    kind: z.literal('backup'),
    name,
    backupFile: path,
    /** It is loaded for the backup alone. */
    unloads: z.literal(true).optional(),
    /** Path of the app's copy until it is complete. Its name is random, so it never belongs to anyone else. */
    part: z
      .string()
      .refine((place) => isPartName(basename(place)))
      .optional(),
  }),
  z.object({
    kind: z.literal('rescan'),
    name,
    /** Heights of the first block to look at and of the newest one when it began. */
    range: z.object({ from: z.number(), to: z.number() }),
    /** What the node said the wallet held; null: not known. */
    holdingsBefore: z.object({ balance: satoshi, transactions: z.number() }).nullable(),
    /** The user asked the node to stop it. */
    cancelled: z.literal(true).optional(),
  }),
]);
export type Checkpoint = z.infer<typeof checkpoint>;

const renamedBackup = z.looseObject({
  checkpoint: z.looseObject({ kind: z.literal('backup'), destination: path }),
});

/** The JSON of a journal entry in which the path of a new backup is called `backupFile`. Earlier versions called it `destination`. */
export function withBackupFile(entry: unknown): unknown {
  const { data } = renamedBackup.safeParse(entry);
  if (data === undefined) return entry;
  const { destination: backupFile, ...rest } = data.checkpoint;
  return { ...data, checkpoint: { ...rest, backupFile } };
}

export type CheckpointOf<K extends Checkpoint['kind']> = Extract<Checkpoint, { kind: K }>;
/** Of each that ends in a migration. */
export type MigrationCheckpoint = CheckpointOf<'migrate' | 'restore-migrate' | 'rescue'>;

/** The further wallets that a migration made: each there now, and not there before. Null: none. */
export function findNewCompanions(
  { name, loadedBefore, onDiskBefore = [] }: MigrationCheckpoint,
  isThere: (name: string, part: CompanionPart) => boolean,
) {
  const isNew = (each: string) => !loadedBefore.includes(each) && !onDiskBefore.includes(each);
  const created = (part: CompanionPart) =>
    companionNames(name, [part]).find((each) => isNew(each) && isThere(each, part)) ?? null;
  return { watchonlyName: created('watchonly'), solvablesName: created('solvables') };
}
