/** Allows one job at a time on each wallet. */
import { AppError } from '../../../shared/model/errors.ts';
import { isLoopback, type NodeAddress } from '../../../shared/model/node.ts';
import { notSent } from '../../../shared/wording/findings/hints.ts';
import { say } from '../../../shared/wording/say.ts';

export type BusyWallets = ReturnType<typeof createBusyWallets>;

export function createBusyWallets() {
  const busy = new Set<string>();
  return {
    /**
     * Reserves these wallets of a node until the returned function is called. Throws AppError `job_running` if one of them is reserved.
     */
    reserve(names: readonly string[], address: NodeAddress): () => void {
      const keys = names.map((name) => `${nodeOf(address)}/${name}`);
      if (keys.some((key) => busy.has(key)))
        throw new AppError(
          'job_running',
          say('This wallet is busy.'),
          notSent(say('Wait until its job ends.')),
        );
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

/** All names of this machine count as one host. Mistaking two nodes for one only makes a job wait. */
function nodeOf({ host, port }: NodeAddress): string {
  return `${isLoopback(host) ? 'localhost' : host.toLowerCase()}:${port}`;
}
