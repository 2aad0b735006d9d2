/**
 * Runs tasks on wallet files in threads, for callers that wait for them. A thread takes one task after another, and ends when it has
 * been idle for a while. A thread that was given a secret ends at once, so that no passphrase stays in memory for long.
 */
import { setMaxListeners } from 'node:events';
import { errorOfFailure, type Failure, FileError, failure } from '../../shared/model/findings/fileError.ts';
import { readingStoppedError } from '../files/hash.ts';
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
export function createWalletWork(script: URL, memory?: number): WalletWork {
  const shared: ThreadData = { sqlite: null };
  const pool = createThreadPool(script, shared);

  return async <K extends WalletTaskKind>(task: WalletTask<K>, signal: AbortSignal) => {
    signal.throwIfAborted();
    const idle = pool.threads().find(({ isIdle }) => isIdle);
    const thread = idle ? pool.take(idle) : pool.start(null, memory);
    const answer = await askThread<ThreadMessage<K>>(thread, task, signal).catch(async (error) => {
      await pool.end(thread);
      throw error === signal.reason || isTooLarge(error) ? error : stoppedError();
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

function stoppedError(): FileError {
  return new FileError('internal', { code: 'work_stopped' });
}

interface Caller {
  /** Aborted when the caller no longer waits for the answer. */
  readonly signal: AbortSignal;
  /** The name to cancel it by. New work under the same name ends the old work. */
  readonly task?: string | undefined;
  /** Whether it may take any time, because it reports its progress and the user can stop it. */
  readonly endless?: boolean;
}

export type FileTasks = ReturnType<typeof createFileTasks>;

/**
 * In seconds. A wallet of 100,000 keys takes ten seconds, and 20 million rounds of a passphrase thirty. A file of 2 GiB holds as
 * much as fifty such wallets, and slow computers take five times as long.
 */
const MAX_TIME = 3600;

const MAX_EARLY = 1000;

/**
 * Aborts work on files when its caller no longer waits, when the page cancels its task, when the app closes, and after an hour,
 * which no genuine wallet needs.
 */
export function createFileTasks(mostTime = MAX_TIME) {
  const named = new Map<string, AbortController>();
  const closing = new AbortController();
  /** Names that were cancelled before their work began: in the browser entry, requests can overtake each other. */
  const early = new Set<string>();
  return {
    /**
     * Throws what `work` throws, `cancelled`, and `beyond_limits` when the time is up. `work` must end when its signal is aborted;
     * the signal's reason is that error.
     */
    async run<T>(
      { signal: caller, task, endless = false }: Caller,
      work: (signal: AbortSignal) => Promise<T>,
    ): Promise<T> {
      const own = new AbortController();
      const abort = () => own.abort(readingStoppedError());
      const sources = [caller, closing.signal];
      if (sources.some(({ aborted }) => aborted) || (task !== undefined && early.delete(task)))
        throw readingStoppedError();
      // A list of wallets has more work on one signal than Node finds usual, and warns of in the user's terminal.
      setMaxListeners(0, ...sources);
      for (const source of sources) source.addEventListener('abort', abort);
      const timer = endless
        ? undefined
        : setTimeout(() => own.abort(tooLongError(mostTime)), mostTime * 1000);
      if (task !== undefined) {
        named.get(task)?.abort(readingStoppedError());
        named.set(task, own);
      }
      try {
        const value = await work(own.signal);
        own.signal.throwIfAborted();
        return value;
      } finally {
        clearTimeout(timer);
        for (const source of sources) source.removeEventListener('abort', abort);
        if (task !== undefined && named.get(task) === own) named.delete(task);
      }
    },
    cancel(task: string) {
      const running = named.get(task);
      if (running) return running.abort(readingStoppedError());
      // Most of these tasks had ended already, and no task reuses their names.
      if (early.size >= MAX_EARLY) early.clear();
      early.add(task);
    },
    /** Ends all work and accepts no more. */
    close: () => closing.abort(),
  };
}

function tooLongError(seconds: number): FileError {
  return new FileError('beyond_limits', { code: 'work_too_long', seconds });
}
