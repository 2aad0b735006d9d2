/** How the safety copy before a migration will be made: by the app, by the node, or not at all, and by which calls. */
import { stat } from 'node:fs/promises';
import { join, posix, win32 } from 'node:path';
import type { NodeStatus } from '../../../shared/node.ts';
import type { CopyWay } from '../../../shared/safety.ts';
import { say } from '../../../shared/text/say.ts';
import { sharedWay } from '../../disk/lock/sharedFolder.ts';
import type { Call } from '../../node/calls/call.ts';
import { backupCall, loadCall, unloadCall } from '../../node/calls/walletCalls.ts';
import { walletFilePath } from '../../node/calls/walletsFolder.ts';

export interface CopyPlan {
  readonly way: CopyWay;
  readonly text: string;
  /** The wallet's file on this machine; null where it is not known. */
  readonly file: string | null;
  /** A folder of the app that is not there yet; null where none is made. */
  readonly folder: string | null;
  /** Where the node writes its copy; null where it writes none. */
  readonly written: string | null;
  readonly calls: readonly Call[];
  /** Of an unnamed wallet: every wallet beside it. */
  readonly beside: readonly Beside[];
  /** Names of those beside it whose files are not where they should be. */
  readonly lacking: readonly string[];
}

/** A wallet beside an unnamed one. Bytes of its file; null where that is not found. */
interface Beside {
  readonly name: string;
  readonly file: string | null;
  readonly size: number | null;
  readonly place: string;
  /** Of one that the node has open. */
  readonly call: Call | null;
}

/** Which wallet is copied, and where to. */
export interface ToCopy {
  readonly name: string;
  /** Names in the node's wallets folder, and of those that it has loaded. */
  readonly onDisk: readonly string[];
  readonly loaded: readonly string[];
  readonly folder: string;
  /** Unix seconds, for the name of a copy that the node writes beside its log. */
  readonly at: number;
}

/** Reads no wallet and asks no node. */
export async function planCopy(
  status: NodeStatus,
  { name, onDisk, loaded, folder, at }: ToCopy,
): Promise<CopyPlan> {
  const isLoaded = loaded.includes(name);
  const { walletsFolder } = status;
  const file = walletsFolder === null ? null : await walletFilePath(walletsFolder, name);
  if (status.local && file !== null && walletsFolder !== null) {
    const { beside, lacking } =
      name === '' ? await planBeside(walletsFolder, { onDisk, loaded, folder }) : { beside: [], lacking: [] };
    const common = { file, folder, beside, lacking };
    const callsBeside = beside.flatMap(({ call }) => call ?? []);
    if (!isLoaded) {
      const text = say('The app copies the closed wallet file.');
      return { ...common, way: 'copied', text, written: null, calls: callsBeside };
    }
    const written = join(folder, 'wallet.dat');
    return {
      ...common,
      way: 'backupwallet',
      text: say('The node has the wallet open, so it writes the copy.'),
      written,
      // The node may run as a user that cannot write here. A closed file can be copied.
      calls: [
        backupCall(name, written),
        {
          ...unloadCall(name),
          when: say('If the node cannot write the copy: the app then copies the closed file.'),
        },
        ...callsBeside,
        { ...loadCall(name), when: say('If the wallet was unloaded for that.') },
      ],
    };
  }
  const nothing = { file: null, folder: null, written: null, calls: [], beside: [], lacking: [] };
  if (!isLoaded && !status.release.loadsLegacy) {
    return {
      ...nothing,
      way: 'cannot',
      text: say('The app cannot reach the file, and this release cannot load a legacy wallet.'),
    };
  }
  const besideLog = placeBesideLog(status, `wallet-ferry ${fileTime(at)} ${fileName(name)}.bak`);
  if (besideLog.path === null) return { ...nothing, way: 'cannot', text: besideLog.why };
  const written = besideLog.path;
  return {
    ...nothing,
    way: 'backupwallet',
    text: status.local
      ? say('The node writes the copy beside its log.')
      : say('The node writes the copy on its machine, beside its log.'),
    written,
    calls: [...(isLoaded ? [] : [loadCall(name)]), backupCall(name, written)],
  };
}

/** The danger for the wallets beside an unnamed one is why they are copied at all. */
async function planBeside(
  walletsFolder: string,
  { onDisk, loaded, folder }: Pick<ToCopy, 'onDisk' | 'loaded' | 'folder'>,
): Promise<Pick<CopyPlan, 'beside' | 'lacking'>> {
  const beside: Beside[] = [];
  const lacking: string[] = [];
  for (const name of onDisk.filter((each) => each !== '')) {
    const file = await walletFilePath(walletsFolder, name);
    const isLoaded = loaded.includes(name);
    if (file === null && !isLoaded) {
      lacking.push(name);
      continue;
    }
    const place = join(folder, `beside ${beside.length + 1} ${fileName(name)}.dat`);
    const size = file === null ? null : await sizeOf(file);
    beside.push({ name, file, size, place, call: isLoaded ? backupCall(name, place) : null });
  }
  return { beside, lacking };
}

async function sizeOf(file: string): Promise<number | null> {
  return stat(file).then(
    ({ size }) => size,
    () => null,
  );
}

/** The folder of its log is one that the node can surely write to. */
function placeBesideLog(
  { local, logTold }: NodeStatus,
  name: string,
): { path: string } | { path: null; why: string } {
  if (logTold === null) return { path: null, why: say('The node does not say where its files are.') };
  const { dirname, join: joined } = posix.isAbsolute(logTold) ? posix : win32;
  const folder = dirname(logTold);
  if (!local || !othersMayWrite(folder)) return { path: joined(folder, name) };
  return {
    path: null,
    why: say('The node would write it to {folder}, where others can change it.', { folder }),
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

/** `2026-11-21 04.55.12`, in UTC, fit for a file name on every system. */
export function fileTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.');
}

export function fileName(wallet: string): string {
  const safe = wallet.replace(/[^\p{L}\p{N}._-]+/gu, '_').slice(0, 60);
  return safe === '' || /^\.+$/.test(safe) ? 'wallet' : safe;
}
