/**
 * Runs tasks on wallet files in threads. A thread takes one task after another, and ends when it has been idle for a while.
 * A thread that was given a secret ends at once, so that no passphrase stays in memory for long.
 */
import { errorOfFailure, type Failure, FileError, failure } from '../../shared/model/findings/fileError.ts';
import { askThread, createThreadPool, isTooLarge } from './threadPool.ts';
import type { WalletTask, WalletTaskKind, WalletTaskResults, WalletTasks } from './walletTask.ts';

/** Throws FileError if the task fails, and rejects with the signal's reason when it is aborted. */
export type WalletWork = <K extends WalletTaskKind>(
  task: WalletTask<K>,
  signal: AbortSignal,
) => Promise<WalletTaskResults[K]>;

/** What a thread starts with: SQLite as an earlier thread compiled it; null if none has needed it yet. */
export interface ThreadData {
  sqlite: WebAssembly.Module | null;
}

/** The outcome of a task. */
export type ThreadAnswer<K extends WalletTaskKind> =
  | { readonly ok: true; readonly result: WalletTaskResults[K] }
  | { readonly ok: false; readonly error: Failure };

/** The thread's message: its answer, and SQLite if the thread has compiled it. */
export type ThreadMessage<K extends WalletTaskKind> = ThreadAnswer<K> & ThreadData;

/** `script`: the bundled `walletThread.ts`. `memory`: limit of a task in MiB, not counting the bytes of files. */
export function walletWork(script: URL, memory?: number): WalletWork {
  const shared: ThreadData = { sqlite: null };
  const pool = createThreadPool(script, shared);

  return async <K extends WalletTaskKind>(task: WalletTask<K>, signal: AbortSignal) => {
    signal.throwIfAborted();
    const idle = pool.threads().find(({ isIdle }) => isIdle);
    const thread = idle ? pool.take(idle) : pool.start(null, memory);
    const answer = await askThread<ThreadMessage<K>>(thread, task, signal).catch(async (error) => {
      await pool.end(thread);
      throw error === signal.reason || isTooLarge(error) ? error : stopped();
    });
    shared.sqlite ??= answer.sqlite;
    // A timer must not keep a program running that has all its answers.
    if (hasSecret(task.task))
      setTimeout(() => void pool.end(thread), answer.sqlite ? COMPILING_MS : 0).unref();
    else pool.rest(thread, IDLE_MS);
    if (answer.ok) return answer.result;
    throw errorOfFailure(failure.parse(answer.error));
  };
}

function hasSecret(task: WalletTasks[WalletTaskKind]): boolean {
  return 'passphrases' in task || ('passphrase' in task && task.passphrase !== undefined);
}

/** Time for the user's next click: a thread that has done a task is twice as fast. */
const IDLE_MS = 8000;
/** If a thread ends while it still compiles SQLite, the whole process can hang. */
const COMPILING_MS = 2000;

function stopped(): FileError {
  return new FileError('internal', { code: 'work_stopped' });
}
