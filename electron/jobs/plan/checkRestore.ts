/** All checks before a backup is restored, the space on the disks among them. */
import { AppError } from '../../../shared/model/errors.ts';
import { isAboutJournal } from '../../../shared/model/findings/finding.ts';
import { visibleText } from '../../../shared/model/names/visibleText.ts';
import type { Check } from '../../../shared/model/safety.ts';
import { fileKindAdvice, fileKindText } from '../../../shared/wording/findings/fileKindWords.ts';
import { findingText } from '../../../shared/wording/findings/findingWords.ts';
import {
  asSentence,
  notSent,
  OLD_PASSPHRASES,
  OTHERS_MAY_READ,
  sharedFolderText,
} from '../../../shared/wording/findings/hints.ts';
import { quotedWallet } from '../../../shared/wording/format/names.ts';
import { newCoinsWords, otherFolderText } from '../../../shared/wording/interruptionWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { isInUse } from '../../files/lock/fileInUse.ts';
import { findSharedFolder, type SharedFolder } from '../../files/sharedFolder.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import {
  blocker,
  contentsOf,
  copyForNode,
  fine,
  type RestoreFacts,
  rescuesDescriptorWallet,
  type Space,
  unseen,
  warning,
} from './checkFacts.ts';
import { checkHazards, checkPayments, checkPruned, checkSyncing } from './nodeChecks.ts';
import {
  checkClosed,
  checkCoin,
  checkCompanionNames,
  checkComplete,
  checkForeignTransactions,
  checkLostAddresses,
  checkNetwork,
  checkPool,
  checkUnclosedBackup,
  checkUnreadParts,
  inUseCheck,
  linkedCheck,
} from './walletChecks.ts';
import { containsOtherWallets } from './walletRenames.ts';

/** Whether the engine, which knows no custom signet, does not open the file. */
function isOfCustomSignet({ file, status }: RestoreFacts): boolean {
  return status.offline && file?.kind === 'descriptor-wallet' && file.network === null;
}

/** A damaged header names no network, so nodes and the engine refuse the file. Null if it is whole. */
function checkHeader({ fileInspection, rescue }: RestoreFacts): Check | null {
  const damage = contentsOf(fileInspection)?.problems.find(
    ({ finding }) =>
      finding.code === 'wallet_damaged' &&
      finding.fault.code === 'header_field_invalid' &&
      finding.fault.field === 'application_id',
  );
  if (damage === undefined || rescue !== null) return null;
  return blocker('network', findingText(damage.finding), { todo: [say('Rescue what is intact.')] });
}

/** Skips the checks of the wallet if the file is not a wallet. `loads`: whether the node loads the result of a migration. */
export function checkRestore(facts: RestoreFacts, loads = true): Check[] {
  const migrates = needsMigration(facts);
  const { oldPassphrase } = facts;
  // The file cannot be read, or is something else. A file on the node's machine may be a wallet.
  const isNoWallet = facts.fileError !== null || facts.file?.kind === 'other';
  const isCopied = copyForNode(facts) !== null;
  const walletChecks = [
    checkKind(facts),
    checkCoin(facts),
    ...(migrates ? [] : [...checkUnclosedBackup(facts), checkHazards(facts, 'loading')]),
    checkHeader(facts) ?? checkNetwork(facts, isOfCustomSignet(facts)),
    checkPruned(facts, loads),
    checkSpace(facts.space, migrates ? BY_RESTORE_AND_MIGRATION : isCopied ? BY_REPAIRED : BY_RESTORE),
    ...checkPayments(facts, !migrates || loads),
  ];
  const migrationChecks = [
    ...checkFolder(facts),
    checkClosed(facts),
    checkCompanionNames(facts),
    checkForeignTransactions(facts),
    checkLostAddresses(facts),
    checkPool(facts),
    checkHazards(facts),
  ];
  return [
    ...checkInterrupted(facts),
    ...checkMigrated(facts),
    ...(oldPassphrase ? [warning('passphrase', OLD_PASSPHRASES[oldPassphrase])] : []),
    checkFile(facts, migrates),
    ...checkFileClosed(facts),
    ...checkCanRestore(facts),
    ...(migrates ? [] : [...checkWritable(facts), ...checkNodeUser(facts)]),
    ...checkFolderPermissions(facts),
    ...checkSameFolder(facts),
    checkSyncing(facts),
    ...(isNoWallet ? [] : walletChecks),
    ...(migrates ? migrationChecks : []),
  ];
}

/**
 * Whether the restore includes a migration: for a legacy backup on a release that loads none, and in the app's own engine, unless
 * the job undoes a migration.
 */
export function needsMigration(facts: RestoreFacts): boolean {
  const { file, status, undoes, rescue } = facts;
  const { loadsLegacy, migrates } = status.release;
  const includesMigration = !loadsLegacy || (status.offline && migrates !== 'no');
  if (rescue !== null) return !rescuesDescriptorWallet(facts);
  return file?.kind === 'legacy-wallet' && includesMigration && !undoes;
}

/** Refuses an incomplete file, and checks whether the incomplete wallet can be moved for the one that is put back. */
function checkInterrupted(facts: RestoreFacts): Check[] {
  const { putsBack, fileInspection } = facts;
  const incompleteCheck = checkComplete(fileInspection);
  if (incompleteCheck !== null) return [incompleteCheck];
  if (putsBack === null) return [];
  const isOther = putsBack.copies.some((copy) => copy.path === facts.backupFile && copy.isOther);
  const other = warning('interrupted', say('Another wallet’s copy'), {
    text: [say('Its keys differ, or cannot be compared.')],
    todo: [say('Continue only if you recognise this copy.')],
  });
  return [...(isOther ? [other] : []), ...checkCanMove(facts, putsBack)];
}

/** Blocks a file that a program has open: its copy could be incomplete, because the program may be writing to it. */
export function checkFileClosed({ file, putsBack, isOpen }: RestoreFacts): Check[] {
  if (file === null || file.kind === 'other' || putsBack !== null) return [];
  return isOpen ? [inUseCheck('loaded-elsewhere', isOpen)] : [];
}

/** Why the incomplete wallet cannot be moved. */
function checkCanMove(
  { renames, onDisk, loaded }: RestoreFacts,
  putsBack: NonNullable<RestoreFacts['putsBack']>,
): Check[] {
  const [incomplete] = renames;
  if (incomplete === undefined) return [];
  const file = putsBack.file;
  if (file !== null && !loaded.includes(incomplete.name) && isInUse(file)) {
    return [inUseCheck('interrupted')];
  }
  if (containsOtherWallets(incomplete.name, onDisk)) {
    return [
      blocker('interrupted', say('Other wallets are in its folder'), {
        text: [say('The app does not rename them.')],
        todo: [say('Choose another name.')],
      }),
    ];
  }
  return [];
}

/** For an undo: whether the migrated wallets can be renamed, and whether they have coins that the old wallet cannot see. */
function checkMigrated({ migrated, renames, status: { network } }: RestoreFacts): Check[] {
  const [renamed] = renames;
  if (migrated === null || renamed === undefined) return [];
  const { newCoins, openElsewhere, isLinked } = migrated;
  if (isLinked) return [linkedCheck()];
  if (openElsewhere === true) return [inUseCheck('loaded-elsewhere')];
  const found = openElsewhere ? [inUseCheck('loaded-elsewhere', openElsewhere)] : [];
  if (newCoins === null) return [...found, unseen('unconfirmed', say('Not everything could be compared'))];
  if (newCoins === 0n) return found;
  const [title, text] = newCoinsWords(newCoins, network);
  const todo = say('Move them first, or keep {wallet}.', { wallet: quotedWallet(renamed.newName) });
  return [...found, warning('unconfirmed', title, { text: [text], todo: [todo] })];
}

/** `restorewallet` came with release 23. */
export function checkCanRestore({ status: { release } }: RestoreFacts): Check[] {
  if (release.number >= FIRST_RELEASE) return [];
  return [
    blocker('release', say('Release {release} cannot restore backups', { release: release.text }), {
      todo: [say('Use release 23 or later.')],
    }),
  ];
}

const FIRST_RELEASE = 230_000;

/** Whether the node's user can read the file that the node will open. */
export function checkNodeUser(facts: RestoreFacts): Check[] {
  const { rescue, unreadableByNode } = facts;
  const isCopied = rescue !== null || copyForNode(facts) !== null;
  if (!(isCopied ? unreadableByNode.copies : unreadableByNode.file)) return [];
  return [
    blocker('node-user', say('The node’s user cannot read the file'), {
      text: [say('The node runs as another user.')],
      todo: [say('Run the app as the node’s user, or work without a node.')],
    }),
  ];
}

/** Null for a readable file. */
export function checkUnreadable({ fileError }: Pick<RestoreFacts, 'fileError'>): Check | null {
  return fileError && blocker('backup-file', fileError.message, { todo: [fileError.hint] });
}

function checkFile({ file, fileError, fileInspection }: RestoreFacts, migrates: boolean): Check {
  const unreadable = checkUnreadable({ fileError });
  if (unreadable !== null) return unreadable;
  // A node would copy only the file, and assume that it is complete.
  if (fileInspection.state === 'unreadable' && isAboutJournal(fileInspection.error.finding?.code ?? '')) {
    const { message, hint } = fileInspection.error;
    return blocker('backup-file', message, { todo: [hint] });
  }
  if (file === null) {
    return warning('backup-file', say('The app cannot read the file'), {
      text: [say('It is on the node’s machine.')],
      todo: [say('Let the node’s user read it.')],
    });
  }
  if (file.kind === 'other') {
    const advice = fileKindAdvice(file.fileKind);
    return blocker('backup-file', say('Not a Bitcoin Core wallet'), {
      text: [say('Type: {kind}.', { kind: fileKindText(file.fileKind) })],
      todo: advice === null ? [] : [advice],
    });
  }
  if (file.truncated && migrates) {
    return blocker('backup-file', say('The file is cut short'), {
      text: [say('Only whole legacy wallets can be migrated.')],
      todo: [say('Look for another copy.')],
    });
  }
  const todo = `${say('Look for another copy.')} ${say('If the node refuses this one, nothing changes.')}`;
  return (
    checkUnreadParts('backup-file', fileInspection, todo, file.truncated) ??
    fine('backup-file', say('Wallet file: {kind}', { kind: fileKindText(file.fileKind) }))
  );
}

function checkKind(facts: RestoreFacts): Check {
  const { file, status, undoes, putsBack } = facts;
  const { loadsLegacy, migrates } = status.release;
  if (loadsLegacy && file?.kind === 'legacy-wallet') {
    const title = say('Legacy wallet');
    if (undoes || putsBack !== null || needsMigration(facts)) return fine('release', title);
    return fine('release', title, {
      text: [say('Bitcoin Core 30 and later cannot open it until it is migrated.')],
    });
  }
  if (loadsLegacy || (file !== null && file.kind !== 'legacy-wallet')) {
    return fine('release', say('This release can load it'));
  }
  const title = say('Release {release} cannot load legacy wallets', { release: status.release.text });
  const elsewhere = [say('Use release 29 or earlier, or work without a node.')];
  if (file === null) {
    return warning('release', title, {
      text: [say('If it is legacy, the node changes nothing.')],
      todo: elsewhere,
    });
  }
  if (undoes || migrates !== 'yes') return blocker('release', title, { todo: elsewhere });
  return fine('release', title, { text: [say('A copy is migrated.')] });
}

/** Empty if a node on this machine does not report its folder, because the plan asks for it. */
export function checkFolder(facts: RestoreFacts): Check[] {
  const { status, sharedFolder } = facts;
  if (sharedFolder !== null) {
    const text = [say('The copy would contain the wallet’s keys.')];
    return [
      blocker('wallets-folder', sharedFolderText(sharedFolder), {
        text,
        todo: [sharedFolderAdvice(sharedFolder)],
      }),
    ];
  }
  if (status.walletsFolder !== null) {
    const unwritable = checkWritable(facts);
    if (unwritable.length > 0) return unwritable;
    return [fine('wallets-folder', say('Wallets folder found'), { text: [status.walletsFolder] })];
  }
  if (status.local) return [];
  return [blocker('wallets-folder', say('Node on another machine'), { todo: [BY_HAND] })];
}

/** About a node, the app may be wrong: it may see the folder through another mount, and a proxy of another user. */
export function checkWritable({ unwritable, status }: Pick<RestoreFacts, 'unwritable' | 'status'>): Check[] {
  if (unwritable === null) return [];
  const folder = visibleText(unwritable);
  const todo = [say('Make {folder} writable and try again.', { folder })];
  if (!status.offline)
    return [warning('wallets-folder', say('May be read-only: {folder}', { folder }), { todo })];
  return [blocker('wallets-folder', say('Cannot write to {folder}', { folder }), { todo })];
}

/** How the user can place a copy by hand. */
export const BY_HAND = say(
  'Copy it into a new folder there as wallet.dat and migrate that, or work without a node.',
);

function sharedFolderAdvice({ folder, how }: SharedFolder): string {
  return how === 'owned-by-another'
    ? // The copy is readable only by this user, so a node of the other user could not open it.
      say('Run the app as the node’s user, or work without a node.')
    : say('Run “chmod go-w” on {folder}, or work without a node.', { folder });
}

/** The same check right before the app places a copy. Throws AppError `not_available_here` if another user can change the folder. */
export function refuseSharedWalletsFolder(walletsFolder: string): void {
  const shared = orNull(() => findSharedFolder(walletsFolder));
  if (shared === null) return;
  throw new AppError('not_available_here', sharedFolderText(shared), notSent(sharedFolderAdvice(shared)));
}

/** Warns if another folder had wallets at this path: without its disk, the new one would be written below the mount point. */
function checkSameFolder({ walletElsewhere: wallet }: RestoreFacts): Check[] {
  return wallet === null
    ? []
    : [warning('same-folder', otherFolderText(wallet), { todo: [asSentence(say('Check again'))] })];
}

/** Warns if other users may read the wallets folder, unless the wallet was there before the job. */
export function checkFolderPermissions({ othersMayRead, undoes, putsBack }: RestoreFacts): Check[] {
  return othersMayRead && !undoes && putsBack === null ? [warning('folder-rights', OTHERS_MAY_READ)] : [];
}

/** The check for the question about the node's wallets folder; null if the plan does not ask. `isNeeded`: whether the job needs it. */
export function checkNamedFolder(status: RestoreFacts['status'], isNeeded: boolean): Check | null {
  if (!status.local || status.offline || status.walletsFolder !== null) return null;
  const verdict = isNeeded ? blocker : warning;
  return verdict('wallets-folder', say('Unknown wallets folder'), {
    todo: [say('Choose it: the app checks it.')],
  });
}

/** What a job writes. Each file is about as large as the wallet's file. */
interface DiskUse {
  /** The number of new files in the wallets folder. */
  readonly inWalletsFolder: number;
  /** Whether the app copies the wallet, and the other wallets at risk, into its own folder. */
  readonly appCopies: boolean;
}

/** The legacy backup and the new wallet. */
export const BY_MIGRATION: DiskUse = { inWalletsFolder: 2, appCopies: true };
/** What a migration writes, and the copy that the app places for it. */
export const BY_RESTORE_AND_MIGRATION: DiskUse = { inWalletsFolder: 3, appCopies: true };
const BY_RESTORE: DiskUse = { inWalletsFolder: 1, appCopies: false };
/** The same, from a file that the app repairs. */
export const BY_REPAIRED: DiskUse = { inWalletsFolder: 1, appCopies: true };

/** Checks each disk on its own, or both together if they are one. */
export function checkSpace(space: Space | null, use: DiskUse): Check {
  const disks = space === null ? [] : disksOf(space, use);
  const full = disks.flatMap(({ place, needed, free }) =>
    free !== null && free < needed
      ? [
          say('{place}: {needed} needed, {free} free.', {
            place,
            needed: megabytes(needed),
            // Round down, so that the free space never looks like enough.
            free: megabytes(free, Math.floor),
          }),
        ]
      : [],
  );
  if (full.length > 0) {
    return blocker('space', say('Not enough space'), { text: full, todo: [say('Make room and try again.')] });
  }
  if (space === null || disks.some(({ free }) => free === null)) {
    return warning('space', say('Unknown free space'), { todo: [say('Check free space.')] });
  }
  return fine('space', say('Enough free space'));
}

function disksOf(
  { size, otherWalletsSize, free, freeForCopies, oneDisk }: Space,
  { inWalletsFolder, appCopies }: DiskUse,
) {
  const inFolder = inWalletsFolder * size + MARGIN;
  const inApp = size + otherWalletsSize;
  const folder = say('Wallets folder');
  const copies = say('App’s copies');
  if (!appCopies) return [{ needed: inFolder, free, place: folder }];
  if (oneDisk) return [{ needed: inFolder + inApp, free, place: say('Wallets folder and app’s copies') }];
  return [
    { needed: inFolder, free, place: folder },
    { needed: inApp + MARGIN, free: freeForCopies, place: copies },
  ];
}

const MARGIN = 16 * 1024 * 1024;

function megabytes(bytes: number, round = Math.ceil): string {
  return say('{megabytes, number} MB', { megabytes: round(bytes / 1_000_000) });
}
