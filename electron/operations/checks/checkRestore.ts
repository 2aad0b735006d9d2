/** Everything that is looked at before a backup is restored, each with a verdict. */

import type { Check, RestoreChecks } from '../../../shared/safety.ts';
import { checkWalletName } from '../../../shared/walletName.ts';
import { thisPlatform } from '../thisPlatform.ts';
import { fine, read, stop } from './check.ts';
import type { RestoreFacts } from './checkFacts.ts';
import { byVerdict } from './checkMigration.ts';
import { checkPruned, checkRescan, checkSpace, checkSyncing } from './nodeChecks.ts';
import { checkNetwork } from './walletChecks.ts';

export function checkRestore(facts: RestoreFacts): RestoreChecks {
  const migrates = needsMigration(facts);
  const checks = [
    checkFile(facts),
    checkName(facts),
    checkKind(facts),
    checkNetwork(facts),
    checkPruned(facts),
    checkSpace(facts.space),
    checkSyncing(facts),
    checkRescan(facts),
    ...(migrates ? [checkFolder(facts), checkClosed(facts)] : []),
  ];
  const stops = checks.some(({ verdict }) => verdict === 'stop');
  return { checks: byVerdict(checks), way: stops ? 'none' : migrates ? 'restore-migrate' : 'restore' };
}

/** A legacy backup on a release that loads none. */
function needsMigration({ file, status }: RestoreFacts): boolean {
  return file?.kind === 'legacy-wallet' && !status.release.loadsLegacy;
}

function checkFile({ file, fileError, looked }: RestoreFacts): Check {
  const words = { looked: 'The backup file.' };
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
      title: 'The app cannot look at this file',
      text: ['It is on the node’s machine. The node opens it itself.'],
      todo: ['Make sure that the path is right and that the node’s user may read the file.'],
    });
  }
  if (file.kind === 'other') {
    return stop('backup-file', {
      ...words,
      title: `${file.name} is not a wallet`,
      text: [`It is: ${file.description}.`],
      todo: ['Choose another file. A wallet’s file is mostly called wallet.dat, or ends in .bak or .dat.'],
    });
  }
  const lost = looked.state === 'seen' ? looked.inspection.problems.filter((problem) => problem.lost) : [];
  if (file.truncated || lost.length > 0) {
    return read('backup-file', {
      ...words,
      title: file.truncated ? 'The file is cut short' : 'Parts of the file cannot be read',
      text: lost.slice(0, 10).map(({ text }) => text),
      todo: ['Look for another copy of this backup. The node may refuse this one; it changes nothing then.'],
    });
  }
  return fine('backup-file', { ...words, title: `The file is a ${file.description}` });
}

function checkName({ name, onDisk, loaded, status }: RestoreFacts): Check {
  const words = { looked: 'The name for the wallet, and the names that the node has.' };
  const verdict = checkWalletName(name, {
    taken: [...loaded, ...onDisk],
    platform: status.local ? thisPlatform() : 'other',
  });
  if (!verdict.ok) {
    return stop('name', { ...words, title: verdict.message, todo: ['Choose another name.'] });
  }
  if (name !== name.trim()) {
    return read('name', {
      ...words,
      title: 'The name begins or ends with a space',
      text: ['That is easy to overlook when the name has to be typed later.'],
      todo: ['Take the space away, unless you want it.'],
    });
  }
  const parts = name.split('/');
  const above = parts.slice(0, -1).map((_, at) => parts.slice(0, at + 1).join('/'));
  const inside = above.find((each) => onDisk.includes(each));
  if (inside !== undefined) {
    return read('name', {
      ...words,
      title: `The wallet would lie in the folder of the wallet “${inside}”`,
      text: ['Whoever moves or removes that wallet’s folder then takes this one along.'],
      todo: ['A name without a slash is the safer choice.'],
    });
  }
  return fine('name', { ...words, title: 'The name is free' });
}

function checkKind({ file, status }: RestoreFacts): Check {
  const words = { looked: `The kind of the wallet, and the node’s release, ${status.release.text}.` };
  if (file?.kind !== 'legacy-wallet') return fine('release', { ...words, title: 'This release can load it' });
  if (status.release.loadsLegacy) {
    return read('release', {
      ...words,
      title: 'This is a legacy wallet',
      text: ['This release loads it; releases from 30 on do not.'],
      todo: ['Migrate it to a descriptor wallet after it is restored.'],
    });
  }
  if (status.release.migrates !== 'yes') {
    return stop('release', {
      ...words,
      title: 'This release cannot load a legacy wallet',
      todo: ['Use a node of release 29 or earlier, or work without a node.'],
    });
  }
  return read('release', {
    ...words,
    title: 'This is a legacy wallet, which this release cannot load as it is',
    text: [
      'So the app restores and migrates it in one go: it places a copy in the wallets folder and has it migrated.',
    ],
  });
}

function checkFolder({ status }: RestoreFacts): Check {
  const words = {
    looked:
      'Whether every wallet that the node lists is found in the folder the app takes for its wallets folder.',
  };
  if (status.local && status.walletsFolder !== null) {
    return fine('wallets-folder', {
      ...words,
      title: 'The wallets folder is known',
      text: [status.walletsFolder],
    });
  }
  return stop('wallets-folder', {
    ...words,
    title: status.local
      ? 'The app does not know the node’s wallets folder for certain'
      : 'The node is on another machine',
    text: ['So it cannot place a copy there.'],
    todo: [
      'Put a copy of the backup as wallet.dat into a new folder within the node’s wallets folder by hand, and migrate the wallet of that folder’s name. Or work without a node.',
    ],
  });
}

function checkClosed({ looked, status }: RestoreFacts): Check {
  const words = { looked: 'The marks that Berkeley DB leaves in a file that was not closed.' };
  const format = looked.state === 'seen' ? looked.inspection.file.format : null;
  if (format?.kind !== 'berkeley-db' || format.cleanlyClosed) {
    return fine('not-closed', { ...words, title: 'The file was closed cleanly' });
  }
  return stop('not-closed', {
    ...words,
    title: 'The file was not closed cleanly, and this release refuses it',
    text: [`A node of release ${status.release.text} answers “LSNs are not reset” and changes nothing.`],
    todo: ['Load and unload the wallet once with a node of release 29 or earlier. Then come back.'],
  });
}
