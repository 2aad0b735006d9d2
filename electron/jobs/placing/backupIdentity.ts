/** Checks that a backup is still the file that the plan showed. */
import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { AppError } from '../../../shared/model/errors.ts';
import type { BackupAfter } from '../../../shared/model/job.ts';
import type { Plan } from '../../../shared/model/plan.ts';
import { say } from '../../../shared/wording/say.ts';
import { hashFile } from '../../files/hash.ts';

export interface BackupIdentity {
  readonly backupFile: string;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Null if the app was restarted since it read the file. */
  readonly facts: BigIntStats | null;
}

/** Compares the content of the backup in two versions of a plan. Throws AppError `file_changed` if it differs. */
export function refuseChangedBackup(shown: Plan, now: Plan): void {
  const [before, after] = [shown.facts.sha256, now.facts.sha256];
  // The file of a node's own wallet may change at any time.
  const isBackup = shown.source.by === 'file' || shown.action === 'put-back';
  if (!isBackup || before === null || after === null || before === after) return;
  throw anotherFile(before, after);
}

/** Throws AppError `file_changed` if the file has other content now, and what `hashFile` throws. */
export async function verifyBackup({ backupFile, sha256, facts }: BackupIdentity): Promise<void> {
  if (isUntouched(facts, await stat(backupFile, { bigint: true }).catch(() => null))) return;
  const now = await hashFile(backupFile);
  if (now !== sha256) throw anotherFile(sha256, now);
}

/** How the file changed while the node read it. The time of change reveals a file that replaced it only for a moment. */
export async function backupAfter({
  backupFile,
  sha256,
  facts,
}: BackupIdentity): Promise<BackupAfter | undefined> {
  const now = await stat(backupFile, { bigint: true }).catch(() => null);
  if (isUntouched(facts, now)) return undefined;
  const hashed = await hashFile(backupFile).catch(() => null);
  if (hashed === null) return 'unreadable';
  if (hashed !== sha256) return 'changed';
  return facts === null ? undefined : 'touched';
}

function isUntouched(before: BigIntStats | null, now: BigIntStats | null): boolean {
  return before !== null && now !== null && IDENTITY_FIELDS.every((by) => before[by] === now[by]);
}

const IDENTITY_FIELDS = ['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const;

function anotherFile(shown: string, now: string): AppError {
  return new AppError(
    'file_changed',
    say('The backup is not the file that was shown.'),
    say('Nothing was sent. SHA-256 shown: {shown}; now: {now}. Find out what changed it.', { shown, now }),
  );
}
