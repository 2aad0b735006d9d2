/** Which wallets are being worked on: one job at a time on each. */

import { AppError } from '../../../shared/model/errors.ts';
import type { Job } from '../../../shared/model/job.ts';
import type { NodeAddress } from '../../../shared/model/node.ts';
import { notSent } from '../../../shared/wording/findings/hints.ts';
import { say } from '../../../shared/wording/say.ts';
import { isLoopback } from '../../http/loopback.ts';
import { concernedWallets } from '../../walletfile/migrate/companionNames.ts';

export type BusyWallets = ReturnType<typeof createBusyWallets>;

export function createBusyWallets() {
  const busy = new Set<string>();
  return {
    /** Holds a wallet, and those that migrating it may make, until its result is called. Throws `job_running`. */
    occupy(work: Job['kind'] | 'load' | 'unload', wallet: string, address: NodeAddress): () => void {
      const names = work === 'load' || work === 'unload' ? [wallet] : concernedWallets(work, wallet);
      const keys = names.map((name) => `${nodeOf(address)}/${name}`);
      if (keys.some((key) => busy.has(key)))
        throw new AppError(
          'job_running',
          say('This wallet is busy.'),
          notSent(say('Wait until its job ends.')),
        );
      for (const key of keys) busy.add(key);
      let held = true;
      return () => {
        // Called again, it must not free what another one has occupied since.
        if (held) for (const key of keys) busy.delete(key);
        held = false;
      };
    },
  };
}

/** One node can be reached by each name of this machine. To take two nodes for one only makes the second one wait. */
function nodeOf({ host, port }: NodeAddress): string {
  return `${isLoopback(host) ? 'localhost' : host.toLowerCase()}:${port}`;
}
