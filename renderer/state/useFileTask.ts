/** Work on a file that the page asks for: it ends when it is cancelled, when newer work is asked for, and with the place. */
import { useCallback, useEffect, useRef } from 'react';
import type { FileTaskName, Input, Output } from '../../shared/contract.ts';
import { type Attempt, attempt } from './attempt.ts';
import { bridge } from './bridge/bridge.ts';
import { cancelTask } from './tasks.ts';

export function useFileTask() {
  const running = useRef<string | null>(null);
  const cancel = useCallback(() => {
    if (running.current !== null) cancelTask(running.current);
    running.current = null;
  }, []);
  useEffect(() => cancel, [cancel]);
  return {
    /** What is cancelled is answered with `cancelled`. */
    async ask<N extends FileTaskName>(name: N, input: Input<N>): Promise<Attempt<Output<N>>> {
      cancel();
      const task = crypto.randomUUID();
      running.current = task;
      const result = await attempt(() => bridge.call(name, { ...input, task }));
      if (running.current === task) running.current = null;
      return result;
    },
    cancel,
  };
}
