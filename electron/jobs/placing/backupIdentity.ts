/** Sees that a backup is still the very file that the user was shown. */
import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { AppError } from '../../../shared/model/errors.ts';
import type { BackupAfter } from '../../../shared/model/job.ts';
import type { Plan } from '../../../shared/model/plan.ts';
import { say } from '../../../shared/wording/say.ts';
import { hashFile } from '../../files/hash.ts';

export interface BackupIdentity {
  readonly path: string;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Null where it was seen before the app was away. */
  readonly facts: BigIntStats | null;
}

/** Throws AppError `file_changed` where the file, or the copy of a wallet that is put back, is not the one that was shown, by its content. */
export function refuseOtherThanShown(shown: Plan, now: Plan): void {
  const [before, after] = [shown.facts.sha256, now.facts.sha256];
  // The file of a node's own wallet may change at any time.
  const isBackup = shown.source.by === 'file' || shown.action === 'put-back';
  if (!isBackup || before === null || after === null || before === after) return;
  throw anotherFile(before, after);
}

/** Throws AppError `file_changed` where it is another one by now, and what `hashFile` throws. */
export async function refuseAnother(seen: BackupIdentity): Promise<void> {
  if (isUntouched(seen.facts, await stat(seen.path, { bigint: true }).catch(() => null))) return;
  const sha256 = await hashFile(seen.path);
  if (sha256 !== seen.sha256) throw anotherFile(seen.sha256, sha256);
}

/** What became of it while another program read it. What was put there for a moment shows by the time of change. */
export async function backupAfter({ path, sha256, facts }: BackupIdentity): Promise<BackupAfter | undefined> {
  const now = await stat(path, { bigint: true }).catch(() => null);
  if (isUntouched(facts, now)) return undefined;
  const hashed = await hashFile(path).catch(() => null);
  if (hashed === null) return 'unreadable';
  if (hashed !== sha256) return 'changed';
  return facts === null ? undefined : 'touched';
}

function isUntouched(before: BigIntStats | null, now: BigIntStats | null): boolean {
  return before !== null && now !== null && TOLD_APART_BY.every((by) => before[by] === now[by]);
}

const TOLD_APART_BY = ['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const;

function anotherFile(shown: string, now: string): AppError {
  return new AppError(
    'file_changed',
    say('The backup is not the file that was shown.'),
    say('Nothing was sent. SHA-256 shown: {shown}; now: {now}. Find out what changed it.', { shown, now }),
  );
}
