/** Finds the kind of job for a plan, and for a checkpoint after a restart of the app. */
import { backUp, resumedBackup } from './backUp.ts';
import type { JobDeps, JobKind, ResumedJob } from './jobKind.ts';
import { migrate, resumedMigration } from './migrate.ts';
import type { PlanFacts } from './plan/checkFacts.ts';
import type { Checkpoint } from './plan/checkpoint.ts';
import type { Prover } from './proof/proof.ts';
import { rescan, resumedRescan } from './rescan.ts';
import { rescue } from './rescue.ts';
import { restore, resumedRestore } from './restore.ts';
import { restoreMigrate } from './restoreMigrate.ts';

/** The kind of job that runs a plan with these facts. */
export function jobKindOf(facts: PlanFacts, deps: JobDeps): JobKind<unknown> {
  switch (facts.kind) {
    case 'restore':
      return restore(facts, deps);
    case 'migrate':
      return migrate(facts, deps);
    case 'restore-migrate':
      return restoreMigrate(facts, deps);
    case 'rescue':
      return rescue(facts, deps);
    case 'backup':
      return backUp(facts, deps);
    case 'rescan':
      return rescan(facts, deps);
  }
}

/** The resumable part of a job, from its checkpoint in the journal. */
export function resumedJobOf(checkpoint: Checkpoint, prover: Prover): ResumedJob {
  switch (checkpoint.kind) {
    case 'restore':
      return resumedRestore(checkpoint, prover);
    case 'migrate':
    case 'restore-migrate':
    case 'rescue':
      return resumedMigration(checkpoint, prover);
    case 'backup':
      return resumedBackup(checkpoint);
    case 'rescan':
      return resumedRescan(checkpoint);
  }
}
