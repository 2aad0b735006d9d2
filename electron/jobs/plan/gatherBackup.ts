/** Gathers and checks the facts about a wallet and the destination of its new backup. Changes nothing. */
import { realpathSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '../../../shared/model/errors.ts';
import { syncServiceAt } from '../../../shared/model/files.ts';
import { isDamaged } from '../../../shared/model/inspection.ts';
import { visibleText } from '../../../shared/model/names/visibleText.ts';
import { nameAsLoaded } from '../../../shared/model/names/walletName.ts';
import type { NodeStatus } from '../../../shared/model/node.ts';
import type { Check } from '../../../shared/model/safety.ts';
import { errorShapeOf } from '../../../shared/wording/findings/findingWords.ts';
import {
  asSentence,
  notSent,
  OTHERS_MAY_READ,
  sharedFolderText,
} from '../../../shared/wording/findings/hints.ts';
import { say } from '../../../shared/wording/say.ts';
import { listWalletDir, listWallets } from '../../bitcoind/calls/walletCalls.ts';
import { type LoadState, loadStateOf } from '../../bitcoind/calls/wallets.ts';
import { isOpenInOther, walletFileFacts, walletFilePath } from '../../bitcoind/calls/walletsFolder.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import { refuseTaken } from '../../files/durableFile.ts';
import { systemError, writeError } from '../../files/fileError.ts';
import { othersMayRead } from '../../files/lock/refuseSharedFolder.ts';
import { isWithin } from '../../files/openFile.ts';
import { findSharedFolder, findUnwritable } from '../../files/sharedFolder.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { findInterruption } from '../safetyCopies/interruptedSource.ts';
import {
  type BackupFacts,
  blocker,
  contentsOf,
  fine,
  isJoinedWithJournal,
  OUT_OF_REACH,
  warning,
} from './checkFacts.ts';
import { type FactsDeps, inspectSource, readDiskFacts, requireFullPath } from './gatherFacts.ts';
import { checkHazards } from './nodeChecks.ts';
import { inUseCheck, missingWalletCheck } from './walletChecks.ts';

/** Throws what the node's calls throw. */
export async function gatherBackup(
  session: Session,
  asked: string,
  destination: string,
  deps: FactsDeps,
): Promise<BackupFacts> {
  const { status } = session;
  const [loaded, inFolder] = await Promise.all([
    listWallets(session.client),
    listWalletDir(session.client).catch(() => null),
  ]);
  const name = nameAsLoaded(asked, loaded, status.walletsFolder);
  const onDisk = inFolder?.map((wallet) => wallet.name) ?? null;
  // The engine keeps no file open, and does not apply logs.
  const isClosed = loaded.includes(name) ? status.offline : onDisk?.includes(name);
  const loadState = await loadStateOf(status, name, { inFolder: inFolder ?? [], loaded });
  const source = { by: 'wallet', name } as const;
  const interruption = await findInterruption(status, { source }, deps.interruptions, deps.signal);
  const path = status.walletsFolder === null ? null : await walletFilePath(status.walletsFolder, name);
  const size = path === null ? 0 : (await walletFileFacts(path)).size;
  const where = await gatherDestination({ status, size }, destination, deps);
  const own = name === '' || path === null || basename(path) !== 'wallet.dat' ? null : dirname(path);
  const isIn = (folder: string | null) =>
    folder !== null &&
    where.newBackup !== null &&
    isWithin(where.newBackup, orNull(() => realpathSync(folder)) ?? folder);
  return {
    status,
    name,
    size,
    onDisk,
    loaded,
    openElsewhere:
      path !== null && !loaded.includes(name) && (await isOpenInOther(path, status.walletsFolder, loaded)),
    // Whoever removes the wallet removes its folder.
    beside: isIn(own) ? 'wallet' : isIn(status.walletsFolder) ? 'wallets' : null,
    isInterrupted: interruption !== null,
    isKept: interruption?.restoredAs !== undefined,
    ...(isClosed ? await readClosed(status, { name, path, loadState }, deps) : NO_FILE),
    ...where,
  };
}

const NO_FILE = { cannotBeLoaded: false, file: null, fileInspection: OUT_OF_REACH } as const;

/** Whether the node can load the wallet, and its file if the app can read it. `path`: null if the app cannot see it. */
async function readClosed(
  { offline }: NodeStatus,
  {
    name,
    path,
    loadState,
  }: { readonly name: string; readonly path: string | null; readonly loadState: LoadState },
  deps: FactsDeps,
): Promise<Pick<BackupFacts, 'cannotBeLoaded' | 'file' | 'fileInspection'>> {
  const cannotBeLoaded = loadState === 'legacy';
  const file = path !== null && (await isReadable(path)) ? path : null;
  if (file === null) return { ...NO_FILE, cannotBeLoaded };
  const fileInspection = await inspectSource({ by: 'wallet', name }, { isLoaded: false }, deps);
  const contents = contentsOf(fileInspection);
  const { format } = contents?.file ?? {};
  const cannotBeTrusted = contents === null || isDamaged(contents.problems);
  // Berkeley DB recovers more from its log than the app.
  const isLeftToNode = !offline && format?.kind === 'berkeley-db' && !format.cleanlyClosed;
  if (!cannotBeLoaded && (cannotBeTrusted || isLeftToNode)) return NO_FILE;
  return { cannotBeLoaded, file, fileInspection };
}

function isReadable(path: string): Promise<boolean> {
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}

/** Where the node can write the backup, or why it cannot. */
export async function gatherDestination(
  { status, size }: Pick<BackupFacts, 'status' | 'size'>,
  destination: string,
  { refuseBackup }: Pick<FactsDeps, 'refuseBackup'>,
): Promise<
  Pick<BackupFacts, 'destination' | 'newBackup' | 'destinationError' | 'isRefusedToNode' | 'othersMayRead'>
> {
  const { local } = status;
  const unchecked = { isRefusedToNode: false, othersMayRead: false };
  const nowhere = { destination, newBackup: null, destinationError: null, ...unchecked };
  if (destination === '') return nowhere;
  try {
    requireFullPath(destination, local);
    await refuseBackup?.(destination, { local });
    if (!local) return nowhere;
    const newBackup = await freeDestination(destination);
    const disk = await readDiskFacts(dirname(newBackup));
    if (disk !== null && disk.free < size) throw writeError(systemError('ENOSPC'), newBackup);
    const folder = dirname(newBackup);
    const isRefusedToNode = findUnwritable(status, [folder]) !== null;
    return { ...nowhere, newBackup, isRefusedToNode, othersMayRead: othersMayRead(folder) };
  } catch (thrown) {
    return { ...nowhere, destinationError: errorShapeOf(thrown) };
  }
}

/** The destination through the real path of its folder. Nobody else may write there: a node overwrites files and follows links. */
async function freeDestination(destination: string): Promise<string> {
  refuseTaken(destination);
  const folder = dirname(destination);
  await access(folder, constants.W_OK).catch((error) => {
    throw writeError(error, destination);
  });
  const shared = findSharedFolder(folder);
  if (shared !== null) {
    throw new AppError(
      'not_available_here',
      sharedFolderText(shared),
      notSent(say('Choose your own folder, or have the node’s user run “bitcoin-cli backupwallet”.')),
    );
  }
  return join(realpathSync(folder), basename(destination));
}

/**
 * The app itself copies a whole file that no program has open, because the node may be unable to load it: it may have pruned the
 * blocks that the wallet needs. Otherwise the node loads the wallet for the backup.
 */
export function checkLoaded(facts: BackupFacts): Check {
  const { name, onDisk, loaded, cannotBeLoaded, file, status } = facts;
  if (facts.openElsewhere) return inUseCheck('loaded-elsewhere');
  if (file !== null) return fine('wallet-loaded', say('The app copies the file'), journalText(facts));
  if (loaded.includes(name)) return fine('wallet-loaded', say('Wallet is loaded'));
  if (onDisk === null) {
    return blocker('wallet-loaded', say('Not loaded'), { todo: [asSentence(say('Load it'))] });
  }
  if (!onDisk.includes(name)) return missingWalletCheck(name, [...onDisk, ...loaded]);
  if (!cannotBeLoaded) {
    const hazards = checkHazards(facts, 'loading');
    return hazards.verdict === 'blocker' || hazards.verdict === 'warning'
      ? hazards
      : fine('wallet-loaded', say('Loaded only for the backup'));
  }
  return blocker(
    'wallet-loaded',
    say('Release {release} cannot load legacy wallets', { release: status.release.text }),
    { todo: [say('Migrate it, or copy its wallet.dat on that machine.')] },
  );
}

/** For the check's text: whether the copy includes a journal or log. */
function journalText({ fileInspection }: BackupFacts): { text: string[] } {
  const format = contentsOf(fileInspection)?.file.format;
  const isOpen = format?.kind === 'berkeley-db' && !format.cleanlyClosed;
  return { text: isOpen || isJoinedWithJournal(fileInspection) ? [say('With its journal or log.')] : [] };
}

export function checkDestination(facts: BackupFacts): Check {
  const { destination, newBackup, destinationError, othersMayRead, beside, file, name } = facts;
  if (destination === '') return blocker('backup-place', say('Choose where to save the backup.'));
  if (destinationError !== null)
    return blocker('backup-place', destinationError.message, { todo: [destinationError.hint] });
  // On another machine.
  if (newBackup === null) return warning('backup-place', say('The node overwrites an existing file'));
  if (beside === 'wallet')
    return blocker('backup-place', say('This is the wallet’s folder.'), {
      todo: [say('Choose another folder.')],
    });
  // A closed wallet is copied by the app. About a node, the app may be wrong: see `checkWritable`.
  if (facts.isRefusedToNode && file === null) {
    const canUnload = facts.loaded.includes(name) && facts.status.walletsFolder !== null;
    const folder = visibleText(dirname(newBackup));
    return warning('backup-place', say('May be read-only: {folder}', { folder }), {
      todo: [canUnload ? say('Unload it so that the app can copy it.') : say('Choose another folder.')],
    });
  }
  const service = syncServiceAt(newBackup);
  if (service !== null) return warning('backup-place', say('This folder syncs to {service}.', { service }));
  if (othersMayRead) return warning('backup-place', OTHERS_MAY_READ);
  if (beside === 'wallets')
    return warning('backup-place', say('Your wallets folder'), { todo: [say('Choose another folder.')] });
  return fine('backup-place', say('The path is free'));
}
