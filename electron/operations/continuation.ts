/** The plan of an operation that was begun before the app was away, from what was written down of it. */
import { continueBackup } from './backUp.ts';
import { continueMigration } from './continueMigration.ts';
import type { Memory } from './memory.ts';
import type { Continuation } from './plan.ts';
import type { Prover } from './proof.ts';
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
