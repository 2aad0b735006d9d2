/** Whether a new backup can be made, and where. */
import type { Check } from '../../../shared/safety.ts';
import { say } from '../../../shared/text/say.ts';
import { fine, stop, unseen } from './check.ts';
import type { BackupFacts } from './checkFacts.ts';

export function checkLoaded({ name, loaded }: BackupFacts): Check {
  if (loaded.includes(name)) return fine('wallet-exists', { title: say('The wallet is loaded') });
  return stop('wallet-exists', {
    title:
      name === ''
        ? say('The unnamed wallet is not loaded')
        : say('The wallet “{name}” is not loaded', { name }),
    todo: [say('Load it first: the node backs up loaded wallets only.')],
  });
}

export function checkDestination({ destination, place, refusal }: BackupFacts): Check {
  if (destination === '') {
    return stop('backup-place', { title: say('Choose where the backup goes.') });
  }
  if (refusal !== null) {
    return stop('backup-place', { title: refusal.message, todo: [refusal.hint] });
  }
  if (place === null) {
    return unseen('backup-place', { title: say('The app cannot look at the node’s disk') });
  }
  return fine('backup-place', { title: say('The place is free') });
}
