/** Plans the safety copy before a migration: by the app, by the node, or none, and the calls for it. */
import { stat } from 'node:fs/promises';
import { join, posix, win32 } from 'node:path';
import type { NodeStatus } from '../../../shared/model/node.ts';
import { say } from '../../../shared/wording/say.ts';
import type { Call } from '../../bitcoind/calls/call.ts';
import { backupCall, loadCall, unloadCall } from '../../bitcoind/calls/walletCalls.ts';
import { walletFilePath } from '../../bitcoind/calls/walletsFolder.ts';
import { findSharedFolder } from '../../files/owned/sharedFolder.ts';
import { orNull } from '../../walletfile/bytes/once.ts';

export interface CopyPlan {
  /** `copied`: of the closed file. `backupwallet`: by the node. `cannot`: neither; the user must have a copy. */
  readonly how: 'copied' | 'backupwallet' | 'cannot';
  readonly text: string;
  /** The wallet's file on this machine; null if unknown. */
  readonly file: string | null;
  /** The app's new folder for the copy; null if it makes none. */
  readonly folder: string | null;
  /** The wallet's own copy first, then, for the unnamed wallet, copies of all other wallets in the folder. Empty for `cannot`. */
  readonly copies: readonly PlannedCopy[];
  readonly calls: readonly Call[];
  /** Bytes of the other wallets whose files were found. */
  readonly otherWalletsSize: number;
  /** Names of the other wallets whose files were not found. */
  readonly notFound: readonly string[];
}

export interface PlannedCopy {
  readonly name: string;
  /** The closed file, or the call with which the node copies a wallet that it has open. */
  readonly from: string | Call;
  readonly place: string;
}

/** The wallet to copy, and the destination. */
export interface CopyRequest {
  readonly name: string;
  /** Names of the wallets in the node's wallets folder, and of the loaded ones. */
  readonly onDisk: readonly string[];
  readonly loaded: readonly string[];
  readonly folder: string;
  /** Unix seconds, for the name of a copy that the node writes next to its log. */
  readonly at: number;
}

/** Reads no wallet and asks no node. */
export async function planCopy(
  status: NodeStatus,
  { name, onDisk, loaded, folder, at }: CopyRequest,
): Promise<CopyPlan> {
  const isLoaded = loaded.includes(name);
  const { walletsFolder } = status;
  const file = walletsFolder === null ? null : await walletFilePath(walletsFolder, name);
  if (status.local && file !== null && walletsFolder !== null) {
    const place = join(folder, 'wallet.dat');
    const others = name === '' ? onDisk.filter((each) => each !== '') : [];
    const { copies: copiesBeside, ...rest } = await planOtherCopies(walletsFolder, others, {
      loaded,
      folder,
    });
    const common = { file, folder, ...rest };
    const callsBeside = copiesBeside.flatMap(({ from }) => (typeof from === 'string' ? [] : from));
    if (!isLoaded) {
      const text = say('The app copies the closed file.');
      const copies = [{ name, from: file, place }, ...copiesBeside];
      return { ...common, how: 'copied', text, copies, calls: callsBeside };
    }
    const backup = backupCall(name, place);
    return {
      ...common,
      how: 'backupwallet',
      text: say('The node writes the copy.'),
      copies: [{ name, from: backup, place }, ...copiesBeside],
      // The node may run as a user that cannot write here. A closed file can be copied.
      calls: [
        backup,
        { ...unloadCall(name), when: say('If the node cannot write the copy.') },
        ...callsBeside,
        { ...loadCall(name), when: say('Only if the app unloaded it.') },
      ],
    };
  }
  const nothing = { file: null, folder: null, copies: [], calls: [], otherWalletsSize: 0, notFound: [] };
  if (!isLoaded && !status.release.loadsLegacy) {
    return {
      ...nothing,
      how: 'cannot',
      text: say('The app cannot reach the file, and this release cannot load it.'),
    };
  }
  const besideLog = placeBesideLog(status, `wallet-ferry ${fileTime(at)} ${fileName(name)}.bak`);
  if (besideLog.path === null) return { ...nothing, how: 'cannot', text: besideLog.why };
  const place = besideLog.path;
  const backup = backupCall(name, place);
  return {
    ...nothing,
    how: 'backupwallet',
    text: say('The node writes the copy next to its log.'),
    copies: [{ name, from: backup, place }],
    calls: [...(isLoaded ? [] : [loadCall(name)]), backup],
  };
}

/** A failed migration of the unnamed wallet can delete the other wallets in the folder, so they are copied too. */
async function planOtherCopies(
  walletsFolder: string,
  names: readonly string[],
  { loaded, folder }: Pick<CopyRequest, 'loaded' | 'folder'>,
): Promise<Pick<CopyPlan, 'copies' | 'otherWalletsSize' | 'notFound'>> {
  const copies: PlannedCopy[] = [];
  const notFound: string[] = [];
  let otherWalletsSize = 0;
  for (const name of names) {
    const file = await walletFilePath(walletsFolder, name);
    const place = join(folder, `beside ${copies.length + 1} ${fileName(name)}.dat`);
    const from = loaded.includes(name) ? backupCall(name, place) : file;
    if (from === null) notFound.push(name);
    else copies.push({ name, from, place });
    const facts = file === null ? null : await stat(file).catch(() => null);
    otherWalletsSize += facts?.size ?? 0;
  }
  return { copies, otherWalletsSize, notFound };
}

/** The node can always write to the folder of its log. */
function placeBesideLog(
  { local, logTold }: NodeStatus,
  name: string,
): { path: string } | { path: null; why: string } {
  if (logTold === null) return { path: null, why: say('The node names no folder.') };
  const { dirname, join: joined } = posix.isAbsolute(logTold) ? posix : win32;
  const folder = dirname(logTold);
  if (!local || !othersMayWrite(folder)) return { path: joined(folder, name) };
  return { path: null, why: say('Others can change files in {folder}.', { folder }) };
}

/** Another owner is fine, because the node is theirs too. A folder that the app cannot see counts as safe. */
function othersMayWrite(folder: string): boolean {
  return orNull(() => findSharedFolder(folder))?.how === 'writable-by-others';
}

/** `2026-11-21 04.55.12`, in UTC, fit for a file name on every system. */
export function fileTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.');
}

export function fileName(wallet: string): string {
  const safe = wallet.replace(/[^\p{L}\p{N}._-]+/gu, '_').slice(0, 60);
  return safe === '' || /^\.+$/.test(safe) ? 'wallet' : safe;
}
