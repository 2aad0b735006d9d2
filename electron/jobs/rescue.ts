/** Rescues a file that releases refuse: repairs it into a new file, and migrates or restores that. */
import { dirname, join } from 'node:path';
import { excludedText } from '../../shared/wording/rescueWords.ts';
import type { MigrateResult } from '../bitcoind/calls/walletCalls.ts';
import { writeNewFile } from '../files/durableFile.ts';
import { fileChangedError } from '../files/openFile.ts';
import {
  EXCLUDED_FILE,
  REPAIRED_FILE,
  type RepairedFile,
  type RescueRequest,
} from '../workers/repairRequest.ts';
import type { JobDeps, JobKind, Preparation } from './jobKind.ts';
import { createMigrationBase, migrationBaseline } from './migrate.ts';
import type { RestoreFacts } from './plan/checkFacts.ts';
import type { CheckpointOf } from './plan/checkpoint.ts';
import { rescueFactsOf } from './plan/checkRescue.ts';
import { copyChosenFile, placeCopy, requireWalletsFolder } from './restoreMigrate.ts';

/**
 * The job of the planned rescue. The repaired file is next to the safety copy, and the proof compares the new wallets with it. It
 * exists only during the job, because the same rescue can make it again.
 */
export function createRescueJob(facts: RestoreFacts, deps: JobDeps): JobKind<MigrateResult> {
  const { backupFile, fileInspection } = facts;
  const checkpoint: CheckpointOf<'rescue'> = {
    kind: 'rescue',
    ...migrationBaseline(facts, deps),
    backupFile,
    placed: null,
    fileForProof: null,
    rescue: null,
  };
  return {
    ...createMigrationBase(checkpoint, deps),
    async prepare(preparation) {
      const walletsFolder = await requireWalletsFolder(preparation.session);
      // The copy has no log next to it, so name the log of the original.
      const log = rescueFactsOf(fileInspection)?.log ?? null;
      const logs = log === null ? 'none' : { in: log.folder };
      const repaired = await copyAndRepair(facts, deps, preparation, logs, (path) => {
        checkpoint.fileForProof = path;
      });
      if (JSON.stringify(repaired.facts.log) !== JSON.stringify(log)) throw fileChangedError();
      checkpoint.rescue = repaired.facts;
      await placeCopy(checkpoint, { walletsFolder, sha256: repaired.sha256 }, preparation);
    },
  };
}

/** Repairs a damaged descriptor wallet into a file next to the safety copy, which exists only during the job. */
export async function repairDescriptors(
  facts: RestoreFacts,
  { repaired: planned }: CheckpointOf<'restore'>,
  deps: JobDeps,
  preparation: Preparation,
): Promise<void> {
  const repaired = await copyAndRepair(facts, deps, preparation, 'none');
  // The plan promised to send this path.
  if (repaired.path !== planned?.path) throw fileChangedError();
  // The copy has no journal, so only the inspection of the file shows whether it was unclean.
  planned.rescue = { ...repaired.facts, unclean: rescueFactsOf(facts.fileInspection)?.unclean ?? false };
}

/** Copies the chosen file, repairs the copy in a thread into a file beside it, and lists in another new file what was left out. */
async function copyAndRepair(
  facts: RestoreFacts,
  { copies, work }: JobDeps,
  preparation: Preparation,
  logs: RescueRequest['logs'],
  onCopied?: (repairedPath: string) => void,
): Promise<RepairedFile> {
  const { path, sha256 } = await copyChosenFile(facts, copies, preparation);
  const folder = dirname(path);
  onCopied?.(join(folder, REPAIRED_FILE));
  // Save the path before the file exists, so that the app removes the file after a crash.
  preparation.save();
  const rescue = { logs, network: facts.status.network, openOnly: facts.rescue?.openOnly };
  const task = { path, sha256, folder, rescue, passphrase: preparation.passphrase };
  const repaired = await work({ kind: 'repair', task }, preparation.signal);
  const text = excludedText(repaired.excluded, repaired.facts, rescue.network);
  if (text === null) return repaired;
  const excludedFile = join(folder, EXCLUDED_FILE);
  writeNewFile(excludedFile, text);
  return { ...repaired, facts: { ...repaired.facts, excludedFile } };
}
