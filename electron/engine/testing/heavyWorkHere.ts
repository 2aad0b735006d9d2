/** Heavy work in the caller's own thread: for tests. */

import { doHeavyJob } from '../threads/heavyJob.ts';
import type { HeavyWork } from '../wallets/heavyWork.ts';

export const heavyWorkHere: HeavyWork = {
  migrate: async (job, signal) => {
    const result = await doHeavyJob({ kind: 'migrate', job });
    signal.throwIfAborted();
    if (result.kind !== 'migrate') throw new Error('another answer than asked for');
    return result.result;
  },
  unlock: async (job, signal) => {
    const result = await doHeavyJob({ kind: 'unlock', job });
    signal.throwIfAborted();
    if (result.kind !== 'unlock') throw new Error('another answer than asked for');
    return result.result;
  },
};
