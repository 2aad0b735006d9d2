/** Sees that a file is not the one any more that was begun to be read. */
import type { BigIntStats } from 'node:fs';
import { AppError } from '../../shared/errors.ts';
import { say } from '../../shared/text/say.ts';

/** Throws AppError `file_changed` when size, time of change or the file itself differ. */
export function refuseChanged(before: BigIntStats, after: BigIntStats): void {
  const same =
    before.size === after.size &&
    before.mtimeNs === after.mtimeNs &&
    before.ino === after.ino &&
    before.dev === after.dev;
  if (!same) throw fileChanged();
}

export function fileChanged(): AppError {
  return new AppError(
    'file_changed',
    say('The file changed while it was being read.'),
    say(
      'The app did not change it. Something else writes to it: a node that has it open, or a copy that is still running. Wait for that to end and try again.',
    ),
  );
}
