/** Why a restore cannot be started from its checks, in one sentence. */
import type { RestoreChecks } from '../../../../shared/safety.ts';
import { say } from '../../../../shared/text/say.ts';
import type { Look } from '../../../state/look.ts';
import { stoppedBy } from '../stoppedBy.ts';
import type { Hashing } from '../useFileHash.ts';
import type { RestoreWay } from './restoreWay.ts';

/** Null when it can. What was found before does not count while the app looks again. */
export function whatBlocks(checking: Look<RestoreChecks>, way: RestoreWay, hashing: Hashing): string | null {
  switch (checking.state) {
    case 'none':
    case 'looking':
      return say('The app is still looking at the file and the node.');
    case 'failed':
      return say('The checks could not be made, so nothing is started.');
    case 'known': {
      if (checking.found.way === way) return notHashed(hashing);
      return (
        stoppedBy(checking.found.checks) ??
        say('The file or the node is not what it was any more. Go back and choose the file again.')
      );
    }
  }
}

/** What is started has to be the file that was seen, and its SHA-256 tells. */
function notHashed({ state }: Hashing): string | null {
  if (state === 'running') return say('The app is still reading the file for its SHA-256.');
  return state === 'failed'
    ? say('The SHA-256 of the file could not be made, so nothing is started. Look again.')
    : null;
}
