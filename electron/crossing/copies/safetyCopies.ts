/** The app's own copies of wallets, made before a migration and kept out of the node's folders. */
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import type { NodeStatus } from '../../../shared/node.ts';
import type { SafetyCopy } from '../../../shared/safety.ts';
import { say } from '../../../shared/text/say.ts';
import { copyError, makePrivateFolder } from '../../disk/copySafely.ts';
import { refuseSharedCopies } from '../../disk/lock/refuseSharedCopies.ts';
import type { Session } from '../../node/rpc/session.ts';
import { fileName, fileTime } from './copyNames.ts';
import { type CopyPlan, copyPlanFor } from './copyPlan.ts';
import { copyFile, copyWallet, type MadeFiles } from './copyWallet.ts';
import { loadAgain } from './loadAgain.ts';
import { markBegun, readManifest, type SettledCopies, settleCopies, writeManifest } from './settleCopies.ts';

export interface SafetyCopies {
  /** How a copy of a wallet of this node can be made. Throws what the node's calls throw. */
  wayFor(session: Session, name: string): Promise<CopyPlan>;
  /**
   * Copies a wallet's file, and for the unnamed wallet every wallet beside it. What the node has open is written by
   * the node itself. Throws AppError, with what was copied removed again and what was unloaded for it loaded again
   * where the node does: `stopped_by_check` when no copy can be made, and what `copySafely` and the node's calls throw.
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

export function createSafetyCopies({
  folder,
  now = () => Date.now() / 1000,
}: SafetyCopiesOptions): SafetyCopies {
  const settled = settleCopies(folder);

  async function keep(
    node: NodeStatus,
    wallet: string,
    make: (into: string) => Promise<MadeFiles>,
  ): Promise<SafetyCopy> {
    await settled;
    const made = now();
    const id = `${fileTime(made)} ${fileName(wallet)}`;
    const into = await freshFolder(folder, id);
    try {
      refuseSharedCopies(into);
      written(into, () => markBegun(into, wallet));
      const copy: SafetyCopy = {
        id: basename(into),
        wallet,
        node: { label: node.label, network: node.network },
        made,
        ...(await make(into)),
      };
      written(into, () => writeManifest(into, copy));
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
      let unloaded = false;
      const onUnload = () => {
        unloaded = true;
      };
      try {
        return await keep(session.status, name, (into) =>
          copyWallet(session, name, plan, into, { signal, onUnload }),
        );
      } catch (thrown) {
        throw unloaded && !signal.aborted ? await loadAgain(session, name, thrown) : thrown;
      }
    },
    ofFile: (node, name, file, signal) =>
      keep(node, name, async (into) => ({
        how: 'copied',
        note: null,
        files: [await copyFile(name, file, join(into, 'wallet.dat'), signal)],
      })),
    async list() {
      await settled;
      const names = await readdir(folder).catch(() => []);
      const copies = names.map((name) => readManifest(join(folder, name)));
      return copies.filter((copy) => copy !== null).sort((a, b) => b.made - a.made);
    },
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
