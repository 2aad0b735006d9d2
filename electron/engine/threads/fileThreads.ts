/**
 * Work on files in a few threads. Any of them can answer any question: the bytes of a wallet are in memory that they
 * share, and what a thread has made of them is only kept there. So one that never comes to an end is ended, and nothing
 * is lost by it.
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
import { giveTask, longestFor, resultOf, type ThreadAnswer, type ToThread } from './threadMessages.ts';

export interface Limits {
  /** How long work on files of so many bytes may take, in milliseconds. */
  readonly longestFor: (bytes: number) => number;
  /** How long an answer that nobody waits for is still worked on: who asks again soon gets it, then. */
  readonly unaskedMs: number;
  /** MiB for one thread. */
  readonly memory: number;
}

/** `start` starts a thread for files, or throws. */
export function fileThreads(start: (memory?: number) => Worker, limits: Partial<Limits>) {
  const { longestFor: limitFor = longestFor, unaskedMs = 10_000, memory } = limits;
  const threads = new Set<FileThread>();
  /** Tells those that wait for a thread that one has ended its work; they look again in the order in which they came. */
  const ended = new EventEmitter().setMaxListeners(0);

  const run: Run = async (is, given, { stopping = never, asker } = {}) => {
    const wallet = walletOf(given);
    const early = new AbortController();
    let isBegun = false;
    let grace: NodeJS.Timeout | undefined;
    const leave = () => {
      const end = () => early.abort(new Error('nobody waits for the answer any more'));
      if (isBegun) grace = setTimeout(end, unaskedMs);
      else end();
    };
    const offs = [onAbort(stopping, () => early.abort(stopping.reason)), onAbort(asker, leave)];
    try {
      for (let isAlone = false; ; isAlone = true) {
        const thread = await turn(wallet, isAlone, early.signal);
        isBegun = true;
        try {
          return await inThread(thread, { is, given }, wallet, early.signal);
        } catch (error) {
          // It had others in its memory: with all of it this one may fit.
          if (thread.wallets.size < 2 || !isOfMemory(error)) throw error;
        }
      }
    } finally {
      clearTimeout(grace);
      for (const off of offs) off();
    }
  };

  /** A thread for the work, once there is one. Throws the reason of the signal. */
  async function turn(wallet: NumberedWallet | null, isAlone: boolean, signal: AbortSignal) {
    for (;;) {
      signal.throwIfAborted();
      const thread = threadFor(wallet, isAlone);
      if (thread) {
        // Taken before the next of those that wait looks for one.
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
      if (wallet) makeRoom(thread, wallet);
      answer = await giveTask(worker, task, signal, wallet && limitFor(wallet.bytes.length));
    } catch (error) {
      endThread(thread);
      throw error;
    } finally {
      rest(thread);
      ended.emit('work');
    }
    return resultOf(answer);
  }

  /** The one that knows the wallet, and otherwise one that is free; null where all are busy. */
  function threadFor(wallet: NumberedWallet | null, isAlone: boolean): FileThread | null {
    const all = [...threads];
    const free = all.filter(({ work }) => work === null);
    if (wallet) {
      // What it works out is worked out once: the second waits for it.
      if (all.some(({ work }) => work?.wallet === wallet.id)) return null;
      const knowing = free.find(({ wallets }) => wallets.has(wallet.id));
      if (knowing && !isAlone) return knowing;
    }
    const [emptiest] = free.toSorted((a, b) => bytesIn(a) - bytesIn(b));
    if (emptiest && !(isAlone && emptiest.wallets.size > 0)) return emptiest;
    // Files are read and written whatever wallets keep the threads busy.
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

  /** A wallet that a thread does not know yet takes the place of those that were longest not asked about. */
  function makeRoom(thread: FileThread, { id, bytes }: NumberedWallet): void {
    const { wallets } = thread;
    wallets.delete(id);
    const ids: number[] = [];
    let room = MOST_BYTES - bytes.length - bytesIn(thread);
    for (const [other, size] of wallets) {
      if (room >= 0) break;
      room += size;
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
    /** Lets go of what was made of a wallet. */
    release({ id, bytes }: NumberedWallet): void {
      for (const thread of [...threads].filter(({ wallets }) => wallets.has(id))) {
        forget(thread, [id]);
        // The memory of a large one is free at once, not when the thread comes round to it.
        if (bytes.length > LARGE_BYTES && thread.work === null && thread.wallets.size === 0)
          endThread(thread);
      }
    },
  };
}

/** A wallet that never comes to an end keeps one of them busy until it is ended. */
const MOST_THREADS = 4;
/** How long a thread without work is kept with what it knows. */
const IDLE_MS = 600_000;
/** Of the files of the wallets that one thread knows; a single one may be larger. */
const MOST_BYTES = 128 * 2 ** 20;
const LARGE_BYTES = 16 * 2 ** 20;

interface FileThread {
  /** Started for its first work. */
  worker: Worker | null;
  /** The wallets that it knows, by their numbers, with the length of their files; the last asked about comes last. */
  readonly wallets: Map<number, number>;
  /** `wallet`: the number of the one it works on; null for other files. */
  work: { readonly wallet: number | null } | null;
  /** Ends it once it has had no work for long. */
  rest: NodeJS.Timeout | undefined;
}

function walletOf(given: Tasks[TaskKind]['takes']): NumberedWallet | null {
  return 'wallet' in given ? given.wallet : null;
}

/** Also where it is aborted already. The function it gives lets go of the signal. */
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
