/** Checks on the names of the wallets that a migration may make beside the main one. */
import type { Check } from '../../../shared/safety.ts';
import { say } from '../../../shared/text/say.ts';
import { allOf } from '../../../shared/text/sayList.ts';
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
  if (taken.length === 0) return fine('names-taken', { title: say('The names that are needed are free') });
  const there = say(
    '{count, plural, one {There is a wallet {wallets} already.} other {There are wallets {wallets} already.}}',
    { count: taken.length, wallets: allOf(taken.map((each) => `“${each}”`)) },
  );
  if (preview === null) {
    return read('names-taken', {
      title: say('A name that the migration may need is taken'),
      text: [
        there,
        say('If the migration has to make one of that name, it fails, and the wallet stays legacy.'),
      ],
      todo: [say('Rename or move that wallet first.')],
    });
  }
  return stop('names-taken', {
    title: say('A name that the migration needs is taken'),
    text: [there, say('The migration makes one of that name and would fail.')],
    todo: [say('Unload that wallet, and rename or move its folder. Then look again.')],
  });
}

/**
 * Before a restore: the copy's name can be chosen, so one is asked for under which every wallet that may come of it
 * finds its own.
 */
export function checkCompanionNames({ name, onDisk, loaded }: RestoreFacts): Check {
  const refused = companionNames(name).map((each) => checkWalletName(each, { taken: [], platform: 'other' }));
  if (refused.some((verdict) => !verdict.ok && verdict.reason === 'too-long')) {
    return stop('names-taken', {
      title: say('The name is too long for the wallets that may come of it'),
      text: [say('Their names are this one with an ending.')],
      todo: [say('Choose a shorter name.')],
    });
  }
  const taken = companionNames(name).find((each) => onDisk.includes(each) || loaded.includes(each));
  if (taken === undefined)
    return fine('names-taken', { title: say('The names of further wallets are free') });
  return stop('names-taken', {
    title: say('A name that the migration may need is taken'),
    text: [say('There is a wallet “{wallet}” already.', { wallet: taken })],
    todo: [say('Choose another name.')],
  });
}
