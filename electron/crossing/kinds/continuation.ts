/** The plan of an operation that was begun before the app was away, from what was written down of it. */
import type { Memory } from '../plan/memory.ts';
import type { Continuation } from '../plan/plan.ts';
import type { Prover } from '../proof/proof.ts';
import { continueBackup } from './backUp.ts';
import { continueMigration } from './continueMigration.ts';
import { continueRestore } from './restore.ts';
import { continueRestoreMigrate } from './restoreMigrate.ts';

export function continuationOf(memory: Memory, prover: Prover | null): Continuation {
  switch (memory.kind) {
    case 'restore':
      return continueRestore(memory);
    case 'migrate':
      return continueMigration(memory, prover);
    case 'restore-migrate':
      return continueRestoreMigrate(memory, prover);
    case 'backup':
      return continueBackup(memory);
  }
}
