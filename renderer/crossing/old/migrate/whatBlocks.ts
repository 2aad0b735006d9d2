/** Why the wizard does not go on from its checks, in one sentence. */
import type { MigrationChecks } from '../../../../shared/safety.ts';
import { say } from '../../../../shared/text/say.ts';
import { foundBy, type Look } from '../../../state/look.ts';
import { stoppedBy } from '../stoppedBy.ts';

/**
 * Null when it goes on. `safely`: the safe way was chosen, which goes around the one check that it is for.
 * What was found before does not count while the app looks again.
 */
export function whatBlocks(checking: Look<MigrationChecks>, safely: boolean): string | null {
  switch (checking.state) {
    case 'none':
      return say('No wallet is chosen.');
    case 'looking':
      return say('The app is still looking at the wallet and the node.');
    case 'failed':
      return say('The checks could not be made.');
    case 'known': {
      const { way, checks } = checking.found;
      if (way === 'migrate' || (way === 'copy-first' && safely)) return null;
      return stoppedBy(checks) ?? say('A check stops this migration.');
    }
  }
}

/** Whether the safe way is open: as far as is known. */
export function isSafeWayOpen(checking: Look<MigrationChecks>): boolean {
  return foundBy(checking)?.way === 'copy-first';
}
