/** A thread as those see it who give it work, in the app and in the engine: how one is started and asked. */
import { Worker } from 'node:worker_threads';
import { systemCode, systemError } from '../files/systemCode.ts';

/** `memory`: how many MiB its work may take beside the bytes of files. */
export function startThread(script: URL, workerData: object, memory = MOST_MEMORY): Worker {
  const thread = new Worker(script, { workerData, resourceLimits: { maxOldGenerationSizeMb: memory } });
  // Who waits for an answer is told; without a listener an error would end the program.
  return thread.on('error', () => {});
}

/** Leaves room for the program itself: in Electron all threads of a process share 4 GiB. */
const MOST_MEMORY = 3072;

/**
 * Posts the work and waits for its answer, the first message that `isAnswer` lets pass. Rejects only where the thread
 * cannot be asked again, and is to be ended: with the signal's reason, and where the thread failed or ended by itself, for
 * too much memory with the code OUT_OF_MEMORY. What is `moved` is handed over instead of copied.
 */
export function askThread<Answer>(
  thread: Worker,
  work: unknown,
  signal: AbortSignal,
  isAnswer: (message: Answer) => boolean = () => true,
  moved: readonly ArrayBuffer[] = [],
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      signal.removeEventListener('abort', giveUp);
      thread.off('message', answered).off('error', failed).off('exit', ended);
      end();
    };
    const answered = (message: Answer) => {
      if (isAnswer(message)) settle(() => resolve(message));
    };
    const lose = (why: Error) => settle(() => reject(why));
    // The error's own text may quote what was read.
    const failed = (error: Error) =>
      lose(systemCode(error) === OUT_OF_MEMORY ? systemError(OUT_OF_MEMORY) : new Error('the thread failed'));
    const ended = () => lose(new Error('the thread ended'));
    const giveUp = () => lose(signal.reason);
    thread.on('message', answered).on('error', failed).on('exit', ended);
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
    else thread.postMessage(work, moved);
  });
}

export const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';
