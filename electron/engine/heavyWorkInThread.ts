/** Heavy work in a thread for each piece of it, which is ended with it: a passphrase does not outlive its use. */
import { Worker } from 'node:worker_threads';
import { AppError, type AppErrorShape, appErrorShape } from '../../shared/errors.ts';
import type { HeavyJob, HeavyResult } from './heavyJob.ts';
import type { HeavyWork } from './heavyWork.ts';

/** What the thread answers. */
export type ThreadAnswer =
  | { readonly ok: true; readonly result: HeavyResult }
  | { readonly ok: false; readonly error: AppErrorShape };

/** `script` is the bundled `engineThread.ts`. */
export function heavyWorkInThread(script: URL): HeavyWork {
  return {
    migrate: async (job, signal) => {
      const result = await inThread(script, { kind: 'migrate', job }, signal);
      if (result.kind !== 'migrate') throw new Error('the thread answered another question');
      return result.result;
    },
    unlock: async (job, signal) => {
      const result = await inThread(script, { kind: 'unlock', job }, signal);
      if (result.kind !== 'unlock') throw new Error('the thread answered another question');
      return result.result;
    },
  };
}

function inThread(script: URL, job: HeavyJob, signal: AbortSignal): Promise<HeavyResult> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const thread = new Worker(script);
    let settled = false;
    const settle = (end: () => void) => {
      if (settled) return;
      settled = true;
      signal.removeEventListener('abort', giveUp);
      void thread.terminate().then(end);
    };
    const giveUp = () => settle(() => reject(signal.reason));
    signal.addEventListener('abort', giveUp, { once: true });
    thread.once('message', (answer: ThreadAnswer) =>
      settle(() => {
        if (answer.ok) resolve(answer.result);
        else reject(AppError.fromShape(appErrorShape.parse(answer.error)));
      }),
    );
    // Out of memory, or the script is not there.
    thread.once('error', () => settle(() => reject(new Error('the thread failed'))));
    thread.once('exit', () => settle(() => reject(new Error('the thread ended'))));
    thread.postMessage(job);
  });
}
