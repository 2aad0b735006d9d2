/** Folders to start from in the app's own file dialog: home, the whole computer, mounted disks and sticks. */
import { access, readdir } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { say } from '../../shared/text/say.ts';

export interface Place {
  label: string;
  path: string;
}

/** The places that exist now, each path once. `mountFolders` are folders whose folders are mounted disks. */
export async function findPlaces(
  home: string,
  extra: readonly Place[],
  mountFolders: readonly string[] = systemMountFolders(),
): Promise<Place[]> {
  const mounted = await Promise.all(mountFolders.map(foldersIn));
  const all = [{ label: say('Home'), path: home }, ...extra, ...(await roots()), ...mounted.flat()];
  return all.filter(({ path }, at) => all.findIndex((other) => other.path === path) === at);
}

function systemMountFolders(): string[] {
  if (process.platform === 'win32') return [];
  if (process.platform === 'darwin') return ['/Volumes'];
  const user = userName();
  return user === null ? [] : [join('/media', user), join('/run/media', user)];
}

function userName(): string | null {
  try {
    return userInfo().username;
  } catch {
    // A container's user may have no entry in the system's list.
    return null;
  }
}

async function foldersIn(path: string): Promise<Place[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => ({ label: name, path: join(path, name) }))
      .sort((a, b) => a.label.localeCompare(b.label));
  } catch {
    return [];
  }
}

const DRIVE_LETTERS = [...'CDEFGHIJKLMNOPQRSTUVWXYZ'];

async function roots(): Promise<Place[]> {
  if (process.platform !== 'win32') return [{ label: say('Computer'), path: '/' }];
  const drives = DRIVE_LETTERS.map((letter) => ({ label: `${letter}:`, path: `${letter}:\\` }));
  const present = await Promise.all(
    drives.map(({ path }) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return drives.filter((_, at) => present[at]);
}
