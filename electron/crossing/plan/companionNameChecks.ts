/** Checks on the names of the wallets that a migration may make beside the main one. */
import type { Check } from '../../../shared/safety.ts';
import { allOf } from '../../../shared/text/perRegion.ts';
import { say } from '../../../shared/text/say.ts';
import { checkWalletName } from '../../../shared/walletName.ts';
import { companionNames, type FurtherPart } from '../../wallet/migrate/companionNames.ts';
import { fine, read, stop } from './check.ts';
import type { MigrationFacts, RestoreFacts } from './checkFacts.ts';

/** Before a migration: those that will be needed, as far as the file tells. */
export function checkNeededNames({ name, onDisk, loaded, looked }: MigrationFacts): Check {
  const preview = looked.state === 'seen' ? looked.inspection.migration : null;
  const parts: FurtherPart[] = [];
  if (preview === null || preview.watchOnly !== null) parts.push('watchonly');
  if (preview === null || preview.solvables !== null) parts.push('solvables');
  const others = new Set([...onDisk, ...loaded]);
  const taken = companionNames(name, parts).filter((each) => others.has(each));
  if (taken.length === 0) return fine('names-taken', { title: say('Needed names are free') });
  const words = {
    text: [
      say('Taken: {wallets}.', { wallets: allOf(taken.map((each) => `“${each}”`)) }),
      say('The migration would fail, and the wallet stay legacy.'),
    ],
    todo: [say('Unload and rename that wallet, then look again.')],
  };
  return preview === null
    ? read('names-taken', { title: say('A name that the migration may need is taken'), ...words })
    : stop('names-taken', { title: say('A name that the migration needs is taken'), ...words });
}

/**
 * Before a restore: the copy's name can be chosen, so one is asked for under which every wallet that may come of it
 * finds its own.
 */
export function checkCompanionNames({ name, onDisk, loaded }: RestoreFacts): Check {
  const refused = companionNames(name).map((each) => checkWalletName(each, { taken: [], platform: 'other' }));
  if (refused.some((verdict) => !verdict.ok && verdict.reason === 'too-long')) {
    return stop('names-taken', {
      title: say('The name is too long'),
      todo: [say('Choose a shorter name.')],
    });
  }
  const taken = companionNames(name).find((each) => onDisk.includes(each) || loaded.includes(each));
  if (taken === undefined) return fine('names-taken', { title: say('Needed names are free') });
  return stop('names-taken', {
    title: say('A name that the migration may need is taken'),
    text: [say('Taken: {wallets}.', { wallets: `“${taken}”` })],
    todo: [say('Choose another name.')],
  });
}
