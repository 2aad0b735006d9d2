/** Finds free names for the wallets that must make room for one that is brought back. */
import { stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { WalletRename } from '../../../shared/model/job.ts';
import type { Plan } from '../../../shared/model/plan.ts';
import type { Interruption } from '../../../shared/model/safety.ts';
import { unloadCall } from '../../bitcoind/calls/walletCalls.ts';
import { walletFileFacts, walletFilePath } from '../../bitcoind/calls/walletsFolder.ts';
import { earliestTime } from '../../files/fileMark.ts';
import { existsAs } from '../../files/openFile.ts';
import { companionNames } from '../../walletfile/migrate/companionNames.ts';
import { interruptedName, pathBelow } from '../safetyCopies/interruptedSource.ts';
import type { RestoreFacts } from './checkFacts.ts';

/**
 * Finds free names for the wallet of this name and its companions; none if it is no migrated wallet. Only the engine can rename,
 * and a migration creates only descriptor wallets.
 */
export async function findUndoRenames(
  { status, undoes, onDisk, loaded }: Pick<RestoreFacts, 'status' | 'undoes' | 'onDisk' | 'loaded'>,
  name: string,
): Promise<readonly WalletRename[]> {
  const { walletsFolder, offline } = status;
  if (!undoes || !offline || walletsFolder === null || name === '') return [];
  const there = [name, ...companionNames(name)].filter((each) => onDisk.includes(each));
  const kinds = await Promise.all(
    there.map(async (each) => {
      const file = await walletFilePath(walletsFolder, each);
      return file === null ? null : (await walletFileFacts(file)).kind;
    }),
  );
  if (kinds.some((kind) => kind !== 'descriptor')) return [];
  return firstFree([...onDisk, ...loaded], (number) => {
    const stem = `${name} (migrated${number === 1 ? '' : ` ${number}`})`;
    return there.map((each) => ({ name: each, newName: `${stem}${each.slice(name.length)}` }));
  });
}

/** The first renames of those numbered 1, 2, … whose new names are all free; none if too many are taken. */
function firstFree(
  taken: readonly string[],
  numbered: (number: number) => readonly WalletRename[],
): readonly WalletRename[] {
  for (let number = 1; number <= MAX_TRIES; number += 1) {
    const all = numbered(number);
    if (all.every(({ newName }) => !taken.includes(newName))) return all;
  }
  return [];
}

const MAX_TRIES = 100;

/**
 * The path of the backup after the renames, because a backup in the folder of a renamed wallet moves along. The unnamed wallet
 * has no folder of its own, so only its file and journal move.
 */
export async function pathAfterRenames(
  backupFile: string,
  { renames, status: { walletsFolder } }: Pick<RestoreFacts, 'renames' | 'status'>,
): Promise<string> {
  if (walletsFolder === null) return backupFile;
  for (const { name, newName } of renames) {
    if (name === '') continue;
    const inside = await pathBelow(join(walletsFolder, name), backupFile);
    if (inside !== null) return join(walletsFolder, newName, inside);
  }
  return backupFile;
}

/**
 * Finds free names for the incomplete wallet of this name and the companions of the same migration; none if the name is another
 * one. The unnamed wallet is always renamed, because it comes back under a name.
 */
export async function findPutBackRenames(
  { status, putsBack, onDisk, loaded }: Pick<RestoreFacts, 'status' | 'putsBack' | 'onDisk' | 'loaded'>,
  name: string,
  created: number,
): Promise<readonly WalletRename[]> {
  const { walletsFolder } = status;
  const wallet = putsBack?.wallet ?? null;
  if (putsBack === null || wallet === null || walletsFolder === null) return [];
  if (wallet !== '' && wallet !== name) return [];
  const since = await beganAt(putsBack);
  // A migration that was killed between the old file and the new one leaves the folder, in which a node makes no wallet.
  const isThere =
    putsBack.file !== null || (wallet !== '' && (await existsAs(join(walletsFolder, wallet), 'folder')));
  const there = isThere ? [wallet] : [];
  for (const each of companionNames(wallet).filter((one) => onDisk.includes(one))) {
    const file = await walletFilePath(walletsFolder, each);
    const facts = file === null ? null : await stat(file).catch(() => null);
    // A wallet that is older than the migration is another wallet.
    if (facts !== null && earliestTime(facts) >= since) there.push(each);
  }
  return firstFree([...onDisk, ...loaded], (number) => {
    const own = interruptedName(wallet, created, number);
    return there.map((each) => ({
      name: each,
      newName: each === wallet ? own : `${own}${wallet === '' ? '_' : ''}${each.slice(wallet.length)}`,
    }));
  });
}

/**
 * When the interrupted migration began, in Unix seconds: the time of the copy that the node or the app made right before.
 * A backup by the user may be older. Each try to put the wallet back makes a newer copy of the same content.
 */
async function beganAt({ file, copies }: Interruption): Promise<number> {
  const ownCopies = copies.filter(({ from, isOther }) => from !== 'backup' && !isOther);
  const facts = file === null ? null : await stat(file).catch(() => null);
  const before = facts === null ? [] : ownCopies.filter(({ made }) => made <= earliestTime(facts));
  if (before.length > 0) return Math.max(...before.map(({ made }) => made));
  const same = ownCopies.filter(({ sha256 }) => sha256 === ownCopies[0]?.sha256);
  return Math.min(...same.map(({ made }) => made));
}

/** Each moved wallet with its old and new path, also an incomplete wallet that keeps its name. */
export function listMovedWallets({
  putsBack,
  renames,
  status: { walletsFolder },
}: Pick<RestoreFacts, 'putsBack' | 'renames' | 'status'>): NonNullable<Plan['movedWallets']> {
  const at = (name: string) => walletsFolder && join(walletsFolder, name);
  const moved = renames.map((one) => ({ ...one, path: at(one.newName), now: at(one.name) }));
  const incomplete = putsBack?.wallet ?? null;
  const now = putsBack?.file ?? null;
  if (incomplete === null || now === null) return moved;
  if (moved.length === 0) return [{ name: incomplete, newName: incomplete, path: now, now }];
  return moved.map((one) => (one.name === incomplete ? { ...one, now } : one));
}

export function containsOtherWallets(name: string, onDisk: readonly string[]): boolean {
  return (
    name !== '' && onDisk.some((other) => other.startsWith(`${name}/`) || other.startsWith(`${name}${sep}`))
  );
}

/** The calls that unload the wallets to move, if the node has them loaded. */
export function unloadsFor({
  putsBack,
  renames,
  loaded,
}: Pick<RestoreFacts, 'putsBack' | 'renames' | 'loaded'>) {
  if (putsBack === null) return [];
  return renames.filter(({ name }) => loaded.includes(name)).map(({ name }) => unloadCall(name));
}
