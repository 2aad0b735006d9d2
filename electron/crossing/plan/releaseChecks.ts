/** Checks on the node's release, before a migration: what it can do, and what is known to be wrong with it. */
import type { Check } from '../../../shared/safety.ts';
import { allOf } from '../../../shared/text/perRegion.ts';
import { say } from '../../../shared/text/say.ts';
import { isMigrationExperimental, isWithdrawn } from '../../node/rpc/release.ts';
import { fine, type MigrationFacts, read, stop } from './checkFacts.ts';

export function checkRelease({ status: { release, offline }, name }: MigrationFacts): Check {
  if (release.migrates === 'no') {
    return stop('release', {
      title: say('Release {release} cannot migrate', { release: release.text }),
      todo: [say('Use release 25 to 29, or 30.2 or later, or work without a node.')],
    });
  }
  if (isMigrationExperimental(release) && !offline) {
    return read('release', {
      title: say('Migration is experimental on release {release}', { release: release.text }),
      text:
        release.migrates === 'unlock-first'
          ? [say('An encrypted wallet stays unlocked while it migrates.')]
          : [],
      todo: [say('Release 30.2 or later is safer.')],
    });
  }
  if (isWithdrawn(release) && !offline && name !== '') {
    return read('release', {
      title: say('Release {release} was withdrawn', { release: release.text }),
      text: [say('It can delete wallets when an unnamed wallet fails to migrate. This one has a name.')],
      todo: [say('Release 30.2 or later is safer.')],
    });
  }
  return fine('release', {
    title: say('Release {release} can migrate', { release: release.text }),
  });
}

export function checkUnnamed(facts: MigrationFacts): Check {
  const { release, offline } = facts.status;
  if (facts.name !== '' || offline || release.number >= 300_200)
    return fine('unnamed-wallet', { title: say('No name needed') });
  if (isWithdrawn(release)) {
    const danger = {
      title: say('Release {release} can delete all your wallets here', { release: release.text }),
      text: [say('If the migration fails, it can delete every wallet in the folder, and the fresh backup.')],
    };
    if (facts.copy.file === null) {
      return stop('unnamed-wallet', {
        ...danger,
        todo: [say('Update the node to release 30.2 or later first.')],
      });
    }
    return read('unnamed-wallet', {
      ...danger,
      todo: [say('So the app migrates a copy under a name, and leaves the file alone.')],
    });
  }
  return read('unnamed-wallet', {
    title: say('The wallet has no name'),
    text: [say('Its wallet.dat lies beside all others, which failures before release 30.2 endangered.')],
    todo: copiesOfOthers(facts),
  });
}

/** The danger is for the wallets beside it, so what the app does not copy is to be copied by hand. */
function copiesOfOthers({ copy, status }: MigrationFacts): string[] {
  if (copy.way === 'cannot' || status.walletsFolder === null) {
    return [say('Copy the other wallets yourself first: the app cannot see them.')];
  }
  const copied = say('The app first copies the other wallets in that folder.');
  if (copy.lacking.length === 0) return [copied];
  const shown = copy.lacking.slice(0, 10).map((each) => `“${each}”`);
  return [
    copied,
    say('Not found, so copy yourself first: {wallets}.', {
      wallets: allOf(copy.lacking.length > shown.length ? [...shown, '…'] : shown),
    }),
  ];
}
