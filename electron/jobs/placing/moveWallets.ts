/** Moves an incomplete wallet to a new name so that the whole one can take its place, and back if the job fails. */
import { lstatSync, mkdirSync, readlinkSync, rmdirSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { AppError } from '../../../shared/model/errors.ts';
import type { WalletRename } from '../../../shared/model/job.ts';
import type { LeftCopy } from '../../../shared/model/safety.ts';
import { nothingChanged } from '../../../shared/wording/findings/hints.ts';
import { say } from '../../../shared/wording/say.ts';
import { listWallets } from '../../bitcoind/calls/walletCalls.ts';
import { walletFilePath } from '../../bitcoind/calls/walletsFolder.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import { flushFolder, isGone, moveFile, moveFolder, pathExists } from '../../files/durableFile.ts';
import { writeError } from '../../files/fileError.ts';
import { type FileMark, isSameFile, isSameInode, markOf } from '../../files/fileMark.ts';
import { isInUse } from '../../files/lock/fileInUse.ts';
import { folderReplacedError, type OpenFolder, openFolder } from '../../files/openFolder.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { SQLITE_ENDINGS } from '../../walletfile/database/relatedFiles.ts';
import type { Checkpoint, MovedPath } from '../plan/checkpoint.ts';

/**
 * Moves the wallets with everything that belongs to them within the wallets folder. Deletes and replaces nothing.
 * A wallet in a folder of its own moves with that; a bare file moves into a new folder. Moves a folder also if a killed migration
 * left it without a wallet. Calls `save` before each step, which may throw to stop it.
 *
 * @throws AppError `file_changed` if a wallet is open or missing, `name_taken`, `not_available_here` for a bare file that is a
 * relative link, what `writeError` makes of the system's errors, and what `save` throws.
 */
export async function moveWallets(
  walletsFolder: string,
  wallets: readonly WalletRename[],
  save: (moved: readonly MovedPath[]) => void,
): Promise<void> {
  const moved: MovedPath[] = [];
  for (const { name, newName } of wallets) {
    const file = await walletFilePath(walletsFolder, name);
    const before = file === null ? null : markAt(file);
    const to = join(walletsFolder, newName);
    const folder = join(walletsFolder, name);
    const ownsFolder = name !== '' && (file === null ? isFolder(folder) : dirname(file) === folder);
    if (file === null ? !ownsFolder : before === null || isInUse(file)) throw walletChangedError(name);
    if (file !== null && !ownsFolder && isRelativeLink(file))
      throw new AppError(
        'not_available_here',
        say('{path} is a relative link.', { path: file }),
        nothingChanged(say('Put the file and its journal there.')),
      );
    const step = (path: Pick<MovedPath, 'from' | 'to'>) =>
      move(walletsFolder, path, (mark) => {
        moved.push({ ...path, mark });
        save([...moved]);
      });
    try {
      if (pathExists(to))
        throw new AppError(
          'name_taken',
          say('{path} already exists.', { path: to }),
          nothingChanged(say('Check again.')),
        );
      if (ownsFolder) await step({ from: folder, to });
      else if (file !== null) {
        await within(walletsFolder, to, async (placeOf) => mkdirSync(await placeOf(), { mode: 0o700 }));
        for (const path of await filesOf(file, to)) await step(path);
      }
    } catch (error) {
      throw writeError(error, to);
    }
    // Another wallet may have replaced it since the app recorded its mark.
    const now = markAt(join(to, 'wallet.dat'));
    if (before === null ? now !== null : now === null || !isSameFile(now, before))
      throw walletChangedError(name);
    flushFolder(dirname(to));
    flushFolder(dirname(file ?? folder));
  }
}

/** Moves exactly the entry that was found, never one swapped in meanwhile. Calls `save` first. */
function move(
  walletsFolder: string,
  { from, to }: Pick<MovedPath, 'from' | 'to'>,
  save: (mark: FileMark) => void,
): Promise<void> {
  return within(walletsFolder, from, (placeOf) =>
    within(walletsFolder, to, async (newPlaceOf) => {
      const mark = markOf(lstatSync(await placeOf(), { bigint: true }));
      save(mark);
      const [place, newPlace] = [await placeOf(), await newPlaceOf()];
      if (!hasMark(place, mark)) throw folderReplacedError(from);
      moveAt(place, newPlace);
      if (hasMark(newPlace, mark)) return;
      moveAt(newPlace, place);
      throw folderReplacedError(from);
    }),
  );
}

/** Does one step on a path below the folder, through open folder handles. `currentPath` gives the path for the step. */
async function within<T>(
  walletsFolder: string,
  path: string,
  step: (currentPath: () => Promise<string>) => Promise<T>,
): Promise<T> {
  const down = async (folder: OpenFolder, [name = '', ...rest]: readonly string[]): Promise<T> => {
    if (rest.length === 0) return step(() => folder.at(name));
    await using inner = await folder.openInside(name);
    return await down(inner, rest);
  };
  await using folder = await openFolder(walletsFolder);
  return await down(folder, relative(walletsFolder, path).split(sep));
}

/** Replaces nothing. Folders and links are renamed in one step. */
function moveAt(from: string, to: string): void {
  (lstatSync(from).isFile() ? moveFile : moveFolder)(from, to);
}

function hasMark(path: string, mark: FileMark): boolean {
  const now = orNull(() => lstatSync(path, { bigint: true }));
  // A disk may have another number after a restart.
  return now !== null && isSameInode(now, mark);
}

/** Follows links. A move of a link moves the link, not its target. */
function isFolder(path: string): boolean {
  return orNull(() => statSync(path).isDirectory()) === true;
}

/** Follows links. */
function markAt(path: string): FileMark | null {
  return orNull(() => markOf(statSync(path, { bigint: true })));
}

/** Whether the file is a relative link, which would lead nowhere from another folder. */
function isRelativeLink(file: string): boolean {
  return lstatSync(file).isSymbolicLink() && !isAbsolute(readlinkSync(file));
}

/** Moves the journals first: without them the file would pass as whole. In a folder, a node reads only `wallet.dat`. */
async function filesOf(file: string, folder: string): Promise<Pick<MovedPath, 'from' | 'to'>[]> {
  const there = await readdir(dirname(file));
  return ['', ...SQLITE_ENDINGS]
    .filter((end) => there.includes(`${basename(file)}${end}`))
    .reverse()
    .map((end) => ({ from: `${file}${end}`, to: join(folder, `wallet.dat${end}`) }));
}

/**
 * Moves the wallets back after a job that failed, the last move first. Skips a path that is taken again, and a file that is not
 * the moved one, or that is in use by now. What stays is kept in the checkpoint, for a later attempt; null if nothing stays. Never
 * throws. `session`: null while the node cannot be asked.
 */
export async function moveBack(checkpoint: Checkpoint, session: Session | null): Promise<LeftCopy | null> {
  if (!('moves' in checkpoint) || checkpoint.moves === undefined) return null;
  const { moves } = checkpoint;
  const stay: MovedPath[] = [];
  const loaded = session === null ? [] : await listWallets(session.client).catch(() => null);
  for (const moved of [...moves].reverse())
    if (loaded === null || !(await moveOneBack(moved, loaded).catch(() => false))) stay.unshift(moved);
  // Late work may have saved one more move meanwhile.
  if (checkpoint.moves === moves) checkpoint.moves = stay.length === 0 ? undefined : stay;
  return stay[0] ? { path: stay[0].to, why: 'not-moved-back' } : null;
}

/** False if it stays where it was moved. `loaded`: the names of the wallets that the node has loaded. */
async function moveOneBack({ from, to, mark }: MovedPath, loaded: readonly string[]): Promise<boolean> {
  const isBare = dirname(to) !== dirname(from);
  const folder = isBare ? dirname(to) : to;
  // The new name has the time in it.
  if (isInUse(join(folder, 'wallet.dat')) || loaded.some((name) => basename(name) === basename(folder)))
    return false;
  let isBack = true;
  await within(dirname(from), from, (placeOf) =>
    within(dirname(to), to, async (newPlaceOf) => {
      const [place, newPlace] = [await placeOf(), await newPlaceOf()];
      // The folder of a disk that is not mounted is empty.
      isBack = hasMark(place, mark) || !isGone(newPlace);
      if (!hasMark(newPlace, mark)) return;
      // A node that was stopped early leaves the folder that it made empty, and refuses to restore into it.
      if (!isBare) orNull(() => rmdirSync(place));
      isBack = isGone(place);
      if (isBack) moveAt(newPlace, place);
    }),
  );
  // Remove the folder that was created for a bare file, if it is empty.
  if (isBare) orNull(() => rmdirSync(dirname(to)));
  flushFolder(dirname(from));
  return isBack;
}

function walletChangedError(name: string): AppError {
  return new AppError(
    'file_changed',
    say('“{name}” is open or missing.', { name }),
    nothingChanged(say('Check again.')),
  );
}
