/** Gives the journal entries of earlier versions of the app the names of this version. */
import { z } from 'zod';

/** The JSON of an entry with today's names. What is no entry of an earlier version comes back unchanged, also if it is damaged. */
export function withCurrentNames(entry: unknown): unknown {
  return withLaterNames(upgradeVersion1(entry));
}

const version2 = z.looseObject({ job: z.looseObject({}), checkpoint: z.looseObject({ kind: z.string() }) });

/** Version 2 changed these names without another number. */
function withLaterNames(entry: unknown): unknown {
  const { data } = version2.safeParse(entry);
  if (data === undefined) return entry;
  const { job, checkpoint } = data;
  return {
    ...data,
    job: {
      ...job,
      interruption: inFields(job.interruption, (all) => renamed(all, INTERRUPTION)),
      proof: inFields(job.proof, ({ wallets, ...proof }) => ({
        ...proof,
        wallets: Array.isArray(wallets)
          ? wallets.map((wallet) => inFields(wallet, (all) => renamed(all, PROOF_PART)))
          : wallets,
      })),
    },
    checkpoint: renamed(checkpoint, CHECKPOINT_NAMES.get(checkpoint.kind) ?? new Map()),
  };
}

const INTERRUPTION = new Map([['backAs', 'restoredAs']]);
const PROOF_PART = new Map([['cutOff', 'incomplete']]);
const OF_MIGRATION = new Map([['before', 'fileForProof']]);
const CHECKPOINT_NAMES: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  [
    'backup',
    new Map([
      ['destination', 'newBackup'],
      ['backupFile', 'newBackup'],
    ]),
  ],
  ['migrate', OF_MIGRATION],
  ['restore-migrate', OF_MIGRATION],
  ['rescue', OF_MIGRATION],
]);

const fields = z.record(z.string(), z.unknown());
/** An entry as the app wrote it until 26 November 2026. */
const version1 = z.looseObject({ version: z.literal(1), operation: fields, memory: fields });

/** The JSON of an entry with the names of version 2. Entries of other versions come back unchanged, also damaged ones. */
function upgradeVersion1(entry: unknown): unknown {
  const { data } = version1.safeParse(entry);
  if (data === undefined) return entry;
  const { operation, memory, ...rest } = data;
  const { result, error, ...job } = operation;
  return {
    ...rest,
    version: 2,
    job: {
      ...renamed(job, JOB),
      result: inFields(result, upgradeResult),
      error: inFields(error, (all) => ({
        ...all,
        code: all.code === 'crossing_running' ? 'job_running' : all.code,
      })),
    },
    checkpoint: {
      ...renamed(memory, CHECKPOINT),
      ...('rescue' in memory ? { rescue: upgradeRescue(memory.rescue) } : {}),
      ...('mended' in memory ? { repaired: inFields(memory.mended, withUpgradedRescue) } : {}),
      ...('placed' in memory ? { placed: inFields(memory.placed, (all) => renamed(all, PLACED)) } : {}),
    },
  };
}

function upgradeResult(result: Fields): Fields {
  return withUpgradedRescue(renamed(result, RESULT));
}

function withUpgradedRescue(all: Fields): Fields {
  return 'rescue' in all ? { ...all, rescue: upgradeRescue(all.rescue) } : all;
}

function upgradeRescue(rescue: unknown): unknown {
  return inFields(rescue, (all) => renamed(all, RESCUE));
}

const JOB = new Map([['line', 'connection']]);
const RESULT = new Map([
  ['setAside', 'movedWallets'],
  ['undone', 'renamedWallets'],
]);
const CHECKPOINT = new Map([
  ['aside', 'moves'],
  ['interrupted', 'movedWallets'],
  ['mended', 'repaired'],
  ['setAside', 'renamedWallets'],
]);
const RESCUE = new Map([
  ['setAside', 'excluded'],
  ['setAsideFile', 'excludedFile'],
  ['untied', 'unowned'],
]);
const PLACED = new Map([['made', 'created']]);

type Fields = z.infer<typeof fields>;

function renamed(all: Fields, names: ReadonlyMap<string, string>): Fields {
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [names.get(name) ?? name, value]));
}

/** Leaves a value that is no object, which the schema of version 2 then refuses. */
function inFields(value: unknown, change: (all: Fields) => Fields): unknown {
  const { data } = fields.safeParse(value);
  return data === undefined ? value : change(data);
}
