/** How each kind of plan is run, and gone on with after the app was away. */
import type { Continuation, Course } from '../plan/course.ts';
import type { Memory } from '../plan/memory.ts';
import type { Held } from '../plan/plans.ts';
import type { Prover } from '../proof/proof.ts';
import { backUp, continueBackup } from './backUp.ts';
import { continueMigration, migrate } from './migrate.ts';
import { type RescueMeans, rescue } from './rescue.ts';
import { continueRestore, restore } from './restore.ts';
import { restoreMigrate } from './restoreMigrate.ts';

/** How a plan is run. */
export function courseOf(
  { gathered, calls }: Pick<Held, 'gathered' | 'calls'>,
  gavePassphrase: boolean,
  means: RescueMeans,
): Course<unknown> {
  const common = { calls, gavePassphrase };
  switch (gathered.kind) {
    case 'restore':
      return restore({ ...common, facts: gathered.facts }, means);
    case 'migrate':
      return migrate({ ...common, facts: gathered.facts }, means);
    case 'restore-migrate':
      return restoreMigrate({ ...common, facts: gathered.facts }, means);
    case 'rescue':
      return rescue({ ...common, facts: gathered.facts }, means);
    case 'backup':
      return backUp({ ...common, facts: gathered.facts });
  }
}

/** The same from what was written down of it. */
export function continuationOf(memory: Memory, prover: Prover | null): Continuation {
  switch (memory.kind) {
    case 'restore':
      return continueRestore(memory);
    case 'migrate':
    case 'restore-migrate':
    case 'rescue':
      return continueMigration(memory, prover);
    case 'backup':
      return continueBackup(memory);
  }
}
