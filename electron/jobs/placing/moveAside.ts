/** Gives a half-made wallet another name, so that the whole one can have its place; and back, where nothing came of that. */
import { lstatSync, mkdirSync, readlinkSync, rmdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/wording/say.ts';
import { walletFilePath } from '../../bitcoind/calls/walletsFolder.ts';
import { flushFolder, isGone, isThere, moveFile, moveFolder } from '../../files/durableFile.ts';
import { writeError } from '../../files/fileError.ts';
import { markOf } from '../../files/fileMark.ts';
import { isInUse } from '../../files/lock/fileInUse.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { SQLITE_ENDINGS } from '../../walletfile/database/besideWallet.ts';
import type { Renamed } from '../plan/checkFacts.ts';
import type { Memory, MovedPath } from '../plan/memory.ts';

/**
 * Moves the wallets, each with all that belongs to it, within the wallets folder: nothing is deleted and nothing replaced.
 * A wallet in a folder of its own moves with that; a bare file moves into a new folder. `remember` is told of each step
 * before it is done, and may throw to stop it.
 *
 * @throws AppError `file_changed` where a wallet is open or not there, `name_taken`, `not_available_here` for a bare file that is a
 * relative link, what `writeError` makes of the system's errors, and what `remember` throws.
 */
export async function moveAside(
  walletsFolder: string,
  wallets: readonly Renamed[],
  remember: (moved: readonly MovedPath[]) => void,
): Promise<void> {
  const moved: MovedPath[] = [];
  for (const { name, newName } of wallets) {
    const file = await walletFilePath(walletsFolder, name);
    if (file === null || isInUse(file)) throw changed(name);
    const to = join(walletsFolder, newName);
    const folder = join(walletsFolder, name);
    const ownsFolder = name !== '' && dirname(file) === folder;
    if (!ownsFolder && leadsElsewhere(file)) throw linked(file);
    try {
      if (isThere(to)) throw taken(to);
      if (!ownsFolder) mkdirSync(to, { mode: 0o700 });
      const paths = ownsFolder ? [{ from: folder, to }] : await filesOf(file, to);
      for (const path of paths) {
        moved.push({ ...path, mark: markOf(lstatSync(path.from, { bigint: true })) });
        remember([...moved]);
        if (ownsFolder) moveFolder(path.from, path.to);
        else moveFile(path.from, path.to);
      }
    } catch (error) {
      throw writeError(error, to);
    }
    flushFolder(dirname(to));
    flushFolder(dirname(file));
  }
}

/** Whether it is a link that would lead to nothing from another folder. */
function leadsElsewhere(file: string): boolean {
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
 * Moves back what was set aside for work of which nothing came, where its place is free again: the last move first. What is
 * in its place by now, or is another thing than was moved, stays. Never throws.
 */
export function moveBack(memory: Memory): void {
  if (!('aside' in memory) || memory.aside === undefined) return;
  for (const { from, to, mark } of [...memory.aside].reverse()) {
    const now = orNull(() => lstatSync(to, { bigint: true }));
    // A disk may have another number after a restart.
    if (now === null || markOf(now).ino !== mark.ino) continue;
    // A node that was stopped early leaves the folder that it made empty, and refuses to restore into it.
    if (now.isDirectory()) orNull(() => rmdirSync(from));
    if (!isGone(from)) continue;
    orNull(() => (now.isDirectory() ? moveFolder(to, from) : moveFile(to, from)));
    // Of a bare file, the folder that was made for it: gone once it is empty.
    if (dirname(to) !== dirname(from)) orNull(() => rmdirSync(dirname(to)));
    flushFolder(dirname(from));
  }
  memory.aside = undefined;
}

function changed(name: string): AppError {
  return new AppError(
    'file_changed',
    say('The incomplete wallet “{name}” is open or missing.', { name }),
    say('Nothing was changed. Check again.'),
  );
}

function linked(path: string): AppError {
  return new AppError(
    'not_available_here',
    say('The incomplete file {path} is a relative link.', { path }),
    say('Nothing was changed. Put the file and its journal there, or an absolute link.'),
  );
}

function taken(path: string): AppError {
  return new AppError(
    'name_taken',
    say('There is already something at {path}.', { path }),
    say('Nothing was changed. Check again.'),
  );
}
