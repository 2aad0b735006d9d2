/** What makes room in the app's own engine when a migration is undone: the wallets that came of it, under new names. */
import { isAbsolute, join, relative, sep } from 'node:path';
import { walletFileKind, walletFilePath } from '../../node/calls/walletsFolder.ts';
import { companionNames } from '../../wallet/migrate/companionNames.ts';
import type { Renamed, RestoreFacts } from './checkFacts.ts';

/**
 * The wallet that has the name and its companions, each with a free name; none where the name is not that of a migrated
 * wallet. Only the engine can rename, and only descriptor wallets come of a migration.
 */
export async function setAsideFor(
  { status, undoes, onDisk, loaded }: Pick<RestoreFacts, 'status' | 'undoes' | 'onDisk' | 'loaded'>,
  name: string,
): Promise<readonly Renamed[]> {
  const { walletsFolder, offline } = status;
  if (!undoes || !offline || walletsFolder === null || name === '') return [];
  const there = [name, ...companionNames(name)].filter((each) => onDisk.includes(each));
  const kinds = await Promise.all(
    there.map(async (each) => {
      const file = await walletFilePath(walletsFolder, each);
      return file === null ? null : walletFileKind(file);
    }),
  );
  if (kinds.some((kind) => kind !== 'descriptor')) return [];
  const taken = new Set([...onDisk, ...loaded]);
  for (let number = 1; number <= MOST_TRIES; number += 1) {
    const stem = `${name} (migrated${number === 1 ? '' : ` ${number}`})`;
    const all = there.map((each) => ({ name: each, newName: `${stem}${each.slice(name.length)}` }));
    if (all.every(({ newName }) => !taken.has(newName))) return all;
  }
  return [];
}

const MOST_TRIES = 100;

/** Where the backup lies once they have made room: one in the folder of such a wallet moves along. */
export function backupAfterwards({
  backupFile,
  setAside,
  status: { walletsFolder },
}: Pick<RestoreFacts, 'backupFile' | 'setAside' | 'status'>): string {
  if (walletsFolder === null) return backupFile;
  for (const { name, newName } of setAside) {
    const inside = relative(join(walletsFolder, name), backupFile);
    const isInside = inside !== '' && !isAbsolute(inside) && inside.split(sep)[0] !== '..';
    if (isInside) return join(walletsFolder, newName, inside);
  }
  return backupFile;
}
