/** Allows one job at a time on each wallet, and one backup at a time to each file. */
import { posix, win32 } from 'node:path';
import { AppError } from '../../../shared/model/errors.ts';
import type { Job } from '../../../shared/model/job.ts';
import { walletIdentity } from '../../../shared/model/names/walletName.ts';
import { isLoopback, type NodeAddress } from '../../../shared/model/node.ts';
import { notSent } from '../../../shared/wording/findings/hints.ts';
import { say } from '../../../shared/wording/say.ts';

export type BusyWallets = ReturnType<typeof createBusyWallets>;

type BusyNode = Pick<Job['node'], 'address' | 'walletsFolder'>;

export function createBusyWallets() {
  const busy = new Set<string>();
  const refuseBusy = (keys: readonly string[], message: string) => {
    if (keys.some((key) => busy.has(key)))
      throw new AppError('job_running', message, notSent(say('Wait until its job ends.')));
  };
  return {
    /**
     * Reserves these wallets of a node, and the path of a new backup, until the returned function is called. Throws AppError
     * `job_running` if one of them is reserved. A node may have another port after a restart, as the offline engine always has.
     */
    reserve(names: readonly string[], node: BusyNode, newBackup?: string): () => void {
      const places = [nodeKey(node.address), ...(node.walletsFolder ? [`folder ${node.walletsFolder}`] : [])];
      const wallets = places.flatMap((place) =>
        names.map((name) => `${place}/${walletIdentity(name, node.walletsFolder)}`),
      );
      const files = newBackup === undefined ? [] : [fileKey(newBackup)];
      refuseBusy(wallets, say('This wallet is busy.'));
      refuseBusy(files, say('This file is busy.'));
      const keys = [...wallets, ...files];
      for (const key of keys) busy.add(key);
      let isReserved = true;
      return () => {
        // A second call must not free what another job has reserved since.
        if (isReserved) for (const key of keys) busy.delete(key);
        isReserved = false;
      };
    },
  };
}

/** Treats all names of this machine as one host. Mistaking two nodes for one only makes a job wait. */
function nodeKey({ host, port }: NodeAddress): string {
  return `${isLoopback(host) ? 'localhost' : host.toLowerCase()}:${port}`;
}

/** Some disks hold one file under all spellings of its name. Mistaking two files for one only makes a job wait. */
function fileKey(path: string): string {
  // The path may be one of another machine.
  return `file ${win32.normalize(posix.normalize(path)).normalize('NFC').toLowerCase()}`;
}
