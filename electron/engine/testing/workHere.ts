/** The engine's work in the caller's own thread. */
import { doJob, type Job, type JobKind, type OpenHere, type Results } from '../threads/threadJob.ts';
import type { FileWork, HeavyWork } from '../wallets/work.ts';

export const heavyWorkHere: HeavyWork = {
  migrate: (given, signal) => heavyJob({ is: 'migrate', given }, signal),
  unlock: (given, signal) => heavyJob({ is: 'unlock', given }, signal),
};

async function heavyJob<K extends JobKind>(job: Job<K>, signal: AbortSignal): Promise<Results[K]> {
  const result = await doJob(job, new Map());
  signal.throwIfAborted();
  return result;
}

export function fileWorkHere(): FileWork {
  const open: OpenHere = new Map();
  let opened = 0;
  const here = <K extends JobKind>(job: Job<K>): Promise<Results[K]> => doJob(job, open);
  return {
    read: (path) => here({ is: 'read', given: { path } }),
    write: (path, bytes) => here({ is: 'write', given: { path, bytes } }),
    copy: async (from, to, part) => void (await here({ is: 'copy', given: { from, to, part } })),
    holds: (path, bytes) => here({ is: 'holds', given: { path, bytes } }),
    list: (folder, network) => here({ is: 'list', given: { folder, network } }),
    open: async (bytes, stopping) => {
      opened += 1;
      const wallet = { ...bytes, id: opened };
      const facts = await here({ is: 'open', given: { wallet } });
      stopping.throwIfAborted();
      return {
        ...facts,
        ask: (question) => here({ is: 'ask', given: { wallet, question } }),
        release: () => open.delete(wallet.id),
      };
    },
  };
}
