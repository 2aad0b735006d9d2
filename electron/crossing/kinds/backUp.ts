/** Makes a new backup with `backupwallet`, never over another file, and looks at what was written. */
import { constants, realpathSync } from 'node:fs';
import { access, lstat, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, posix, win32 } from 'node:path';
import type { Input } from '../../../shared/contract.ts';
import { AppError, errorShapeOf } from '../../../shared/errors.ts';
import { type NodeAddress, sameNode } from '../../../shared/node.ts';
import type { BackupProof } from '../../../shared/operation.ts';
import { say } from '../../../shared/text/say.ts';
import { fileError } from '../../disk/fileError.ts';
import { hashFile } from '../../disk/hash.ts';
import { inspectFile } from '../../disk/inspect.ts';
import { type SharedWay, sharedWay } from '../../disk/lock/sharedFolder.ts';
import { systemCode } from '../../disk/systemCode.ts';
import { backupWallet, listWallets } from '../../node/calls/walletCalls.ts';
import type { Session } from '../../node/rpc/session.ts';
import type { MemoryOf } from '../plan/memory.ts';
import type { Continuation, Ending, Plan } from '../plan/plan.ts';

/**
 * Checks that the backup can be made and gives the plan of it. Nothing that changes anything is sent before.
 *
 * @throws AppError `not_connected` when the wallet is on another node, `bad_input` for a path that is not absolute,
 * `wallet_not_found` for a wallet that is not loaded; with a node on this machine also `file_exists`, `folder_missing`, `file_unreadable` for a folder that
 * this user may not write to, `not_available_here` for one that other users of this computer can change; and what the
 * node's calls throw.
 */
export async function planBackup(session: Session, input: Input<'backup.start'>): Promise<Plan<void>> {
  const { name } = input;
  const { local } = session.status;
  if (input.node && !sameNode(input.node, session.client.address)) throw walletElsewhere(name, input.node);
  refusePath(input.destination, local);
  const destination = local ? await freeDestination(input.destination) : input.destination;
  if (!(await listWallets(session.client)).includes(name)) throw notLoaded(name);
  return {
    ...continueBackup({ kind: 'backup', name, destination }),
    begin: {
      call: (client, signal) => backupWallet(client, name, destination, signal),
      conclude: (_, __, signal) => verified(name, destination, local, signal),
    },
  };
}

/** A backup whose answer is not known. */
export function continueBackup(memory: MemoryOf<'backup'>): Continuation {
  const { name, destination } = memory;
  return {
    kind: 'backup',
    wallet: name,
    method: 'backupwallet',
    memory: () => memory,
    explain: (error) => error,
    async decide({ status: { local } }, { stillRunning, signal }) {
      if (stillRunning) return null;
      return local ? verified(name, destination, local, signal) : cannotLook(destination);
    },
  };
}

/** Another node may have a wallet of the same name: a backup of that one would look like the right thing. */
function walletElsewhere(name: string, { host, port }: NodeAddress): AppError {
  return new AppError(
    'not_connected',
    say('The wallet “{name}” is on the node at {host}:{port}, and the app is connected to another one.', {
      name,
      host,
      port,
    }),
    say('Nothing was sent to either. Connect to that node to make the backup.'),
  );
}

function refusePath(destination: string, local: boolean): void {
  const complete = local
    ? isAbsolute(destination)
    : posix.isAbsolute(destination) || win32.isAbsolute(destination);
  if (complete) return;
  throw new AppError(
    'bad_input',
    say('The path for the backup is not complete.'),
    say(
      'Nothing was sent to the node. Give the path from the root of the disk on: the node has another working folder than you.',
    ),
  );
}

/**
 * The same file by the real path of its folder: a link on the way could lead elsewhere by the time the node writes. A node
 * replaces whatever file is there and writes through links, so nobody else may be able to put one there meanwhile.
 */
async function freeDestination(destination: string): Promise<string> {
  const folder = dirname(destination);
  if (!(await isFolder(folder))) {
    throw new AppError(
      'folder_missing',
      say('There is no folder {path}.', { path: folder }),
      say('Nothing was sent to the node. Make the folder, connect the disk, or choose another place.'),
    );
  }
  if (await exists(destination)) {
    throw new AppError(
      'file_exists',
      say('There is already something at {path}.', { path: destination }),
      say('Nothing was sent to the node. The app never overwrites a file: choose another name.'),
    );
  }
  try {
    await access(folder, constants.W_OK);
  } catch {
    throw new AppError(
      'file_unreadable',
      say('This user may not write to {path}.', { path: folder }),
      say('Nothing was sent to the node. Choose a folder of yours.'),
    );
  }
  const shared = sharedWay(folder);
  if (shared !== null) throw sharedDestination(shared);
  return join(realpathSync(folder), basename(destination));
}

function sharedDestination({ folder, how }: SharedWay): AppError {
  return new AppError(
    'not_available_here',
    how === 'owned-by-another'
      ? say('Another user of this computer can change what lies there: {folder} is theirs.', { folder })
      : say('Other users of this computer can change what lies there: they may write to {folder}.', {
          folder,
        }),
    say(
      'Nothing was sent to the node. While it writes, they could put a link or a file of theirs in the place of the backup, and so overwrite a file of yours or read the keys. Choose a folder that only you can write to, and copy the backup from there. If the node runs as another user, let that user make the backup, with “bitcoin-cli backupwallet”.',
    ),
  );
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw fileError(error, path);
  }
}

/** A link to nothing counts as well: the node would write through it. */
async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw fileError(error, path);
  }
}

/** Looks at the file that the node says it wrote. */
async function verified(name: string, path: string, local: boolean, signal: AbortSignal): Promise<Ending> {
  const done = (proof: BackupProof): Ending => ({
    state: 'done',
    result: { kind: 'backup', walletName: name, proof },
    warnings: [],
  });
  if (!local) return done({ seen: false, path });
  try {
    const { size, kind, description, truncated } = await inspectFile(path);
    if (kind === 'other' || truncated) throw notWhole(path, truncated ? say('it is cut short') : description);
    return done({ seen: true, path, size, ...(await hashFile(path, { signal })) });
  } catch (thrown) {
    // The node may run as a user whose files are closed to this one: then it is there, but cannot be looked into.
    if (thrown instanceof AppError && thrown.code === 'file_unreadable') return done({ seen: false, path });
    if (thrown instanceof AppError && thrown.code === 'file_missing')
      return { state: 'failed', error: notThere(path) };
    return { state: 'failed', error: errorShapeOf(thrown) };
  }
}

function notLoaded(name: string): AppError {
  return new AppError(
    'wallet_not_found',
    name === ''
      ? say('The unnamed wallet is not loaded.')
      : say('The wallet “{name}” is not loaded.', { name }),
    say('Nothing was sent to the node. Load the wallet first: the node backs up loaded wallets only.'),
  );
}

function notWhole(path: string, why: string): AppError {
  return new AppError(
    'not_a_wallet',
    say('What was written to {path} is not a whole wallet: {reason}.', { path, reason: why }),
    say(
      'Do not count on this file. The wallet itself is as it was. Look whether the disk is full, and back up to another place.',
    ),
  );
}

function notThere(path: string) {
  return {
    code: 'file_missing',
    message: say('There is no backup at {path}.', { path }),
    hint: say(
      'The wallet itself is as it was. The node may see other disks and folders than this app does (a container, for example). Try again with another folder.',
    ),
  } as const;
}

function cannotLook(destination: string): Ending {
  return {
    state: 'unknown',
    error: {
      code: 'outcome_unknown',
      message: say('The app cannot tell whether the backup was made.'),
      hint: say(
        'The line was lost before the node answered, and the file would be on the node’s machine. Look there for {destination}, or make a backup under another name. The wallet itself is as it was.',
        { destination },
      ),
    },
  };
}
