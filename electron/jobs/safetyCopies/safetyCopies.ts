/** The app's own copies of wallets, made before a migration and kept out of the node's folders. */
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
import { removeFolder } from '../../files/removeFolder.ts';
import type { WalletWork } from '../../workers/walletWork.ts';
import { type CopyPlan, type CopyRequest, fileName, fileTime, planCopy } from './copyPlan.ts';
import { type CopiedFiles, copyFile, copyWallet, loadAgain } from './copyWallet.ts';
import { markStarted, readManifest, settleCopies, writeManifest } from './settleCopies.ts';

export type SafetyCopies = ReturnType<typeof createSafetyCopies>;

interface SafetyCopiesOptions {
  /** Of the app, outside of any node's folders. Made when it is first needed. */
  folder: string;
  /** Reads the copies, to tell which are whole. */
  work: WalletWork;
  /** Unix seconds. */
  now?: () => number;
}

export function createSafetyCopies({ folder, work, now = () => Date.now() / 1000 }: SafetyCopiesOptions) {
  const settled = settleCopies(folder);
  const statesFile = join(folder, STATES_FILE);

  /** What each file is, as far as the app can see it. Reading it does not change what was copied. Never throws. */
  async function statesOf(files: SafetyCopy['files'], signal: AbortSignal): Promise<SafetyCopy['files']> {
    const visible = files.filter(({ sha256 }) => sha256 !== null);
    const task = { paths: visible.map(({ path }) => path) };
    const states = await work({ kind: 'copyStates', task }, signal).catch((): CopyState[] => []);
    return files.map((file) => ({ ...file, state: states[visible.indexOf(file)] ?? 'unknown' }));
  }

  /** Copies of an earlier version: what was found of one is kept by its hash. */
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
      // Where others can change it by now, it goes only while it is empty.
      if (!removeFolder(into)) await rmdir(into).catch(() => undefined);
      throw error;
    }
  }

  /** A new folder for a copy, named after a time (Unix seconds): of a plan always the one when it was first made. */
  async function folderFor(wallet: string, at = now()): Promise<string> {
    const name = `${fileTime(at)} ${fileName(wallet)}`;
    for (let turn = 1; ; turn++) {
      const path = join(folder, turn === 1 ? name : `${name} (${turn})`);
      if ((await stat(path).catch(() => null)) === null) return path;
    }
  }

  return {
    folderFor,
    /** How a copy of a wallet of this node will be made. Asks no node. `at` as for `folderFor`. */
    planFor: async (
      status: NodeStatus,
      wallet: Pick<CopyRequest, 'name' | 'onDisk' | 'loaded'>,
      at = now(),
    ) => planCopy(status, { ...wallet, folder: await folderFor(wallet.name, at), at }),
    /**
     * Copies a wallet's file as planned, and for the unnamed wallet every wallet beside it. What the node has open is written
     * by the node itself. Throws AppError, with what was copied removed again and what was unloaded for it loaded again
     * where the node does: `stopped_by_check` when no copy can be made, and what `copySafely` and the node's calls throw.
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
    /** Whole ones first, then what the app cannot see, and the newest first of each. */
    async list(): Promise<SafetyCopy[]> {
      await settled;
      const names = await readdir(folder).catch(() => []);
      const copies = names.map((name) => readManifest(join(folder, name)));
      const all = await withStates(copies.filter((copy) => copy !== null));
      return all.sort((a, b) => rankOf(a) - rankOf(b) || b.made - a.made);
    },
    /** What became of the copies that an app which is gone was in the middle of making. */
    settled: () => settled,
  };
}

/** Beside the copies: what those of an earlier version are, by their SHA-256. */
const STATES_FILE = 'judged.json';
const statesShape = z.record(z.string(), copyState);
/** Bytes: more than ten thousand of them take. */
const MOST_STATES_BYTES = 2 ** 20;

/** The wallet's own file decides. */
function rankOf({ files: [own] }: SafetyCopy): number {
  if (own?.state === 'whole') return 0;
  return own?.state === 'unknown' || own?.state === undefined ? 1 : 2;
}

/** What the app writes down beside a copy needs room too. Throws AppError. */
function writeOrExplain(folder: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw copyError(error, join(folder, 'wallet.dat'));
  }
}
