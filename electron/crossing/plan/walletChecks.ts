/** Checks on the wallet itself, before its migration: is it there, can it be read, is it whole, what is in it. */
import { anyOf, networkName } from '../../../shared/networkName.ts';
import type { Check } from '../../../shared/safety.ts';
import { say } from '../../../shared/text/say.ts';
import { nameInSentence } from '../../../shared/walletName.ts';
import { fine, read, stop, unseen } from './check.ts';
import type { MigrationFacts } from './checkFacts.ts';

export function checkExists({
  name,
  onDisk,
  loaded,
  looked,
  info,
  status: { offline },
}: MigrationFacts): Check {
  if (!onDisk.includes(name) && !loaded.includes(name)) {
    return stop('wallet-exists', {
      title: missing(name, offline),
      text: [say('It may have another name now, or have been moved.')],
      todo: [say('Go back and choose from the list.')],
    });
  }
  const isDescriptor =
    info?.descriptors === true || (looked.state === 'seen' && looked.inspection.kind === 'descriptor');
  if (isDescriptor) {
    return stop('wallet-exists', {
      title: say('This is a descriptor wallet already'),
      text: [say('There is nothing to migrate.')],
    });
  }
  return fine('wallet-exists', {
    title: offline ? say('The offline engine has this wallet') : say('The node has this wallet'),
  });
}

function missing(name: string, offline: boolean): string {
  if (name === '') {
    return offline ? say('The offline engine has no unnamed wallet') : say('The node has no unnamed wallet');
  }
  return offline
    ? say('The offline engine has no wallet “{name}”', { name })
    : say('The node has no wallet “{name}”', { name });
}

export function checkReadable({ looked }: MigrationFacts): Check {
  switch (looked.state) {
    case 'elsewhere':
      return read('file-readable', {
        title: say('The app cannot look into the wallet’s file'),
        text: [
          say(
            'The file is on the node’s machine, or the app does not know for certain where the node keeps its wallets. So it cannot tell beforehand what is in it, and cannot compare every script afterwards.',
          ),
        ],
        todo: [say('Go on if you must; safer is the app on the node’s own machine.')],
      });
    case 'unseen':
      return read('file-readable', {
        title: say('The app could not look into the wallet’s file'),
        text: [looked.error.message, looked.error.hint],
        todo: [say('Read why. A file that the app cannot read, the node may not be able to read either.')],
      });
    case 'seen': {
      const lost = looked.inspection.problems.filter((problem) => problem.lost);
      if (lost.length === 0) return fine('file-readable', { title: say('The file can be read whole') });
      return read('file-readable', {
        title: say('Parts of the file cannot be read'),
        text: lost.slice(0, 10).map(({ text }) => text),
        todo: [say('Look for another copy of this wallet before you migrate this one.')],
      });
    }
  }
}

/** “LSNs are not reset”: `src/wallet/migrate.cpp` from release 30 on. */
export function checkClosed({
  looked,
  status,
  loaded,
  name,
}: Pick<MigrationFacts, 'looked' | 'status' | 'loaded' | 'name'>): Check {
  const format = looked.state === 'seen' ? looked.inspection.file.format : null;
  if (format !== null && format.kind !== 'berkeley-db') {
    return fine('not-closed', { title: say('The file is not one of Berkeley DB') });
  }
  if (format === null) {
    return unseen('not-closed', {
      title: say('Whether the file was closed cleanly'),
      text: status.release.loadsLegacy
        ? []
        : [say('From release 30 on the node refuses a file that was not closed. It changes nothing then.')],
    });
  }
  if (loaded.includes(name)) {
    return fine('not-closed', {
      title: status.offline ? say('The offline engine has the file open') : say('The node has the file open'),
    });
  }
  if (format.cleanlyClosed) {
    return fine('not-closed', { title: say('The file was closed cleanly') });
  }
  const text = [
    say(
      'The program that last had it open did not close it: its last changes may still be in the folder “database” beside it.',
    ),
  ];
  if (status.release.loadsLegacy) {
    return read('not-closed', {
      title: say('The file was not closed cleanly'),
      text,
      todo: [say('Let this node load the wallet once and unload it again; then migrate it.')],
    });
  }
  return stop('not-closed', {
    title: say('The file was not closed cleanly, and this release refuses it'),
    text: [
      ...text,
      say('A node of release {release} answers “LSNs are not reset” and changes nothing.', {
        release: status.release.text,
      }),
    ],
    todo: [
      say(
        'Load and unload the wallet once with a node of release 29 or earlier, with its folder “database” beside it if there still is one. Then come back.',
      ),
    ],
  });
}

/** bitcoin/bitcoin#35626: the node cannot tell to which of the new wallets such a transaction belongs. */
export function checkStrays({ looked }: Pick<MigrationFacts, 'looked'>): Check {
  if (looked.state !== 'seen')
    return unseen('stray-transactions', {
      title: say('Whether every transaction belongs to the wallet'),
    });
  const strays = looked.inspection.migration?.strayTransactions ?? { total: 0, shown: [] };
  if (strays.total === 0) {
    return fine('stray-transactions', { title: say('Every transaction belongs to the wallet') });
  }
  return read('stray-transactions', {
    title: say(
      '{count, plural, one {One transaction does not belong to the wallet} other {# transactions do not belong to the wallet}}',
      { count: strays.total },
    ),
    text: [
      say(
        'The node will most likely refuse the migration (“cannot be identified to belong to migrated wallets”). It changes nothing then.',
      ),
      strays.shown.slice(0, 5).join(', '),
    ],
    todo: [
      say(
        'On a node of release 29 or earlier, remove them with “removeprunedfunds” and their ids, then migrate. They are of no use to this wallet.',
      ),
    ],
  });
}

export function checkObstacles(
  { looked }: Pick<MigrationFacts, 'looked'>,
  todo = say('Rehearse the migration on a copy before you ask the node.'),
): Check {
  if (looked.state !== 'seen')
    return unseen('obstacles', {
      title: say('Whether something in the file stands in the way'),
    });
  const obstacles = looked.inspection.migration?.obstacles ?? [];
  if (obstacles.length === 0) {
    return fine('obstacles', { title: say('Nothing in the file stands in the way') });
  }
  return read('obstacles', {
    title: say('Something in the file may stand in the way'),
    text: obstacles,
    todo: [todo],
  });
}

export function checkNetwork({ looked, status }: Pick<MigrationFacts, 'looked' | 'status'>): Check {
  if (looked.state !== 'seen') return unseen('network', { title: say('Which network the wallet is of') });
  const { candidates, name } = looked.inspection.network;
  const fits =
    name === 'unknown'
      ? candidates.length === 0 || candidates.includes(status.network)
      : name === status.network;
  if (fits) return fine('network', { title: say('The wallet is of the node’s network') });
  return stop('network', {
    title: say('The wallet is of another network'),
    text: [
      say(
        'The wallet’s network: {ofFile}. The node’s network: {ofNode}. A node opens wallets of its own network only.',
        {
          ofFile: name === 'unknown' ? anyOf(candidates) : networkName(name),
          ofNode: networkName(status.network),
        },
      ),
    ],
    todo: [say('Connect to a node of the wallet’s network.')],
  });
}

export function checkHeld({
  heldElsewhere,
  loaded,
  name,
  status,
}: Pick<MigrationFacts, 'heldElsewhere' | 'loaded' | 'name' | 'status'>): Check {
  if (heldElsewhere === true) {
    return stop('loaded-elsewhere', {
      title: say('Another program has this wallet open'),
      text: [
        say('Two programs that write to {wallet} at once can ruin it.', { wallet: nameInSentence(name) }),
      ],
      todo: [say('Close the other program, or unload the wallet there. Then look again.')],
    });
  }
  if (loaded.includes(name)) {
    return fine('loaded-elsewhere', {
      title: status.offline
        ? say('The offline engine has it open, so no other program can')
        : say('The node in use has it open, so no other program can'),
    });
  }
  if (heldElsewhere === null) {
    return unseen('loaded-elsewhere', {
      title: say('Whether another program has it open'),
      text: [say('Only Linux tells it, and only of a file on this machine that the app has found.')],
    });
  }
  return fine('loaded-elsewhere', { title: say('No other program has it open') });
}
