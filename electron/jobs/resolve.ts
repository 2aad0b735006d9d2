/** Finds the outcome of a job whose answer was lost: done, unchanged, or interrupted with a way back. */
import { resolveBackup } from './backUp.ts';
import type { Evidence, Outcome, ResolveDeps } from './jobKind.ts';
import { resolveMigration } from './migrate.ts';
import type { Checkpoint } from './plan/checkpoint.ts';
import { resolveRescan } from './rescan.ts';
import { resolveRestore } from './restore.ts';

/**
 * The outcome of the job, from the node, the wallet's file with its journal, the backups and the app's journal.
 * Null while it is unknown: the node is still at work, or only the node can say what the finished wallet holds.
 * `unknown` only if the files cannot be read. May throw what the node's calls throw; the caller then asks again.
 */
export function resolve(
  checkpoint: Checkpoint,
  evidence: Evidence,
  deps: ResolveDeps,
): Promise<Outcome | null> {
  switch (checkpoint.kind) {
    case 'migrate':
    case 'restore-migrate':
    case 'rescue':
      return resolveMigration(checkpoint, evidence, deps);
    case 'restore':
      return resolveRestore(checkpoint, evidence, deps);
    case 'backup':
      return resolveBackup(checkpoint, evidence, deps);
    case 'rescan':
      return resolveRescan(checkpoint, evidence.session, evidence);
  }
}
