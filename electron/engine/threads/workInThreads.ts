/**
 * Runs the engine's tasks in worker threads. Any thread can do any task on files, because all threads share the bytes of a wallet or
 * read its file, and a thread only caches what it derives from them. So the engine can end a thread that hangs and loses nothing.
 */
import { EventEmitter, once } from 'node:events';
import { createThreadPool, isTooLarge, type PoolThread } from '../../workers/threadPool.ts';
import {
  createWork,
  type NumberedWallet,
  never,
  type Output,
  type Run,
  type Task,
  type TaskKind,
  type Tasks,
} from '../wallets/work.ts';
import {
  longestFor,
  resultOf,
  sendTask,
  type ThreadAnswer,
  type ThreadData,
  type ToThread,
} from './threadMessages.ts';

interface Limits {
  /** The time limit, in milliseconds, for a task on files of `bytes` bytes. */
  readonly longestFor: (bytes: number) => number;
  /** Milliseconds that a thread continues after its caller left: a caller that asks again soon gets the answer. */
  readonly unaskedMs: number;
  /** Memory of one thread in MiB. */
  readonly memory: number;
}

/** `script`: the bundled `engineThread.ts`. */
export function createThreadedWork(script: URL, sqlite: WebAssembly.Module, limits: Partial<Limits> = {}) {
  const { longestFor: limitFor = longestFor, unaskedMs = 10_000, memory } = limits;
  const data: ThreadData = { sqlite };
  const pool = createThreadPool<FileState | null>(script, data);
  /** Wakes the tasks that wait for a thread, in the order in which they came, when a thread has finished one. */
  const ended = new EventEmitter().setMaxListeners(0);

  /** Without it, a migration would first wait until a thread for its files and one for itself have loaded their program. */
  const prepare = () => pool.prepare(fileThreads().length > 0 ? 1 : 2);

  /** Ends the thread with the task, because a passphrase must not outlive its use. */
  const runAlone: Run = async (kind, input, { stopping = never, onWritten } = {}) => {
    stopping.throwIfAborted();
    const thread = pool.start(null);
    try {
      const limitMs = TIMES_READING * longestFor(bytesOf(input));
      return resultOf(await sendTask(thread, { kind, input }, stopping, limitMs, onWritten));
    } finally {
      void pool.end(thread);
      // The rest of the caller's work comes first.
      setTimeout(prepare, PAUSE_MS).unref();
    }
  };

  const runOnFiles: Run = async (kind, input, { stopping = never, caller } = {}) => {
    const wallet = walletOf(input);
    const early = new AbortController();
    let hasStarted = false;
    let grace: NodeJS.Timeout | undefined;
    const leave = () => {
      const end = () => early.abort(new Error('nobody waits for the answer any more'));
      if (hasStarted) grace = setTimeout(end, unaskedMs);
      else end();
    };
    const offs = [onAbort(stopping, () => early.abort(stopping.reason)), onAbort(caller, leave)];
    try {
      for (let isAlone = false; ; isAlone = true) {
        const thread = await turn(wallet, isAlone, early.signal);
        hasStarted = true;
        try {
          return await inThread(thread, { kind, input }, wallet, early.signal);
        } catch (error) {
          // The thread held other wallets in memory. Alone in a thread, this one may fit.
          if (thread.state.wallets.size < 2 || !isTooLarge(error)) throw error;
        }
      }
    } finally {
      clearTimeout(grace);
      for (const off of offs) off();
    }
  };

  /** Waits for a thread that may do the task, and reserves it. Throws the signal's reason. */
  async function turn(wallet: NumberedWallet | null, isAlone: boolean, signal: AbortSignal) {
    for (;;) {
      signal.throwIfAborted();
      const thread = threadFor(wallet, isAlone);
      if (thread) {
        thread.state.atWork = wallet?.id ?? null;
        return thread;
      }
      await once(ended, 'work', { signal }).catch(() => {});
    }
  }

  async function inThread<K extends TaskKind>(
    thread: FileThread,
    task: Task<K>,
    wallet: NumberedWallet | null,
    signal: AbortSignal,
  ): Promise<Output<K>> {
    let answer: ThreadAnswer<Output<K>>;
    try {
      if (wallet) evictFor(thread, wallet);
      answer = await sendTask(thread, task, signal, wallet && limitFor(wallet.file.size));
    } catch (error) {
      void pool.end(thread);
      throw error;
    } finally {
      rest(thread);
      ended.emit('work');
    }
    return resultOf(answer);
  }

  function fileThreads(): FileThread[] {
    return pool.threads().filter((thread): thread is FileThread => thread.state !== null);
  }

  /** The thread that holds the wallet, otherwise an idle one; null if all are busy. */
  function threadFor(wallet: NumberedWallet | null, isAlone: boolean): FileThread | null {
    const all = fileThreads();
    const idle = all.filter(({ isIdle }) => isIdle);
    if (wallet) {
      // Two threads would derive the same scripts. The second task waits for the first.
      if (all.some(({ isIdle, state }) => !isIdle && state.atWork === wallet.id)) return null;
      const holder = idle.find(({ state }) => state.wallets.has(wallet.id));
      if (holder && !isAlone) return pool.take(holder);
    }
    const [emptiest] = idle.toSorted((a, b) => bytesIn(a) - bytesIn(b));
    if (emptiest && !(isAlone && emptiest.state.wallets.size > 0)) return pool.take(emptiest);
    // Reading and writing files must not wait for wallets that keep all threads busy.
    if (all.length >= MAX_THREADS && wallet) return null;
    return pool.start<FileState>({ wallets: new Map(), atWork: null }, memory);
  }

  function rest(thread: FileThread): void {
    const hasSpare = fileThreads().some((other) => other !== thread && other.isIdle);
    if (hasSpare && thread.state.wallets.size === 0) void pool.end(thread);
    else pool.rest(thread, IDLE_MS);
  }

  /** Evicts the least recently used wallets of the thread until the new one fits. */
  function evictFor(thread: FileThread, { id, file }: NumberedWallet): void {
    const { wallets } = thread.state;
    wallets.delete(id);
    const ids: number[] = [];
    let free = MAX_BYTES - file.size - bytesIn(thread);
    for (const [other, size] of wallets) {
      if (free >= 0) break;
      free += size;
      ids.push(other);
    }
    forget(thread, ids);
    wallets.set(id, file.size);
  }

  function forget({ worker, state }: FileThread, ids: readonly number[]): void {
    for (const id of ids) state.wallets.delete(id);
    const message: ToThread = { kind: 'forget', ids };
    if (ids.length > 0) worker.postMessage(message);
  }

  /** Frees what the threads cache of a wallet. */
  function release({ id, file }: NumberedWallet): void {
    for (const thread of fileThreads().filter(({ state }) => state.wallets.has(id))) {
      forget(thread, [id]);
      // Ending the thread frees the memory of a large wallet at once, before the next garbage collection.
      if (file.size > LARGE_BYTES && thread.isIdle && thread.state.wallets.size === 0) void pool.end(thread);
    }
  }

  const run: Run = (is, input, signals) => {
    const isSecret = 'passphrase' in input;
    const isHeavy = is === 'migrate' || is === 'unlock' || isSecret;
    return isHeavy ? runAlone(is, input, signals) : runOnFiles(is, input, signals);
  };
  return {
    ...createWork(run, release),
    /** Loads the threads' program ahead of the first tasks. */
    prepare,
    /** Ends all threads, whatever they do. A thread that waits for a file of a hung file system stays. */
    end: pool.close,
  };
}

/** Between a heavy task and the next thread that makes itself ready. */
const PAUSE_MS = 500;
/** A migration reads the wallet, makes new ones, and reads those again to prove them. */
const TIMES_READING = 4;
/** A wallet whose file makes a task hang keeps one thread busy until the time limit. */
const MAX_THREADS = 4;
/** How long an idle thread keeps its wallets, in milliseconds. */
const IDLE_MS = 600_000;
/** Total size of the wallet files that one thread holds; a single file may be larger. */
const MAX_BYTES = 128 * 2 ** 20;
const LARGE_BYTES = 16 * 2 ** 20;

/** The state of a thread for tasks on files. A thread for one heavy task has none. */
interface FileState {
  /** The wallets it holds: their numbers and file sizes, least recently used first. */
  readonly wallets: Map<number, number>;
  /** The number of the wallet that the current task is about; null for other files. */
  atWork: number | null;
}

type FileThread = PoolThread<FileState>;

function walletOf(input: Tasks[TaskKind]['input']): NumberedWallet | null {
  return 'wallet' in input ? input.wallet : null;
}

/** Calls `act` at once if the signal is already aborted. Returns a function that removes the listener. */
function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  if (signal?.aborted) act();
  else signal?.addEventListener('abort', act, { once: true });
  return () => signal?.removeEventListener('abort', act);
}

function bytesIn({ state }: FileThread): number {
  return [...state.wallets.values()].reduce((sum, size) => sum + size, 0);
}

function bytesOf(input: Tasks[TaskKind]['input']): number {
  return 'file' in input ? input.file.size : 0;
}
