/** Checks on the node's release, before a migration: what it can do, and what is known to be wrong with it. */
import type { Check } from '../../../shared/safety.ts';
import { say } from '../../../shared/text/say.ts';
import { allOf } from '../../../shared/text/sayList.ts';
import { isMigrationExperimental, isWithdrawn } from '../../node/rpc/release.ts';
import { fine, read, stop } from './check.ts';
import type { MigrationFacts } from './checkFacts.ts';

export function checkRelease({ status: { release, offline }, name }: MigrationFacts): Check {
  if (release.migrates === 'no') {
    return stop('release', {
      title: say('Release {release} cannot migrate', { release: release.text }),
      text: [say('The call migratewallet came with release 24 and is fit for use from 25 on.')],
      todo: [
        say(
          'Use this wallet in a node of release 25 to 29, or 30.2 or later. Or work without a node: the offline engine migrates it here.',
        ),
      ],
    });
  }
  if (isMigrationExperimental(release) && !offline) {
    return read('release', {
      title: say('On release {release} migration is experimental', { release: release.text }),
      text: [
        release.migrates === 'unlock-first'
          ? say('An encrypted wallet is unlocked for the length of the migration on it.')
          : say('Later releases mended faults of it.'),
      ],
      todo: [say('A node of release 25 or later is the safer choice.')],
    });
  }
  if (isWithdrawn(release) && !offline && name !== '') {
    return read('release', {
      title: say('Release {release} was withdrawn', { release: release.text }),
      text: [
        say(
          'A failing migration of an unnamed wallet can delete wallets on it. This wallet has a name and is not known to be concerned.',
        ),
      ],
      todo: [say('Release 30.2 or later is the safer choice.')],
    });
  }
  return fine('release', {
    title: say('Release {release} can migrate', { release: release.text }),
  });
}

export function checkUnnamed(facts: MigrationFacts): Check {
  const {
    status: { release, offline },
    name,
  } = facts;
  if (name !== '') return fine('unnamed-wallet', { title: say('The wallet has a name') });
  if (offline)
    return fine('unnamed-wallet', {
      title: say('The offline engine handles an unnamed wallet like any other'),
    });
  if (isWithdrawn(release)) {
    const danger = {
      title: say('Release {release} can delete all your wallets here', { release: release.text }),
      text: [
        say(
          'If the migration of the unnamed wallet fails on release 30.0 or 30.1, the node can delete its whole wallets folder: every wallet in it, and the fresh backup too. Both releases were withdrawn for this fault.',
        ),
      ],
    };
    const update = say('Update the node to release 30.2 or later first.');
    if (facts.copy.file === null) return stop('unnamed-wallet', { ...danger, todo: [update] });
    return read('unnamed-wallet', {
      ...danger,
      text: [
        ...danger.text,
        say('So the app migrates a copy of it under a name of its own. The file itself is left alone.'),
      ],
    });
  }
  if (release.number >= 300_200) {
    return fine('unnamed-wallet', {
      title: say('The wallet has no name; this release handles that'),
    });
  }
  return read('unnamed-wallet', {
    title: say('The wallet has no name'),
    text: [
      say(
        'It is a bare wallet.dat in the wallets folder, beside all other wallets. Releases before 30.2 have had faults with such wallets when a migration fails. Release 29.3 kept all files when this was tried.',
      ),
    ],
    todo: copiesOfOthers(facts),
  });
}

/** The danger is for the wallets beside it, so what the app does not copy is to be copied by hand. */
function copiesOfOthers({ copy, neighbours }: MigrationFacts): string[] {
  if (copy.way === 'cannot' || neighbours === null) {
    return [
      say('Copy the other wallets by hand first. The app cannot: it does not see the node’s wallets folder.'),
    ];
  }
  const { notFound } = neighbours;
  if (notFound.length === 0)
    return [say('The app copies every wallet in that folder before it asks the node.')];
  const shown = notFound.slice(0, 10).map((each) => `“${each}”`);
  return [
    say('The app copies the other wallets in that folder before it asks the node.'),
    say(
      '{count, plural, one {One wallet is not copied, since the app does not find its file: {wallets}. Copy it by hand first.} other {# wallets are not copied, since the app does not find their files: {wallets}. Copy them by hand first.}}',
      {
        count: notFound.length,
        wallets: allOf(notFound.length > shown.length ? [...shown, '…'] : shown),
      },
    ),
  ];
}
