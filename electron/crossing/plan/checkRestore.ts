/** Everything that is looked at before a backup is restored, each with a verdict. */
import { identityOf } from '../../../shared/node.ts';
import type { Check, RestoreChecks } from '../../../shared/safety.ts';
import { say } from '../../../shared/text/say.ts';
import { checkWalletName } from '../../../shared/walletName.ts';
import { thisPlatform } from '../../disk/isNetworkPath.ts';
import { checkPruned, checkRescan, checkSyncing } from './chainChecks.ts';
import { fine, read, stop } from './check.ts';
import type { RestoreFacts } from './checkFacts.ts';
import { byVerdict } from './checkMigration.ts';
import { BY_RESTORE, BY_RESTORE_AND_MIGRATION, checkSpace } from './checkSpace.ts';
import { checkFurtherNames } from './furtherNameChecks.ts';
import { sharedWords } from './sharedWalletsFolder.ts';
import { checkClosed, checkNetwork, checkObstacles, checkPassphrase, checkStrays } from './walletChecks.ts';

/** What goes by the file is left out where there is no wallet to go by. Pure: all that is known is in the facts. */
export function checkRestore(facts: RestoreFacts): RestoreChecks {
  const migrates = needsMigration(facts);
  const checks = [
    checkFile(facts, migrates),
    checkName(facts, migrates),
    checkSyncing(facts),
    ...(isNoWallet(facts) ? [] : ofTheWallet(facts, migrates)),
    ...(migrates ? ofTheMigration(facts) : []),
  ];
  const stops = checks.some(({ verdict }) => verdict === 'stop');
  const way = stops ? 'none' : migrates ? 'restore-migrate' : 'restore';
  return { node: identityOf(facts.status), checks: byVerdict(checks), way };
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
    checkFurtherNames(facts),
    checkStrays(facts),
    checkObstacles(
      facts,
      say(
        'Look at the file more closely first. Where the node refuses the migration, the app takes its copy away again, and the backup stays as it is.',
      ),
    ),
    checkPassphrase({ ...facts, info: null }),
  ];
}

/** A legacy backup on a release that loads none. */
function needsMigration({ file, status }: RestoreFacts): boolean {
  return file?.kind === 'legacy-wallet' && !status.release.loadsLegacy;
}

function checkFile({ file, fileError, looked }: RestoreFacts, migrates: boolean): Check {
  const words = { looked: say('The backup file.') };
  if (fileError !== null) {
    return stop('backup-file', {
      ...words,
      title: fileError.message,
      todo: [fileError.hint],
    });
  }
  if (file === null) {
    return read('backup-file', {
      ...words,
      title: say('The app cannot look at this file'),
      text: [say('It is on the node’s machine. The node opens it itself.')],
      todo: [say('Make sure that the path is right and that the node’s user may read the file.')],
    });
  }
  if (file.kind === 'other') {
    return stop('backup-file', {
      ...words,
      title: say('{file} is not a wallet', { file: file.name }),
      text: [say('It is: {kind}.', { kind: file.description })],
      todo: [
        say('Choose another file. A wallet’s file is mostly called wallet.dat, or ends in .bak or .dat.'),
      ],
    });
  }
  if (file.truncated && migrates) {
    return stop('backup-file', {
      ...words,
      title: say('The file is cut short: it is not a whole wallet'),
      text: [say('Only a whole legacy wallet is restored and migrated in one go.')],
      todo: [say('Look for another copy of this backup.')],
    });
  }
  if (looked.state === 'unseen') {
    return read('backup-file', {
      ...words,
      title: say('The app could not look into the file'),
      text: [looked.error.message, looked.error.hint],
      todo: [say('Read why. A file that the app cannot read, the node may not be able to read either.')],
    });
  }
  const lost = looked.state === 'seen' ? looked.inspection.problems.filter((problem) => problem.lost) : [];
  if (file.truncated || lost.length > 0) {
    return read('backup-file', {
      ...words,
      title: file.truncated ? say('The file is cut short') : say('Parts of the file cannot be read'),
      text: lost.slice(0, 10).map(({ text }) => text),
      todo: [
        say('Look for another copy of this backup. The node may refuse this one; it changes nothing then.'),
      ],
    });
  }
  return fine('backup-file', {
    ...words,
    title: say('The file of a wallet: {kind}', { kind: file.description }),
  });
}

function checkName({ name, onDisk, loaded, status, inTheWay }: RestoreFacts, migrates: boolean): Check {
  const words = { looked: say('The name for the wallet, and the names that the node has.') };
  const verdict = checkWalletName(name, {
    taken: [...loaded, ...onDisk],
    platform: status.local ? thisPlatform() : 'other',
  });
  if (!verdict.ok) {
    return stop('name', { ...words, title: verdict.message, todo: [say('Choose another name.')] });
  }
  if (migrates && name.includes('/')) {
    return stop('name', {
      ...words,
      title: say('A name with a slash cannot be used here'),
      text: [say('The app places its copy in the wallets folder itself, in a new folder of this name.')],
      todo: [say('Choose another name.')],
    });
  }
  if (migrates && inTheWay === true) {
    return stop('name', {
      ...words,
      title: say('There is already something of this name in the wallets folder'),
      text: [say('It is no wallet that the node lists. The app places nothing over it.')],
      todo: [say('Choose another name.')],
    });
  }
  if (name !== name.trim()) {
    return read('name', {
      ...words,
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
      ...words,
      title: say('The wallet would lie in the folder of the wallet “{wallet}”', { wallet: inside }),
      text: [say('Whoever moves or removes that wallet’s folder then takes this one along.')],
      todo: [say('A name without a slash is the safer choice.')],
    });
  }
  return fine('name', { ...words, title: say('The name is free') });
}

function checkKind({ file, status }: RestoreFacts): Check {
  const words = {
    looked: say('The kind of the wallet, and the node’s release, {release}.', {
      release: status.release.text,
    }),
  };
  if (file?.kind !== 'legacy-wallet')
    return fine('release', { ...words, title: say('This release can load it') });
  if (status.release.loadsLegacy) {
    return read('release', {
      ...words,
      title: say('This is a legacy wallet'),
      text: [say('This release loads it; releases from 30 on do not.')],
      todo: [say('Migrate it to a descriptor wallet after it is restored.')],
    });
  }
  if (status.release.migrates !== 'yes') {
    return stop('release', {
      ...words,
      title: say('This release cannot load a legacy wallet'),
      todo: [say('Use a node of release 29 or earlier, or work without a node.')],
    });
  }
  return read('release', {
    ...words,
    title: say('This is a legacy wallet, which this release cannot load as it is'),
    text: [
      say(
        'So the app restores and migrates it in one go: it places a copy in the wallets folder and has it migrated.',
      ),
    ],
  });
}

function checkFolder({ status, shared }: RestoreFacts): Check {
  const words = {
    looked: say(
      'Whether every wallet that the node lists is found in the folder the app takes for its wallets folder, and who may change that folder.',
    ),
  };
  if (shared !== null) {
    const { message, todo } = sharedWords(shared);
    return stop('wallets-folder', {
      ...words,
      title: message,
      text: [say('The app would place a copy with the wallet’s keys there.')],
      todo: [todo],
    });
  }
  if (status.local && status.walletsFolder !== null) {
    return fine('wallets-folder', {
      ...words,
      title: say('The wallets folder is known'),
      text: [status.walletsFolder],
    });
  }
  return stop('wallets-folder', {
    ...words,
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
