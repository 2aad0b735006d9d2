/** Everything that is looked at before a backup is restored, each with a verdict. */
import type { Check } from '../../../shared/safety.ts';
import { say } from '../../../shared/text/say.ts';
import { checkWalletName } from '../../../shared/walletName.ts';
import { thisPlatform } from '../../disk/isNetworkPath.ts';
import { checkPruned, checkRescan, checkSyncing } from './chainChecks.ts';
import { fine, read, stop } from './check.ts';
import type { RestoreFacts } from './checkFacts.ts';
import { BY_RESTORE, BY_RESTORE_AND_MIGRATION, checkSpace } from './checkSpace.ts';
import { checkCompanionNames } from './companionNameChecks.ts';
import { sharedWords } from './sharedWalletsFolder.ts';
import { checkClosed, checkNetwork, checkObstacles, checkStrays } from './walletChecks.ts';

/** What goes by the file is left out where there is no wallet to go by. Pure: all that is known is in the facts. */
export function checkRestore(facts: RestoreFacts): Check[] {
  const migrates = needsMigration(facts);
  return [
    checkFile(facts, migrates),
    ...checkCall(facts),
    checkSyncing(facts),
    ...(isNoWallet(facts) ? [] : ofTheWallet(facts, migrates)),
    ...(migrates ? ofTheMigration(facts) : []),
  ];
}

/** It cannot be read, or is something else. A file on the node's machine may well be one. */
function isNoWallet({ file, fileError }: RestoreFacts): boolean {
  return fileError !== null || file?.kind === 'other';
}

function ofTheWallet(facts: RestoreFacts, migrates: boolean): Check[] {
  return [
    checkKind(facts),
    checkNetwork(facts),
    checkPruned(facts),
    checkSpace(facts.space, migrates ? BY_RESTORE_AND_MIGRATION : BY_RESTORE),
    checkRescan(facts),
  ];
}

function ofTheMigration(facts: RestoreFacts): Check[] {
  return [
    checkFolder(facts),
    checkClosed(facts),
    checkCompanionNames(facts),
    checkStrays(facts),
    checkObstacles(
      facts,
      say(
        'Look at the file more closely first. Where the node refuses the migration, the app takes its copy away again, and the backup stays as it is.',
      ),
    ),
  ];
}

/** A legacy backup on a release that loads none: it is restored and migrated in one go, unless the wallet is wanted back. */
export function needsMigration({ file, status, undoes }: RestoreFacts): boolean {
  return file?.kind === 'legacy-wallet' && !status.release.loadsLegacy && !undoes;
}

/** `restorewallet` came with release 23. */
function checkCall({ status: { release } }: RestoreFacts): Check[] {
  if (release.number >= FIRST_RELEASE) return [];
  return [
    stop('release', {
      title: say('Release {release} cannot restore a backup', { release: release.text }),
      text: [say('The call restorewallet came with release 23.')],
      todo: [say('Connect to a node of release 23 or later.')],
    }),
  ];
}

const FIRST_RELEASE = 230_000;

function checkFile({ file, fileError, looked }: RestoreFacts, migrates: boolean): Check {
  if (fileError !== null) {
    return stop('backup-file', {
      title: fileError.message,
      todo: [fileError.hint],
    });
  }
  if (file === null) {
    return read('backup-file', {
      title: say('The app cannot look at this file'),
      text: [say('It is on the node’s machine. The node opens it itself.')],
      todo: [say('Make sure that the path is right and that the node’s user may read the file.')],
    });
  }
  if (file.kind === 'other') {
    return stop('backup-file', {
      title: say('{file} is not a wallet', { file: file.name }),
      text: [say('It is: {kind}.', { kind: file.description })],
      todo: [
        say('Choose another file. A wallet’s file is mostly called wallet.dat, or ends in .bak or .dat.'),
      ],
    });
  }
  if (file.truncated && migrates) {
    return stop('backup-file', {
      title: say('The file is cut short: it is not a whole wallet'),
      text: [say('Only a whole legacy wallet is restored and migrated in one go.')],
      todo: [say('Look for another copy of this backup.')],
    });
  }
  if (looked.state === 'unseen') {
    return read('backup-file', {
      title: say('The app could not look into the file'),
      text: [looked.error.message, looked.error.hint],
      todo: [say('Read why. A file that the app cannot read, the node may not be able to read either.')],
    });
  }
  const lost = looked.state === 'seen' ? looked.inspection.problems.filter((problem) => problem.lost) : [];
  if (file.truncated || lost.length > 0) {
    return read('backup-file', {
      title: file.truncated ? say('The file is cut short') : say('Parts of the file cannot be read'),
      text: lost.slice(0, 10).map(({ text }) => text),
      todo: [
        say('Look for another copy of this backup. The node may refuse this one; it changes nothing then.'),
      ],
    });
  }
  return fine('backup-file', {
    title: say('The file of a wallet: {kind}', { kind: file.description }),
  });
}

/** Also says whether a name can be suggested. */
export function checkName(
  { name, onDisk, loaded, status, inTheWay }: RestoreFacts,
  migrates: boolean,
): Check {
  const verdict = checkWalletName(name, {
    taken: [...loaded, ...onDisk],
    platform: status.local ? thisPlatform() : 'other',
  });
  if (!verdict.ok) {
    return stop('name', { title: verdict.message, todo: [say('Choose another name.')] });
  }
  if (migrates && name.includes('/')) {
    return stop('name', {
      title: say('A name with a slash cannot be used here'),
      text: [say('The app places its copy in the wallets folder itself, in a new folder of this name.')],
      todo: [say('Choose another name.')],
    });
  }
  if (migrates && inTheWay === true) {
    return stop('name', {
      title: say('There is already something of this name in the wallets folder'),
      text: [say('It is no wallet that the node lists. The app places nothing over it.')],
      todo: [say('Choose another name.')],
    });
  }
  if (name !== name.trim()) {
    return read('name', {
      title: say('The name begins or ends with a space'),
      text: [say('That is easy to overlook when the name has to be typed later.')],
      todo: [say('Take the space away, unless you want it.')],
    });
  }
  const parts = name.split('/');
  const above = parts.slice(0, -1).map((_, at) => parts.slice(0, at + 1).join('/'));
  const inside = above.find((each) => onDisk.includes(each));
  if (inside !== undefined) {
    return read('name', {
      title: say('The wallet would lie in the folder of the wallet “{wallet}”', { wallet: inside }),
      text: [say('Whoever moves or removes that wallet’s folder then takes this one along.')],
      todo: [say('A name without a slash is the safer choice.')],
    });
  }
  return fine('name', { title: say('The name is free') });
}

function checkKind({ file, status, undoes }: RestoreFacts): Check {
  if (file === null && !status.release.loadsLegacy) {
    return read('release', {
      title: say('This release loads no legacy wallet'),
      text: [say('If the backup is one of a legacy wallet, the node refuses it and changes nothing.')],
      todo: [say('Use a node of release 29 or earlier, or work without a node on a copy of the file here.')],
    });
  }
  if (file?.kind !== 'legacy-wallet') return fine('release', { title: say('This release can load it') });
  if (status.release.loadsLegacy) {
    return read('release', {
      title: say('This is a legacy wallet'),
      text: [say('This release loads it; releases from 30 on do not.')],
      todo: [say('Migrate it to a descriptor wallet after it is restored.')],
    });
  }
  if (undoes) {
    return stop('release', {
      title: say('This release cannot load a legacy wallet'),
      text: [
        say('So the wallet cannot be brought back as it was on this node. Its backup stays where it is.'),
      ],
      todo: [say('Undo it on a node of release 29 or earlier, or without a node.')],
    });
  }
  if (status.release.migrates !== 'yes') {
    return stop('release', {
      title: say('This release cannot load a legacy wallet'),
      todo: [say('Use a node of release 29 or earlier, or work without a node.')],
    });
  }
  return read('release', {
    title: say('This is a legacy wallet, which this release cannot load as it is'),
    text: [
      say(
        'So the app restores and migrates it in one go: it places a copy in the wallets folder and has it migrated.',
      ),
    ],
  });
}

function checkFolder({ status, shared }: RestoreFacts): Check {
  if (shared !== null) {
    const { message, todo } = sharedWords(shared);
    return stop('wallets-folder', {
      title: message,
      text: [say('The app would place a copy with the wallet’s keys there.')],
      todo: [todo],
    });
  }
  if (status.local && status.walletsFolder !== null) {
    return fine('wallets-folder', {
      title: say('The wallets folder is known'),
      text: [status.walletsFolder],
    });
  }
  return stop('wallets-folder', {
    title: status.local
      ? say('The app does not know the node’s wallets folder for certain')
      : say('The node is on another machine'),
    text: [say('So it cannot place a copy there.')],
    todo: [
      say(
        'Put a copy of the backup as wallet.dat into a new folder within the node’s wallets folder by hand, and migrate the wallet of that folder’s name. Or work without a node.',
      ),
    ],
  });
}
