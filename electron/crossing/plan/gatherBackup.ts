/** Looks where a new backup is to go, and tells whether it can be made there. Changes nothing. */
import { realpathSync, type Stats } from 'node:fs';
import { access, constants, lstat, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, posix, win32 } from 'node:path';
import { AppError, errorShapeOf } from '../../../shared/errors.ts';
import type { Check } from '../../../shared/safety.ts';
import { say } from '../../../shared/text/say.ts';
import { fileError } from '../../disk/fileError.ts';
import { sharedMessage, sharedWay } from '../../disk/owned/sharedFolder.ts';
import { systemCode } from '../../disk/systemCode.ts';
import { listWalletDir, listWallets } from '../../node/calls/walletCalls.ts';
import type { Session } from '../../node/rpc/session.ts';
import { type BackupFacts, fine, stop, unseen } from './checkFacts.ts';
import { incompletePath } from './crossingErrors.ts';
import { noSuchWallet } from './walletChecks.ts';

/** Throws what the node's calls throw. */
export async function gatherBackup(
  session: Session,
  name: string,
  destination: string,
): Promise<BackupFacts> {
  const { status } = session;
  const [loaded, onDisk] = await Promise.all([
    listWallets(session.client),
    listWalletDir(session.client).then(
      (wallets) => wallets.map((wallet) => wallet.name),
      () => null,
    ),
  ]);
  return { status, name, onDisk, loaded, ...(await toPlace(status.local, destination)) };
}

/** The same for another place. */
export async function replaced(facts: BackupFacts, destination: string): Promise<BackupFacts> {
  return { ...facts, ...(await toPlace(facts.status.local, destination)) };
}

async function toPlace(
  local: boolean,
  destination: string,
): Promise<Pick<BackupFacts, 'destination' | 'place' | 'refusal'>> {
  if (destination === '') return { destination, place: null, refusal: null };
  try {
    const isComplete = local
      ? isAbsolute(destination)
      : posix.isAbsolute(destination) || win32.isAbsolute(destination);
    if (!isComplete) throw incompletePath();
    return { destination, place: local ? await freeDestination(destination) : null, refusal: null };
  } catch (thrown) {
    return { destination, place: null, refusal: errorShapeOf(thrown) };
  }
}

/** By the real path of its folder. A node writes over files and through links, so no other may put one there. */
async function freeDestination(destination: string): Promise<string> {
  const folder = dirname(destination);
  if (!(await factsOf(folder, stat))?.isDirectory()) {
    throw new AppError(
      'folder_missing',
      say('There is no folder {path}.', { path: folder }),
      say('Nothing was sent. Make the folder, connect its disk, or choose another.'),
    );
  }
  // A link to nothing counts as well: the node would write through it.
  if ((await factsOf(destination, lstat)) !== null) {
    throw new AppError(
      'file_exists',
      say('There is already something at {path}.', { path: destination }),
      say('Nothing was sent. Choose another name: the app never overwrites a file.'),
    );
  }
  try {
    await access(folder, constants.W_OK);
  } catch {
    throw new AppError(
      'file_unreadable',
      say('You may not write to {path}.', { path: folder }),
      say('Nothing was sent. Choose a folder of yours.'),
    );
  }
  const shared = sharedWay(folder);
  if (shared !== null) {
    throw new AppError(
      'not_available_here',
      sharedMessage(shared),
      say(
        'Nothing was sent. They could swap the backup, to overwrite your files or read the keys. Choose a folder that only you can write to, or let the node’s user run “bitcoin-cli backupwallet”.',
      ),
    );
  }
  return join(realpathSync(folder), basename(destination));
}

/** Null for nothing. */
async function factsOf(path: string, look: typeof stat | typeof lstat): Promise<Stats | null> {
  try {
    return await look(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return null;
    throw fileError(error, path);
  }
}

export function checkLoaded({ name, onDisk, loaded }: BackupFacts): Check {
  if (loaded.includes(name)) return fine('wallet-loaded', say('Wallet is loaded'));
  if (onDisk !== null && !onDisk.includes(name)) return noSuchWallet(name, [...onDisk, ...loaded]);
  return stop('wallet-loaded', say('The wallet is not loaded'), { todo: [say('Load it first.')] });
}

export function checkDestination({ destination, place, refusal }: BackupFacts): Check {
  if (destination === '') return stop('backup-place', say('Choose where the backup goes.'));
  if (refusal !== null) return stop('backup-place', refusal.message, { todo: [refusal.hint] });
  if (place === null) return unseen('backup-place', say('The app cannot see the node’s disk'));
  return fine('backup-place', say('Place is free'));
}
