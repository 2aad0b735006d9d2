/** Starts one of the engine's threads, and asks it for one piece of work, with what may end it early. */
import { type Transferable, Worker } from 'node:worker_threads';
import { systemCode } from '../../disk/systemCode.ts';
import { compiledSqlite } from '../../wallet/database/bundledSqlite.ts';
import { RpcError } from '../rpc/rpcError.ts';
import type { Job, JobKind, Results } from './threadJob.ts';
import { errorOf, type FromThread, type ThreadData, type ToThread } from './threadMessages.ts';

/** `script` is the bundled `engineThread.ts`. An idle thread does not keep the engine from ending. */
export async function startThread(
  script: URL,
  serves: ThreadData['serves'],
  memory: number = MOST_MEMORY,
): Promise<Worker> {
  const workerData: ThreadData = { sqlite: await compiledSqlite(), serves };
  const thread = new Worker(script, { workerData, resourceLimits: { maxOldGenerationSizeMb: memory } });
  // Who works with the thread is told by its end; without a listener the error would end the engine.
  thread.on('error', () => {});
  thread.unref();
  return thread;
}

interface Ending {
  /** Its reason is what the work is rejected with. */
  readonly signal: AbortSignal;
  /** How long it may take, in milliseconds; null for work that has an end of itself. */
  readonly limitMs: number | null;
  /** What is handed over instead of copied. */
  readonly moved?: Transferable[];
}

/** The thread cannot be asked again: it is to be ended, if it has not ended by itself. */
export class ThreadIsLost extends Error {
  constructor(readonly why: Error) {
    super(why.message);
  }
}

/**
 * Posts the work and waits for its answer. Throws what the work throws, and ThreadIsLost where it was given up: with
 * the signal's reason, or an RpcError for work that took too long (-4) or too much memory (-7).
 */
export function askThread<K extends JobKind>(
  thread: Worker,
  job: Job<K>,
  { signal, limitMs, moved = [] }: Ending,
): Promise<Results[K]> {
  return new Promise((resolve, reject) => {
    const lose = (why: Error) => settle(() => reject(new ThreadIsLost(why)));
    const answered = (answer: FromThread<Results[K]>) => {
      if (answer.kind === 'done') settle(() => resolve(answer.result));
      if (answer.kind === 'failed') settle(() => reject(errorOf(answer.error)));
    };
    // The error's own text may quote what was read.
    const failed = (error: Error) =>
      lose(systemCode(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : new Error('the thread failed'));
    const ended = () => lose(new Error('the thread ended'));
    const giveUp = () => lose(reasonOf(signal));
    const late = limitMs === null ? undefined : setTimeout(() => lose(tooLong(limitMs)), limitMs);
    const settle = (end: () => void) => {
      clearTimeout(late);
      signal.removeEventListener('abort', giveUp);
      thread.off('message', answered).off('error', failed).off('exit', ended);
      end();
    };
    thread.on('message', answered).on('error', failed).on('exit', ended);
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) return giveUp();
    const message: ToThread = { kind: 'job', job };
    try {
      thread.postMessage(message, moved);
    } catch {
      settle(() => reject(new Error('the work cannot be given to a thread')));
    }
  });
}

/**
 * How long work on files of so many bytes may take, in milliseconds: many times what it takes on a slow computer (100 MB
 * of keys take 20 seconds on one of two cores), so that only what would never end meets it.
 */
export function longestFor(bytes: number): number {
  return 120_000 + Math.ceil(bytes / 2 ** 20) * 5000;
}

/** MiB that the work of one thread may take beside the bytes of files: in Electron all threads share 4 GiB. */
export const MOST_MEMORY = 3072;

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error('the work was given up');
}

function tooLong(milliseconds: number): RpcError {
  const minutes = Math.ceil(milliseconds / 60_000);
  return new RpcError(
    'wallet',
    `The work on this wallet was ended after ${minutes} minutes: its file may be made to never come to an end. No wallet file was changed. Try another copy of it, or on a faster computer.`,
  );
}

function tooLarge(): RpcError {
  return new RpcError(
    'outOfMemory',
    'The work on this wallet takes more memory than the engine can have. No wallet file was changed. Try it on a computer with more memory.',
  );
}
