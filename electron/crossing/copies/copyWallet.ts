/** Copies the file of a wallet of a node, and those beside an unnamed one, into a folder of the app. */
import { chmod, rm, stat } from 'node:fs/promises';
import { join, posix, win32 } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import type { SafetyCopy } from '../../../shared/safety.ts';
import { say } from '../../../shared/text/say.ts';
import { copySafely } from '../../disk/copySafely.ts';
import { flushFile } from '../../disk/durableFile.ts';
import { fileError } from '../../disk/fileError.ts';
import { hashFile } from '../../disk/hash.ts';
import { inspectFile } from '../../disk/inspect.ts';
import { sharedWay } from '../../disk/lock/sharedFolder.ts';
import { backupInto } from '../../node/calls/backupInto.ts';
import { rpcInfo } from '../../node/calls/nodeCalls.ts';
import {
  backupWallet,
  listWalletDir,
  listWallets,
  loadWallet,
  unloadWallet,
} from '../../node/calls/walletCalls.ts';
import { walletFilePath } from '../../node/calls/walletFile.ts';
import type { Session } from '../../node/rpc/session.ts';
import { fileName, fileTime } from './copyNames.ts';
import type { CopyPlan } from './copyPlan.ts';

type CopiedFile = SafetyCopy['files'][number];

/** What a copy consists of. */
export type MadeFiles = Pick<SafetyCopy, 'how' | 'note' | 'files'>;

interface Making {
  signal: AbortSignal;
  /** Told before the wallet is unloaded, which is done only where the node refuses to write the copy itself. */
  onUnload: () => void;
}

/**
 * The wallet's own file comes first. What the node has open is written by the node itself. Throws AppError
 * `stopped_by_check` and what `copySafely` and the node's calls throw; a wallet that was unloaded stays so.
 */
export async function copyWallet(
  session: Session,
  name: string,
  plan: CopyPlan,
  into: string,
  making: Making,
): Promise<MadeFiles> {
  const { signal } = making;
  const own = await copyOne(session, name, plan, into, making);
  if (name !== '') return own;
  const beside = await copyNeighbours(session, into, signal);
  const notes = [own.note, lackOf(beside.lacking)].filter((note) => note !== null);
  return {
    ...own,
    note: notes.length > 0 ? notes.join(' ') : null,
    files: [...own.files, ...beside.files],
  };
}

async function copyOne(
  session: Session,
  name: string,
  { way, file, loaded }: CopyPlan,
  into: string,
  { signal, onUnload }: Making,
): Promise<MadeFiles> {
  const place = join(into, 'wallet.dat');
  if (way === 'copied' && file !== null) {
    return { how: 'copied', note: null, files: [await copyFile(name, file, place, signal)] };
  }
  if (file === null) return writtenThere(session, name, loaded, signal);
  try {
    await backupInto(session, name, place, signal);
  } catch (thrown) {
    if (signal.aborted || !(thrown instanceof AppError) || thrown.node === undefined) throw thrown;
    await rm(place, { force: true });
    // The node may run as a user that cannot write here. A closed file can be copied.
    onUnload();
    await unloadWallet(session.client, name, signal);
    return {
      how: 'copied',
      note: say(
        'The node could not write into the app’s folder. The wallet was unloaded first, and its closed file was copied.',
      ),
      files: [await copyFile(name, file, place, signal)],
    };
  }
  return { how: 'backupwallet', note: null, files: [await seen(name, place, signal)] };
}

/** On the node's machine, in the folder of its log, which it can surely write to. */
async function writtenThere(
  { client, status }: Session,
  name: string,
  loaded: boolean,
  signal: AbortSignal,
): Promise<MadeFiles> {
  const { logPath } = await rpcInfo(client, signal);
  if (logPath === null) {
    throw new AppError(
      'stopped_by_check',
      say('The app cannot make a copy of the wallet: the node does not tell where its files are.'),
      say(
        'Nothing was changed. Make a copy of the wallet’s file by hand, then go on and say that you have one.',
      ),
    );
  }
  const { dirname, join: joined } = posix.isAbsolute(logPath) ? posix : win32;
  const folder = dirname(logPath);
  if (status.local && othersMayWrite(folder)) throw sharedLogFolder(folder);
  const path = joined(folder, `wallet-ferry ${fileTime(Date.now() / 1000)} ${fileName(name)}.bak`);
  if (!loaded) await loadWallet(client, name, signal);
  await backupWallet(client, name, path, signal);
  return {
    how: 'backupwallet',
    note: loaded
      ? say('The copy is on the node’s machine, where the app cannot look at it.')
      : say(
          'The copy is on the node’s machine, where the app cannot look at it. The wallet was loaded for it.',
        ),
    files: [{ path, source: null, size: null, sha256: null, wallet: name }],
  };
}

/** That it is another user's is no matter: the node is theirs too. Where it cannot be seen, it is the node's own business. */
function othersMayWrite(folder: string): boolean {
  try {
    return sharedWay(folder)?.how === 'writable-by-others';
  } catch {
    return false;
  }
}

/** The node replaces whatever file is there and writes through links. */
function sharedLogFolder(folder: string): AppError {
  return new AppError(
    'stopped_by_check',
    say(
      'The app cannot make its own copy of this wallet: the node would write it beside its log, in {folder}, and other users of this computer can change what lies there.',
      { folder },
    ),
    say(
      'Nothing was changed. Make a copy of the wallet’s file by hand, then go on and say that you have one.',
    ),
  );
}

interface Neighbours {
  files: CopiedFile[];
  /** Names of wallets whose files are not where they should be. */
  lacking: string[];
}

/** The other wallets of the node: the danger for them is why they are copied at all. */
async function copyNeighbours(session: Session, into: string, signal: AbortSignal): Promise<Neighbours> {
  const { client, status } = session;
  const files: CopiedFile[] = [];
  const lacking: string[] = [];
  if (status.walletsFolder === null) return { files, lacking };
  const [names, loaded] = await Promise.all([listWalletDir(client, signal), listWallets(client, signal)]);
  for (const { name } of names) {
    if (name === '') continue;
    const place = join(into, `beside ${files.length + 1} ${fileName(name)}.dat`);
    const file = await walletFilePath(status.walletsFolder, name);
    if (loaded.includes(name)) files.push(await copyLoadedNeighbour(session, name, place, signal));
    else if (file !== null) files.push(await copyFile(name, file, place, signal));
    else lacking.push(name);
  }
  return { files, lacking };
}

/** It is not unloaded unasked: it is not the one that is to be migrated. */
async function copyLoadedNeighbour(
  session: Session,
  name: string,
  place: string,
  signal: AbortSignal,
): Promise<CopiedFile> {
  try {
    await backupInto(session, name, place, signal);
  } catch (thrown) {
    if (signal.aborted || !(thrown instanceof AppError) || thrown.node === undefined) throw thrown;
    throw new AppError(
      'stopped_by_check',
      say('The node could not write a copy of the wallet “{name}”, which lies beside the unnamed one.', {
        name,
      }),
      say(
        'Nothing was changed, and nothing was migrated. Unload that wallet in the list of wallets and try again: the app then copies its closed file.',
      ),
      thrown.node,
    );
  }
  return seen(name, place, signal);
}

function lackOf(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  return say('Not copied, because the app did not find their files: {names}.', {
    names: names.map((name) => `“${name}”`).join(', '),
  });
}

/** Equal to its source before and after, and read-only. Throws AppError: what `copySafely` throws. */
export async function copyFile(
  wallet: string,
  source: string,
  place: string,
  signal: AbortSignal,
): Promise<CopiedFile> {
  return { path: place, source, ...(await copySafely(source, place, { mode: READ_ONLY, signal })), wallet };
}

/**
 * What the node wrote: whole, flushed to the disk and closed to changes. Held against no file, since the node writes on
 * into its own.
 */
async function seen(wallet: string, path: string, signal: AbortSignal): Promise<CopiedFile> {
  const { kind, truncated } = await inspectFile(path);
  if (kind === 'other' || truncated) {
    throw new AppError(
      'not_a_wallet',
      say('What the node wrote as a copy is not a whole wallet.'),
      say('Nothing was changed, and nothing was migrated. Look whether the disk is full, and try again.'),
    );
  }
  try {
    await flushFile(path);
    const { sha256 } = await hashFile(path, { signal });
    await chmod(path, READ_ONLY);
    return { path, source: null, size: (await stat(path)).size, sha256, wallet };
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    throw fileError(thrown, path);
  }
}

const READ_ONLY = 0o400;
