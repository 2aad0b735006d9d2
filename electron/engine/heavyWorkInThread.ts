/** Heavy work in a thread for each piece of it, which is ended with it: a passphrase does not outlive its use. */
import type { Worker } from 'node:worker_threads';
import { AppError, appErrorShape } from '../../shared/errors.ts';
import type { HeavyJob, HeavyResult } from './heavyJob.ts';
import { heavyThreads, type ThreadMessage } from './heavyThreads.ts';
import type { HeavyWork } from './heavyWork.ts';

interface WorkInThread extends HeavyWork {
  /** Makes a thread ready for the next piece of work, in the background. Work that comes before waits for it. */
  prepare(): void;
}

/** `script` is the bundled `engineThread.ts`. */
export function heavyWorkInThread(script: URL): WorkInThread {
  const { take, prepare } = heavyThreads(script);

  async function inThread(job: HeavyJob, signal: AbortSignal): Promise<HeavyResult> {
    signal.throwIfAborted();
    const thread = await take();
    try {
      return await answerOf(thread, job, signal);
    } finally {
      // What waits for the answer need not wait for the end of the thread too.
      void thread.terminate().then(() => setTimeout(prepare, REST_MS).unref());
    }
  }

  return {
    prepare,
    migrate: async (job, signal) => {
      const result = await inThread({ kind: 'migrate', job }, signal);
      if (result.kind !== 'migrate') throw new Error('the thread answered another question');
      return result.result;
    },
    unlock: async (job, signal) => {
      const result = await inThread({ kind: 'unlock', job }, signal);
      if (result.kind !== 'unlock') throw new Error('the thread answered another question');
      return result.result;
    },
  };
}

/** What comes after a piece of work has the processor for itself first: the new wallets are written and loaded. */
const REST_MS = 1000;

function answerOf(thread: Worker, job: HeavyJob, signal: AbortSignal): Promise<HeavyResult> {
  let giveUp = () => {};
  const answer = new Promise<HeavyResult>((resolve, reject) => {
    giveUp = () => reject(signal.reason);
    thread.on('message', (message: ThreadMessage) => {
      if (message.kind === 'done') resolve(message.result);
      if (message.kind === 'failed') reject(AppError.fromShape(appErrorShape.parse(message.error)));
    });
    // Out of memory, or the script is not there.
    thread.once('error', () => reject(new Error('the thread failed')));
    thread.once('exit', () => reject(new Error('the thread ended')));
  });
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  else thread.postMessage(job);
  return answer.finally(() => signal.removeEventListener('abort', giveUp));
}
