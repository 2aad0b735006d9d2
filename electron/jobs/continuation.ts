/** How each kind of plan is run, and gone on with after the app was away. */
import { backUp, continueBackup } from './backUp.ts';
import type { Continuation, Course, Means } from './course.ts';
import { continueMigration, migrate } from './migrate.ts';
import type { Gathered } from './plan/checkFacts.ts';
import type { Memory } from './plan/memory.ts';
import type { Prover } from './proof/proof.ts';
import { continueRescan, rescan } from './rescan.ts';
import { rescue } from './rescue.ts';
import { continueRestore, restore } from './restore.ts';
import { restoreMigrate } from './restoreMigrate.ts';

/** How a plan is run. */
export function courseOf(gathered: Gathered, means: Means): Course<unknown> {
  switch (gathered.kind) {
    case 'restore':
      return restore(gathered.facts, means);
    case 'migrate':
      return migrate(gathered.facts, means);
    case 'restore-migrate':
      return restoreMigrate(gathered.facts, means);
    case 'rescue':
      return rescue(gathered.facts, means);
    case 'backup':
      return backUp(gathered.facts, means);
    case 'rescan':
      return rescan(gathered.facts, means);
  }
}

/** The same from what was written down of it. */
export function continuationOf(memory: Memory, prover: Prover): Continuation {
  switch (memory.kind) {
    case 'restore':
      return continueRestore(memory, prover);
    case 'migrate':
    case 'restore-migrate':
    case 'rescue':
      return continueMigration(memory, prover);
    case 'backup':
      return continueBackup(memory);
    case 'rescan':
      return continueRescan(memory);
  }
}
