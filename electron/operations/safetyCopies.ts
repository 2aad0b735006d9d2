/** The app's own copies of wallets, made before a migration and kept out of the node's folders. */
import { chmod, readdir, rm, stat } from 'node:fs/promises';
import { basename, join, posix, win32 } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import type { NodeStatus } from '../../shared/node.ts';
import type { SafetyCopy } from '../../shared/safety.ts';
import { say } from '../../shared/say.ts';
import { copySafely, makePrivateFolder } from '../files/copySafely.ts';
import { hashFile } from '../files/hash.ts';
import { inspectFile } from '../files/inspect.ts';
import { rpcInfo } from '../node/nodeCalls.ts';
import type { Session } from '../node/session.ts';
import { backupWallet, listWalletDir, listWallets, loadWallet, unloadWallet } from '../node/walletCalls.ts';
import { walletFilePath } from '../node/walletFile.ts';
import { type CopyPlan, copyPlanFor } from './copyPlan.ts';
import { markBegun, readManifest, type SettledCopies, settleCopies, writeManifest } from './settleCopies.ts';

export interface SafetyCopies {
  /** How a copy of a wallet of this node can be made. Throws what the node's calls throw. */
  wayFor(session: Session, name: string): Promise<CopyPlan>;
  /**
   * Copies a wallet's file, and for the unnamed wallet every wallet beside it. What the node has open is written by
   * the node itself. Throws AppError, with what was copied removed again: `stopped_by_check` when no copy can be made,
   * and what `copySafely` and the node's calls throw.
   */
  ofWallet(session: Session, name: string, signal: AbortSignal): Promise<SafetyCopy>;
  /** Copies any file of a wallet, such as a backup. */
  ofFile(node: NodeStatus, name: string, file: string, signal: AbortSignal): Promise<SafetyCopy>;
  /** Newest first. */
  list(): Promise<SafetyCopy[]>;
  /** What became of the copies that an app which is gone was in the middle of making. */
  settled(): Promise<SettledCopies>;
}

interface SafetyCopiesOptions {
  /** Of the app, outside of any node's folders. Made when it is first needed. */
  folder: string;
  /** Unix seconds. */
  now?: () => number;
}

type CopiedFile = SafetyCopy['files'][number];
type Made = Pick<SafetyCopy, 'how' | 'note'> & { files: CopiedFile[] };

export function createSafetyCopies({
  folder,
  now = () => Date.now() / 1000,
}: SafetyCopiesOptions): SafetyCopies {
  const settled = settleCopies(folder);

  async function keep(
    node: NodeStatus,
    wallet: string,
    make: (into: string) => Promise<Made>,
  ): Promise<SafetyCopy> {
    await settled;
    const made = now();
    const id = `${fileTime(made)} ${fileName(wallet)}`;
    const into = await freshFolder(folder, id);
    try {
      markBegun(into, wallet);
      const copy: SafetyCopy = {
        id: basename(into),
        wallet,
        node: { label: node.label, network: node.network },
        made,
        ...(await make(into)),
      };
      writeManifest(into, copy);
      return copy;
    } catch (error) {
      await rm(into, { recursive: true, force: true });
      throw error;
    }
  }

  return {
    wayFor: async (session, name) => copyPlanFor(session, name),
    async ofWallet(session, name, signal) {
      const plan = await copyPlanFor(session, name);
      if (plan.way === 'cannot') throw noCopy(plan);
      return keep(session.status, name, async (into) => {
        const own = await copyOne(session, name, plan, into, signal);
        if (name !== '') return own;
        const beside = await copyNeighbours(session, into, signal);
        const notes = [own.note, lackOf(beside.lacking)].filter((note) => note !== null);
        return {
          ...own,
          note: notes.length > 0 ? notes.join(' ') : null,
          files: [...own.files, ...beside.files],
        };
      });
    },
    ofFile: (node, name, file, signal) =>
      keep(node, name, async (into) => ({
        how: 'copied',
        note: null,
        files: [await copyFile(file, join(into, 'wallet.dat'), signal)],
      })),
    async list() {
      await settled;
      const names = await readdir(folder).catch(() => []);
      const copies = await Promise.all(names.map((name) => readManifest(join(folder, name))));
      return copies.filter((copy) => copy !== null).sort((a, b) => b.made - a.made);
    },
    settled: () => settled,
  };
}

async function copyOne(
  session: Session,
  name: string,
  { way, file, loaded }: CopyPlan,
  into: string,
  signal: AbortSignal,
): Promise<Made> {
  const place = join(into, 'wallet.dat');
  if (way === 'copied' && file !== null) {
    return { how: 'copied', note: null, files: [await copyFile(file, place, signal)] };
  }
  if (file === null) return writtenThere(session, name, loaded, signal);
  try {
    await backupWallet(session.client, name, place, signal);
    return { how: 'backupwallet', note: null, files: [await seen(place, signal)] };
  } catch (thrown) {
    if (signal.aborted || !(thrown instanceof AppError)) throw thrown;
    await rm(place, { force: true });
    // The node may run as a user that cannot write here. A closed file can be copied.
    await unloadWallet(session.client, name, signal);
    return {
      how: 'copied',
      note: say(
        'The node could not write into the app’s folder. The wallet was unloaded first, and its closed file was copied.',
      ),
      files: [await copyFile(file, place, signal)],
    };
  }
}

/** On the node's machine, in the folder of its log, which it can surely write to. */
async function writtenThere(
  { client }: Session,
  name: string,
  loaded: boolean,
  signal: AbortSignal,
): Promise<Made> {
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
  const path = joined(dirname(logPath), `wallet-ferry ${fileTime(Date.now() / 1000)} ${fileName(name)}.bak`);
  if (!loaded) await loadWallet(client, name, signal);
  await backupWallet(client, name, path, signal);
  return {
    how: 'backupwallet',
    note: say('The copy is on the node’s machine, where the app cannot look at it.'),
    files: [{ path, source: null, size: null, sha256: null }],
  };
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
    else if (file !== null) files.push(await copyFile(file, place, signal));
    else lacking.push(name);
  }
  return { files, lacking };
}

/** It is not unloaded unasked: it is not the one that is to be migrated. */
async function copyLoadedNeighbour(
  { client }: Session,
  name: string,
  place: string,
  signal: AbortSignal,
): Promise<CopiedFile> {
  try {
    await backupWallet(client, name, place, signal);
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
  return seen(place, signal);
}

function lackOf(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  return say('Not copied, because the app did not find their files: {names}.', {
    names: names.map((name) => `“${name}”`).join(', '),
  });
}

async function copyFile(source: string, place: string, signal: AbortSignal): Promise<CopiedFile> {
  return { path: place, source, ...(await copySafely(source, place, { mode: READ_ONLY, signal })) };
}

/** What the node wrote: whole, and closed to changes. Held against no file, since the node writes on into its own. */
async function seen(path: string, signal: AbortSignal): Promise<CopiedFile> {
  const { kind, truncated } = await inspectFile(path);
  if (kind === 'other' || truncated) {
    throw new AppError(
      'not_a_wallet',
      say('What the node wrote as a copy is not a whole wallet.'),
      say('Nothing was changed, and nothing was migrated. Look whether the disk is full, and try again.'),
    );
  }
  const { sha256 } = await hashFile(path, { signal });
  await chmod(path, READ_ONLY);
  return { path, source: null, size: (await stat(path)).size, sha256 };
}

const READ_ONLY = 0o400;

async function freshFolder(folder: string, name: string): Promise<string> {
  for (let turn = 1; ; turn++) {
    const path = join(folder, turn === 1 ? name : `${name} (${turn})`);
    const isFree = await stat(path).then(
      () => false,
      () => true,
    );
    if (!isFree) continue;
    await makePrivateFolder(path);
    return path;
  }
}

/** `2026-11-21 04.55.12`, in UTC, fit for a file name on every system. */
function fileTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.');
}

function fileName(wallet: string): string {
  const safe = wallet.replace(/[^\p{L}\p{N}._-]+/gu, '_').slice(0, 60);
  return safe === '' || /^\.+$/.test(safe) ? 'wallet' : safe;
}

function noCopy({ text }: CopyPlan): AppError {
  return new AppError(
    'stopped_by_check',
    say('The app cannot make its own copy of this wallet.'),
    say(
      'Nothing was sent to the node. {reason} Make a copy by hand first, and say in the wizard that you have one.',
      { reason: text },
    ),
  );
}
