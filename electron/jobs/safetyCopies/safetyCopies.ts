/** The app's own copies of wallets before a migration, outside the node's folders. */
import { readdir, rmdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../shared/model/errors.ts';
import type { NodeStatus } from '../../../shared/model/node.ts';
import { type CopyState, copyState, type SafetyCopy } from '../../../shared/model/safety.ts';
import { say } from '../../../shared/wording/say.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import { copyError, makePrivateFolder } from '../../files/copySafely.ts';
import { readJsonFile, tryToWriteJsonFile } from '../../files/jsonFile.ts';
import { refuseSharedCopies } from '../../files/lock/refuseSharedFolder.ts';
import { removeFolder } from '../../files/temporaryFolders.ts';
import type { WalletWork } from '../../workers/walletWork.ts';
import { type CopyPlan, type CopyRequest, fileName, fileTime, planCopy } from './copyPlan.ts';
import { type CopiedFiles, copyFile, copyWallet, loadAgain } from './copyWallet.ts';
import { markStarted, readManifest, settleCopies, writeManifest } from './settleCopies.ts';

export type SafetyCopies = ReturnType<typeof createSafetyCopies>;

interface SafetyCopiesOptions {
  /** The app's folder for copies, outside any node's folders. Created when it is first needed. */
  folder: string;
  /** Reads the copies to find out which are whole. */
  work: WalletWork;
  /** Unix seconds. */
  now?: () => number;
}

export function createSafetyCopies({ folder, work, now = () => Date.now() / 1000 }: SafetyCopiesOptions) {
  const settled = settleCopies(folder);
  const statesFile = join(folder, STATES_FILE);

  /** The state of each file that the app can see. Never throws. */
  async function statesOf(files: SafetyCopy['files'], signal: AbortSignal): Promise<SafetyCopy['files']> {
    const visible = files.filter(({ sha256 }) => sha256 !== null);
    const task = { paths: visible.map(({ path }) => path) };
    const states = await work({ kind: 'copyStates', task }, signal).catch((): CopyState[] => []);
    return files.map((file) => ({ ...file, state: states[visible.indexOf(file)] ?? 'unknown' }));
  }

  /** Adds the states to copies of an earlier version. Keeps each state by the file's hash. */
  async function withStates(copies: readonly SafetyCopy[]): Promise<SafetyCopy[]> {
    const known = { ...readJsonFile(statesFile, statesShape, MOST_STATES_BYTES) };
    const before = Object.keys(known).length;
    const all: SafetyCopy[] = [];
    for (const copy of copies) {
      const isOpen = copy.files.some(({ sha256, state }) => sha256 && (state ?? known[sha256]) === undefined);
      const files = isOpen ? await statesOf(copy.files, new AbortController().signal) : copy.files;
      for (const { sha256, state } of isOpen ? files : [])
        if (sha256 && state && state !== 'unknown') known[sha256] = state;
      all.push({
        ...copy,
        files: files.map((file) => ({
          ...file,
          state: file.state ?? (file.sha256 ? known[file.sha256] : undefined) ?? 'unknown',
        })),
      });
    }
    if (Object.keys(known).length > before) tryToWriteJsonFile(statesFile, known);
    return all;
  }

  async function create(
    node: NodeStatus,
    wallet: string,
    { into, signal }: { into: string; signal: AbortSignal },
    make: () => Promise<CopiedFiles>,
  ): Promise<SafetyCopy> {
    await settled;
    const made = now();
    await makePrivateFolder(into);
    try {
      refuseSharedCopies(into);
      writeOrExplain(into, () => markStarted(into, wallet));
      const { files, ...how } = await make();
      const copy: SafetyCopy = {
        id: basename(into),
        wallet,
        node: { label: node.label, network: node.network },
        made,
        ...how,
        files: await statesOf(files, signal),
      };
      writeOrExplain(into, () => writeManifest(into, copy));
      return copy;
    } catch (error) {
      // A folder that others can change is removed only if it is empty.
      if (!removeFolder(into)) await rmdir(into).catch(() => undefined);
      throw error;
    }
  }

  /** A new folder for a copy, named after `at` (Unix seconds). For a plan, that is the time of its first version. */
  async function folderFor(wallet: string, at = now()): Promise<string> {
    const name = `${fileTime(at)} ${fileName(wallet)}`;
    for (let turn = 1; ; turn++) {
      const path = join(folder, turn === 1 ? name : `${name} (${turn})`);
      if ((await stat(path).catch(() => null)) === null) return path;
    }
  }

  return {
    folderFor,
    /** Plans the copy of a wallet of this node, without asking the node. `at` as for `folderFor`. */
    planFor: async (
      status: NodeStatus,
      wallet: Pick<CopyRequest, 'name' | 'onDisk' | 'loaded'>,
      at = now(),
    ) => planCopy(status, { ...wallet, folder: await folderFor(wallet.name, at), at }),
    /**
     * Copies a wallet's file as planned, and for the unnamed wallet every other wallet in the folder. The node itself copies
     * what it has open. Throws AppError: `stopped_by_check` if no copy is possible, and what `copySafely` and the node's calls
     * throw. It then removes the copies and tries to load an unloaded wallet again.
     */
    async ofWallet(session: Session, name: string, plan: CopyPlan, signal: AbortSignal): Promise<SafetyCopy> {
      if (plan.way === 'cannot')
        throw new AppError(
          'stopped_by_check',
          say('The app cannot copy this wallet.'),
          say('Nothing was sent. {reason} Copy it yourself, then say so.', { reason: plan.text }),
        );
      let unloaded = false;
      const onUnload = () => {
        unloaded = true;
      };
      try {
        const into = plan.folder ?? (await folderFor(name));
        return await create(session.status, name, { into, signal }, () =>
          copyWallet(session, plan, { signal, work, onUnload }),
        );
      } catch (thrown) {
        throw unloaded && !signal.aborted ? await loadAgain(session, name, thrown) : thrown;
      }
    },
    /** Copies any file of a wallet, such as a backup, into a folder that `folderFor` gave. */
    ofFile: (
      node: NodeStatus,
      name: string,
      { file, folder: into }: { readonly file: string; readonly folder: string },
      signal: AbortSignal,
    ) =>
      create(node, name, { into, signal }, async () => ({
        how: 'copied',
        note: null,
        files: [await copyFile(name, file, join(into, 'wallet.dat'), { signal, work })],
      })),
    /** Whole copies first, then those that the app cannot see; the newest first in each group. */
    async list(): Promise<SafetyCopy[]> {
      await settled;
      const names = await readdir(folder).catch(() => []);
      const copies = names.map((name) => readManifest(join(folder, name)));
      const all = await withStates(copies.filter((copy) => copy !== null));
      return all.sort((a, b) => rankOf(a) - rankOf(b) || b.made - a.made);
    },
    /** The result for copies that an earlier run of the app left unfinished. */
    settled: () => settled,
  };
}

/** The states of copies of an earlier version, by SHA-256. */
const STATES_FILE = 'judged.json';
const statesShape = z.record(z.string(), copyState);
/** Bytes. Enough for ten thousand states. */
const MOST_STATES_BYTES = 2 ** 20;

/** The state of the wallet's own file decides. */
function rankOf({ files: [own] }: SafetyCopy): number {
  if (own?.state === 'whole') return 0;
  return own?.state === 'unknown' || own?.state === undefined ? 1 : 2;
}

/** Runs `write`. A full disk and other errors become an AppError about the copy. */
function writeOrExplain(folder: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw copyError(error, join(folder, 'wallet.dat'));
  }
}
