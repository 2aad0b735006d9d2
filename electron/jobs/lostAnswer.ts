/** What the kinds of job share when the node's answer is lost: whether a file is at rest, and incomplete wallets. */
import { stat } from 'node:fs/promises';
import type { Interruption } from '../../shared/model/safety.ts';
import { lookForBackup } from '../../shared/wording/findings/hints.ts';
import {
  COINS_SAFE,
  hasOwnCopy,
  interruptedText,
  interruptionWords,
  unreadWords,
} from '../../shared/wording/interruptionWords.ts';
import { say } from '../../shared/wording/say.ts';
import { isInUse } from '../files/lock/fileInUse.ts';
import type { Evidence, Outcome, ResumeDeps } from './jobKind.ts';
import { repairedFile } from './placing/takeBackPlaced.ts';
import type { Checkpoint } from './plan/checkpoint.ts';
import type { Candidate, WalletPlace } from './safetyCopies/interruptions.ts';

/** Whether a node that no longer answers may still write to the file, because it flushes before it ends. */
export async function isBusy(file: string): Promise<boolean> {
  if (isInUse(file)) return true;
  const facts = await Promise.all(['', '-journal'].map((end) => stat(`${file}${end}`).catch(() => null)));
  const newest = Math.max(...facts.map((each) => each?.mtimeMs ?? 0));
  const age = Date.now() - newest;
  return age >= 0 && age < QUIET_MS;
}

const QUIET_MS = 3000;

/** The outcome for a wallet that was left incomplete; null if its file is whole or cannot be read. */
export async function interrupted(
  checkpoint: Exclude<Checkpoint, { kind: 'backup' | 'rescan' }>,
  { session, walletsFolder, log, file, signal }: Evidence & Pick<WalletPlace, 'file'>,
  { interruptions }: ResumeDeps,
): Promise<Outcome | null> {
  const found = await interruptions.find(
    {
      file,
      name: checkpoint.name,
      walletsFolder,
      network: session?.status.network ?? null,
      known: knownCopies(checkpoint, log.backupPath),
      wasAtWork: checkpoint.kind === 'restore' ? 'copying' : 'migrating',
    },
    signal,
  );
  return found && interruptedBy(found, log.backupPath);
}

function knownCopies(
  checkpoint: Exclude<Checkpoint, { kind: 'backup' | 'rescan' }>,
  backupPath: string | null,
): readonly Candidate[] {
  const legacyBackup = backupPath === null ? [] : [{ path: backupPath, from: 'legacy-backup' } as const];
  if (checkpoint.kind === 'restore')
    return [{ path: checkpoint.backupFile, from: 'backup', sha256: checkpoint.sha256 }];
  if (checkpoint.kind === 'migrate') return legacyBackup;
  const repaired = repairedFile(checkpoint);
  return [
    ...legacyBackup,
    ...(repaired === null ? [] : [{ path: repaired, from: 'safety-copy' } as const]),
    { path: checkpoint.backupFile, from: 'backup' },
  ];
}

/** The outcome for an incomplete wallet. `backupPath`: of the old wallet's backup, if the node's log names one. */
export function interruptedBy(found: Interruption, backupPath: string | null): Outcome {
  return {
    state: 'interrupted',
    interruption: found,
    error: {
      code: 'interrupted',
      message: interruptedText(found.cause),
      hint: hasOwnCopy(found.copies)
        ? [COINS_SAFE, ...interruptionWords(found).hint].join(' ')
        : [
            say('Incomplete. Keep it, but do not use it.'),
            whereBackupIs(backupPath),
            ...unreadWords(found.unread),
          ].join(' '),
    },
  };
}

/** `backupPath`: as above. */
export function whereBackupIs(backupPath: string | null): string {
  return backupPath === null
    ? lookForBackup()
    : say('The old wallet’s backup is at {path}.', { path: backupPath });
}
