/** The engine's threads as those see them who give them work: how one is started and asked, and what is said. */
import { Worker } from 'node:worker_threads';
import { AppError, type AppErrorShape } from '../../../shared/errors.ts';
import { systemCode } from '../../disk/systemCode.ts';
import { RpcError, type RpcErrorName } from '../rpc/rpcError.ts';
import type { Gives, Job, JobKind } from '../wallets/work.ts';

/** What a thread is started with. */
export interface ThreadData {
  readonly sqlite: WebAssembly.Module;
  /** `secrets`: one piece of heavy work, and the thread is ended with it. `files`: one job after the other. */
  readonly serves: 'secrets' | 'files';
}

/**
 * A job is answered. `forget`: wallets that are not asked about any more. `warm`: the file of a made-up wallet, to be
 * read between other work until the code for it is compiled.
 */
export type ToThread =
  | { readonly kind: 'job'; readonly job: Job }
  | { readonly kind: 'forget'; readonly ids: readonly number[] }
  | { readonly kind: 'warm'; readonly file: Uint8Array };

/** `warm`: a thread for secrets is ready, and this is what it made of a made-up wallet. */
export type FromThread<R> =
  | { readonly kind: 'warm'; readonly file: Uint8Array }
  | { readonly kind: 'done'; readonly result: R }
  | { readonly kind: 'failed'; readonly error: ThreadError };

/** An error on its way: its words where they are meant to be told, and nothing of any other. */
type ThreadError =
  | { readonly is: 'app'; readonly shape: AppErrorShape }
  | { readonly is: 'rpc'; readonly kind: RpcErrorName; readonly message: string }
  | { readonly is: 'system'; readonly code: string }
  | { readonly is: 'unforeseen' };

/** The text of an unforeseen error stays behind: it may quote a secret. */
export function threadErrorOf(thrown: unknown): ThreadError {
  if (thrown instanceof AppError) return { is: 'app', shape: thrown.toShape() };
  if (thrown instanceof RpcError) return { is: 'rpc', kind: thrown.kind, message: thrown.message };
  const code = systemCode(thrown);
  return code === null ? { is: 'unforeseen' } : { is: 'system', code };
}

/** The error as it was thrown there. One of the system has its code. */
function errorOf(error: ThreadError): Error {
  if (error.is === 'app') return AppError.fromShape(error.shape);
  if (error.is === 'rpc') return new RpcError(error.kind, error.message);
  if (error.is === 'system') return Object.assign(new Error('the system refused it'), { code: error.code });
  return new Error('something unforeseen went wrong in a thread');
}

/** `script` is the bundled `engineThread.ts`. An idle thread does not keep the engine from ending. */
export function startThread(script: URL, workerData: ThreadData, memory = MOST_MEMORY): Worker {
  const thread = new Worker(script, { workerData, resourceLimits: { maxOldGenerationSizeMb: memory } });
  // Who works with the thread is told by its end; without a listener the error would end the engine.
  thread.on('error', () => {});
  thread.unref();
  return thread;
}

/** The thread cannot be asked again: it is to be ended, if it has not ended by itself. */
export class ThreadIsLost extends Error {
  constructor(readonly why: Error) {
    super(why.message);
  }
}

/**
 * Posts the work and waits for its answer. Throws what the work throws, and ThreadIsLost where it was given up: with
 * the signal's reason, or an RpcError for work that took longer than `limitMs` (-4; null for work that has an end of
 * itself) or too much memory (-7). Bytes to be written are handed over instead of copied.
 */
export function askThread<K extends JobKind>(
  thread: Worker,
  job: Job<K>,
  signal: AbortSignal,
  limitMs: number | null,
): Promise<Gives<K>> {
  return new Promise((resolve, reject) => {
    const lose = (why: Error) => settle(() => reject(new ThreadIsLost(why)));
    const answered = (answer: FromThread<Gives<K>>) => {
      if (answer.kind === 'done') settle(() => resolve(answer.result));
      if (answer.kind === 'failed') settle(() => reject(errorOf(answer.error)));
    };
    // The error's own text may quote what was read.
    const failed = (error: Error) =>
      lose(systemCode(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : new Error('the thread failed'));
    const ended = () => lose(new Error('the thread ended'));
    const giveUp = () => lose(signal.reason);
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
      thread.postMessage(message, job.is === 'write' ? buffersOf([job.given]) : []);
    } catch {
      settle(() => reject(new Error('the work cannot be given to a thread')));
    }
  });
}

/** The memory of files that nobody else has: it is handed over, a large wallet takes enough as it is. */
export function buffersOf(files: readonly (object | null)[]): ArrayBuffer[] {
  return files.flatMap((file) => {
    const bytes = file && 'bytes' in file ? file.bytes : null;
    return bytes instanceof Uint8Array && bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [];
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
const MOST_MEMORY = 3072;

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
