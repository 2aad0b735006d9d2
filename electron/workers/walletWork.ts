/**
 * Reads wallet files in threads. One task after the other may have the same thread, until none has come for a while; with a
 * secret that it was given, a thread is ended: no passphrase outlives its use by long.
 */
import type { Worker } from 'node:worker_threads';
import { errorOfFailure, type Failure, FileError, failure } from '../../shared/model/findings/fileError.ts';
import { systemCode } from '../files/systemCode.ts';
import { askThread, OUT_OF_MEMORY, startThread } from './askThread.ts';
import type { WalletTask, WalletTaskKind, WalletTaskResults, WalletTasks } from './walletTask.ts';

/** Throws FileError for what goes wrong with the task, and rejects with the signal's reason when it is aborted. */
export type WalletWork = <K extends WalletTaskKind>(
  task: WalletTask<K>,
  signal: AbortSignal,
) => Promise<WalletTaskResults[K]>;

/** What a thread is started with: SQLite as an earlier one compiled it, null where none has needed it so far. */
export interface ThreadData {
  sqlite: WebAssembly.Module | null;
}

/** What comes of the task. */
export type ThreadAnswer<K extends WalletTaskKind> =
  | { readonly ok: true; readonly result: WalletTaskResults[K] }
  | { readonly ok: false; readonly error: Failure };

/** What the thread tells: its answer, with SQLite where it is compiled by then. */
export type ThreadMessage<K extends WalletTaskKind> = ThreadAnswer<K> & ThreadData;

/** `script` is the bundled `walletThread.ts`, `memory` how many MiB a task may take beside the bytes of files. */
export function walletWork(script: URL, memory?: number): WalletWork {
  const shared: ThreadData = { sqlite: null };
  /** Threads without a task, each with the timer that ends it. */
  const idle = new Map<Worker, NodeJS.Timeout>();

  function take(): Worker {
    for (const [thread, timer] of idle) {
      clearTimeout(timer);
      idle.delete(thread);
      return thread;
    }
    const thread = startThread(script, shared, memory);
    return thread.once('exit', () => idle.delete(thread));
  }

  return async <K extends WalletTaskKind>(task: WalletTask<K>, signal: AbortSignal) => {
    signal.throwIfAborted();
    const thread = take();
    const answer = await askThread<ThreadMessage<K>>(thread, task, signal).catch(async (why) => {
      await thread.terminate().catch(() => {});
      if (why === signal.reason) throw why;
      throw systemCode(why) === OUT_OF_MEMORY ? tooLarge() : stopped();
    });
    shared.sqlite ??= answer.sqlite;
    const isSecret = hasSecret(task.task);
    const end = () => {
      // Before it has ended: no other task may be given to it.
      idle.delete(thread);
      void thread.terminate();
    };
    const timer = setTimeout(end, !isSecret ? IDLE_MS : answer.sqlite ? COMPILING_MS : 0).unref();
    if (!isSecret) idle.set(thread, timer);
    if (answer.ok) return answer.result;
    throw errorOfFailure(failure.parse(answer.error));
  };
}

function hasSecret(task: WalletTasks[WalletTaskKind]): boolean {
  return 'passphrases' in task || ('passphrase' in task && task.passphrase !== undefined);
}

/** Time for a person’s next click: a thread that has worked is twice as fast. */
const IDLE_MS = 8000;
/** The process can stand still for good where a thread ends while SQLite is still being compiled beside it. */
const COMPILING_MS = 2000;

function tooLarge(): FileError {
  return new FileError('beyond_limits', { code: 'work_too_large' });
}

function stopped(): FileError {
  return new FileError('internal', { code: 'work_stopped' });
}
