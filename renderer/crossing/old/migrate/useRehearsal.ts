/** A migration tried out on a copy of the wallet's file, kept while the same wallet is chosen. */
import { useRef, useState } from 'react';
import type { AppErrorShape } from '../../../../shared/errors.ts';
import type { Network } from '../../../../shared/network.ts';
import type { Rehearsal } from '../../../../shared/rehearsal.ts';
import { useFileJob } from '../../../state/useFileJob.ts';

export type Rehearsing =
  | { state: 'none' }
  /** `since`: Unix seconds. */
  | { state: 'running'; since: number }
  | { state: 'done'; rehearsal: Rehearsal }
  | { state: 'failed'; error: AppErrorShape };

interface RehearsalRun {
  rehearsing: Rehearsing;
  /** The passphrase goes straight through to the main process; an empty one is not sent. */
  rehearse(name: string, network: Network, passphrase: string): Promise<void>;
  /** Forgets what came of it, and cancels what still runs. */
  forget(): void;
}

export function useRehearsal(): RehearsalRun {
  const [rehearsing, setRehearsing] = useState<Rehearsing>({ state: 'none' });
  /** Grows with each start, so that an answer that came too late is known. */
  const latest = useRef(0);
  const running = useRef(false);
  const { ask, cancel } = useFileJob();

  return {
    rehearsing,
    async rehearse(name, network, passphrase) {
      // A second click may come before the page shows the first.
      if (running.current) return;
      running.current = true;
      latest.current += 1;
      const own = latest.current;
      setRehearsing({ state: 'running', since: Date.now() / 1000 });
      const source = { by: 'wallet', name } as const;
      const asked = { source, network, ...(passphrase === '' ? {} : { passphrase }) };
      const result = await ask('wallet.rehearse', asked);
      if (own !== latest.current) return;
      running.current = false;
      setRehearsing(
        result.ok ? { state: 'done', rehearsal: result.value } : { state: 'failed', error: result.error },
      );
    },
    forget() {
      cancel();
      latest.current += 1;
      running.current = false;
      setRehearsing({ state: 'none' });
    },
  };
}

/** Whether it found that something would be lost, or that a node would refuse. */
export function foundLoss(rehearsing: Rehearsing): boolean {
  return rehearsing.state === 'failed' && rehearsing.error.code === 'wallet_error';
}
