/** Work on a file that the page asks for: it ends when it is cancelled, when newer work is asked for, and with the place. */
import { useCallback, useEffect, useRef } from 'react';
import type { FileJobName, Input, Output } from '../../shared/contract.ts';
import { type Attempt, attempt } from './attempt.ts';
import { bridge } from './bridge/bridge.ts';
import { cancelJob } from './jobs.ts';

export function useFileJob() {
  const running = useRef<string | null>(null);
  const cancel = useCallback(() => {
    if (running.current !== null) cancelJob(running.current);
    running.current = null;
  }, []);
  useEffect(() => cancel, [cancel]);
  return {
    /** What is cancelled is answered with `cancelled`. */
    async ask<N extends FileJobName>(name: N, input: Input<N>): Promise<Attempt<Output<N>>> {
      cancel();
      const job = crypto.randomUUID();
      running.current = job;
      const result = await attempt(() => bridge.call(name, { ...input, job }));
      if (running.current === job) running.current = null;
      return result;
    },
    cancel,
  };
}
