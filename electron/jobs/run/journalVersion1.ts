/** Reads journal entries of version 1, which the app wrote until 26 November 2026, as entries of version 2. */
import { z } from 'zod';

const fields = z.record(z.string(), z.unknown());
const version1 = z.looseObject({ version: z.literal(1), operation: fields, memory: fields });

/** The JSON of an entry with the names of version 2. Entries of other versions come back unchanged, also damaged ones. */
export function upgradeVersion1(entry: unknown): unknown {
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

/** Leaves what is no object as it is: the schema of version 2 refuses it then. */
function inFields(value: unknown, change: (all: Fields) => Fields): unknown {
  const { data } = fields.safeParse(value);
  return data === undefined ? value : change(data);
}
