/**
 * A few worker threads for tasks on files. Any thread can do any task, because all threads share the bytes of a wallet,
 * and a thread only caches what it derives from them. So the engine can end a thread that hangs and loses nothing.
 */
import { EventEmitter, once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { RpcError } from '../rpc/rpcError.ts';
import {
  type Gives,
  type NumberedWallet,
  never,
  type Run,
  type Task,
  type TaskKind,
  type Tasks,
} from '../wallets/work.ts';
import { longestFor, resultOf, sendTask, type ThreadAnswer, type ToThread } from './threadMessages.ts';

export interface Limits {
  /** How long a task on files of so many bytes may take, in milliseconds. */
  readonly longestFor: (bytes: number) => number;
  /** How long a thread goes on after the caller has left, in milliseconds: a caller that asks again soon gets the answer. */
  readonly unaskedMs: number;
  /** Memory of one thread in MiB. */
  readonly memory: number;
}

/** `start` starts a thread for files, or throws. */
export function fileThreads(start: (memory?: number) => Worker, limits: Partial<Limits>) {
  const { longestFor: limitFor = longestFor, unaskedMs = 10_000, memory } = limits;
  const threads = new Set<FileThread>();
  /** Wakes the tasks that wait for a thread, in the order in which they came, when a thread has finished one. */
  const ended = new EventEmitter().setMaxListeners(0);

  const run: Run = async (is, given, { stopping = never, asker } = {}) => {
    const wallet = walletOf(given);
    const early = new AbortController();
    let hasStarted = false;
    let grace: NodeJS.Timeout | undefined;
    const leave = () => {
      const end = () => early.abort(new Error('nobody waits for the answer any more'));
      if (hasStarted) grace = setTimeout(end, unaskedMs);
      else end();
    };
    const offs = [onAbort(stopping, () => early.abort(stopping.reason)), onAbort(asker, leave)];
    try {
      for (let isAlone = false; ; isAlone = true) {
        const thread = await turn(wallet, isAlone, early.signal);
        hasStarted = true;
        try {
          return await inThread(thread, { is, given }, wallet, early.signal);
        } catch (error) {
          // The thread held other wallets in memory. Alone in a thread, this one may fit.
          if (thread.wallets.size < 2 || !isOfMemory(error)) throw error;
        }
      }
    } finally {
      clearTimeout(grace);
      for (const off of offs) off();
    }
  };

  /** Waits for a thread that may do the task. Throws the signal's reason. */
  async function turn(wallet: NumberedWallet | null, isAlone: boolean, signal: AbortSignal) {
    for (;;) {
      signal.throwIfAborted();
      const thread = threadFor(wallet, isAlone);
      if (thread) {
        // Reserve the thread before the next waiting task looks for one.
        thread.work = { wallet: wallet?.id ?? null };
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
  ): Promise<Gives<K>> {
    clearTimeout(thread.rest);
    let answer: ThreadAnswer<Gives<K>>;
    try {
      const worker = workerOf(thread);
      worker.ref();
      if (wallet) evictFor(thread, wallet);
      answer = await sendTask(worker, task, signal, wallet && limitFor(wallet.bytes.length));
    } catch (error) {
      endThread(thread);
      throw error;
    } finally {
      rest(thread);
      ended.emit('work');
    }
    return resultOf(answer);
  }

  /** The thread that holds the wallet, otherwise an idle one; null if all are busy. */
  function threadFor(wallet: NumberedWallet | null, isAlone: boolean): FileThread | null {
    const all = [...threads];
    const idle = all.filter(({ work }) => work === null);
    if (wallet) {
      // Two threads would derive the same scripts. The second task waits for the first.
      if (all.some(({ work }) => work?.wallet === wallet.id)) return null;
      const holder = idle.find(({ wallets }) => wallets.has(wallet.id));
      if (holder && !isAlone) return holder;
    }
    const [emptiest] = idle.toSorted((a, b) => bytesIn(a) - bytesIn(b));
    if (emptiest && !(isAlone && emptiest.wallets.size > 0)) return emptiest;
    // Reading and writing files must not wait for wallets that keep all threads busy.
    return threads.size < MOST_THREADS || !wallet ? newThread() : null;
  }

  function newThread(): FileThread {
    const thread: FileThread = { worker: null, wallets: new Map(), work: null, rest: undefined };
    threads.add(thread);
    return thread;
  }

  function workerOf(thread: FileThread): Worker {
    thread.worker ??= start(memory).once('exit', () => threads.delete(thread));
    return thread.worker;
  }

  function rest(thread: FileThread): void {
    thread.work = null;
    if (!threads.has(thread)) return;
    const spare = [...threads].some((other) => other !== thread && other.work === null);
    if (spare && thread.wallets.size === 0) {
      endThread(thread);
      return;
    }
    thread.worker?.unref();
    thread.rest = setTimeout(() => {
      if (thread.work === null) endThread(thread);
    }, IDLE_MS).unref();
  }

  function endThread(thread: FileThread): void {
    threads.delete(thread);
    clearTimeout(thread.rest);
    void thread.worker?.terminate();
  }

  /** Evicts the least recently used wallets of the thread until the new one fits. */
  function evictFor(thread: FileThread, { id, bytes }: NumberedWallet): void {
    const { wallets } = thread;
    wallets.delete(id);
    const ids: number[] = [];
    let free = MOST_BYTES - bytes.length - bytesIn(thread);
    for (const [other, size] of wallets) {
      if (free >= 0) break;
      free += size;
      ids.push(other);
    }
    forget(thread, ids);
    wallets.set(id, bytes.length);
  }

  function forget(thread: FileThread, ids: readonly number[]): void {
    for (const id of ids) thread.wallets.delete(id);
    const message: ToThread = { kind: 'forget', ids };
    if (ids.length > 0) thread.worker?.postMessage(message);
  }

  return {
    run,
    /** Frees what the threads cache of a wallet. */
    release({ id, bytes }: NumberedWallet): void {
      for (const thread of [...threads].filter(({ wallets }) => wallets.has(id))) {
        forget(thread, [id]);
        // Ending the thread frees the memory of a large wallet at once, before the next garbage collection.
        if (bytes.length > LARGE_BYTES && thread.work === null && thread.wallets.size === 0)
          endThread(thread);
      }
    },
  };
}

/** A wallet whose file makes a task hang keeps one thread busy until the time limit. */
const MOST_THREADS = 4;
/** How long an idle thread keeps its wallets, in milliseconds. */
const IDLE_MS = 600_000;
/** Total size of the wallet files that one thread holds; a single file may be larger. */
const MOST_BYTES = 128 * 2 ** 20;
const LARGE_BYTES = 16 * 2 ** 20;

interface FileThread {
  /** Null until the first task. */
  worker: Worker | null;
  /** The wallets it holds: their numbers and file sizes, least recently used first. */
  readonly wallets: Map<number, number>;
  /** The running task. `wallet`: the number of its wallet; null for other files. */
  work: { readonly wallet: number | null } | null;
  /** Ends the thread after `IDLE_MS` without a task. */
  rest: NodeJS.Timeout | undefined;
}

function walletOf(given: Tasks[TaskKind]['takes']): NumberedWallet | null {
  return 'wallet' in given ? given.wallet : null;
}

/** Calls `act` at once if the signal is already aborted. Returns a function that removes the listener. */
function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  if (signal?.aborted) act();
  else signal?.addEventListener('abort', act, { once: true });
  return () => signal?.removeEventListener('abort', act);
}

function isOfMemory(error: unknown): boolean {
  return error instanceof RpcError && error.kind === 'outOfMemory';
}

function bytesIn({ wallets }: FileThread): number {
  return [...wallets.values()].reduce((sum, size) => sum + size, 0);
}
