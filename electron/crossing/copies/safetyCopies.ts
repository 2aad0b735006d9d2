/** The app's own copies of wallets, made before a migration and kept out of the node's folders. */
import { readdir, rmdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import type { NodeStatus } from '../../../shared/node.ts';
import type { SafetyCopy } from '../../../shared/safety.ts';
import { say } from '../../../shared/text/say.ts';
import { copyError, makePrivateFolder } from '../../disk/copySafely.ts';
import { refuseSharedCopies } from '../../disk/lock/refuseSharedFolder.ts';
import { removeFolder } from '../../disk/owned/removeFolder.ts';
import type { Session } from '../../node/rpc/session.ts';
import { type CopyPlan, fileName, fileTime, planCopy, type ToCopy } from './copyPlan.ts';
import { copyFile, copyWallet, loadAgain, type MadeFiles } from './copyWallet.ts';
import { markBegun, readManifest, settleCopies, writeManifest } from './settleCopies.ts';

export type SafetyCopies = ReturnType<typeof createSafetyCopies>;

interface SafetyCopiesOptions {
  /** Of the app, outside of any node's folders. Made when it is first needed. */
  folder: string;
  /** Unix seconds. */
  now?: () => number;
}

export function createSafetyCopies({ folder, now = () => Date.now() / 1000 }: SafetyCopiesOptions) {
  const settled = settleCopies(folder);

  async function keep(
    node: NodeStatus,
    wallet: string,
    into: string,
    make: () => Promise<MadeFiles>,
  ): Promise<SafetyCopy> {
    await settled;
    const made = now();
    await makePrivateFolder(into);
    try {
      refuseSharedCopies(into);
      written(into, () => markBegun(into, wallet));
      const copy: SafetyCopy = {
        id: basename(into),
        wallet,
        node: { label: node.label, network: node.network },
        made,
        ...(await make()),
      };
      written(into, () => writeManifest(into, copy));
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
    planFor: async (status: NodeStatus, wallet: Pick<ToCopy, 'name' | 'onDisk' | 'loaded'>, at = now()) =>
      planCopy(status, { ...wallet, folder: await folderFor(wallet.name, at), at }),
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
        return await keep(session.status, name, plan.folder ?? (await folderFor(name)), () =>
          copyWallet(session, plan, { signal, onUnload }),
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
      keep(node, name, into, async () => ({
        how: 'copied',
        note: null,
        files: [await copyFile(name, file, join(into, 'wallet.dat'), signal)],
      })),
    /** Newest first. */
    async list(): Promise<SafetyCopy[]> {
      await settled;
      const names = await readdir(folder).catch(() => []);
      const copies = names.map((name) => readManifest(join(folder, name)));
      return copies.filter((copy) => copy !== null).sort((a, b) => b.made - a.made);
    },
    /** What became of the copies that an app which is gone was in the middle of making. */
    settled: () => settled,
  };
}

/** What the app writes down beside a copy needs room too. Throws AppError. */
function written(folder: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw copyError(error, join(folder, 'wallet.dat'));
  }
}
