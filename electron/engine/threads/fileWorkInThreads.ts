/**
 * Work on files in a few threads. Any of them can answer any question: the bytes of a wallet are in memory that they
 * share, and what a thread has made of them is only kept there. So one that never comes to an end is ended, and nothing
 * is lost by it.
 */
import type { Worker } from 'node:worker_threads';
import { RpcError } from '../rpc/rpcError.ts';
import type { FileWork, QuestionSignals, WalletHandle } from '../wallets/work.ts';
import { askThread, longestFor, MOST_MEMORY, startThread, ThreadIsLost } from './askThread.ts';
import type { Job, JobKind, NumberedWallet, Results } from './threadJob.ts';

interface FileWorkInThreads extends FileWork {
  /** Reads a made-up wallet until the code for it is compiled, between other work: the first real one is as fast then. */
  warmUp(file: Uint8Array): Promise<void>;
  /** Ends all threads, whatever they do. One that the system keeps waiting for a file is not ended by it. */
  end(): Promise<void>;
}

interface Limits {
  /** How long work on files of so many bytes may take, in milliseconds. */
  readonly longestFor: (bytes: number) => number;
  /** How long an answer that nobody waits for is still worked on: who asks again soon gets it, then. */
  readonly unaskedMs: number;
  /** MiB for one thread. */
  readonly memory: number;
}

const usual: Limits = { longestFor, unaskedMs: 10_000, memory: MOST_MEMORY };

/** `script` is the bundled `engineThread.ts`. */
export function fileWorkInThreads(script: URL, limits: Partial<Limits> = {}): FileWorkInThreads {
  const { longestFor, unaskedMs, memory } = { ...usual, ...limits };
  const threads = new Set<FileThread>();
  const waiting: Waiting[] = [];
  const endings = new Set<Promise<void>>();
  let opened = 0;

  function run<K extends JobKind>(job: Job<K>, terms: Terms): Promise<Results[K]> {
    return new Promise((resolve, reject) => {
      const give = async (thread: FileThread) => {
        try {
          resolve(await inThread(thread, job, terms));
        } catch (error) {
          const crowded = error instanceof ThreadIsLost && thread.wallets.size > 1;
          // It had others in its memory: with all of it this one may fit.
          if (crowded && isOfMemory(error.why)) queue({ ...terms, isAlone: true });
          else reject(error instanceof ThreadIsLost ? error.why : error);
        }
      };
      const queue = (terms: Terms) => {
        const { signal, unasked: asker } = terms;
        const leave = () => {
          waiting.splice(waiting.indexOf(one), 1);
          for (const off of offs) off();
        };
        const giveUp = () => {
          leave();
          reject(signal.aborted ? signal.reason : unasked());
        };
        const one: Waiting = { terms, give, leave };
        waiting.push(one);
        const offs = [onAbort(signal, giveUp), onAbort(asker, giveUp)];
        if (signal.aborted || asker?.aborted) giveUp();
        else next();
      };
      queue(terms);
    });
  }

  async function inThread<K extends JobKind>(
    thread: FileThread,
    job: Job<K>,
    { wallet, signal, unasked: asker, limitMs, moved = [] }: Terms,
  ): Promise<Results[K]> {
    const early = new AbortController();
    const end = () => early.abort(signal.reason);
    let grace: NodeJS.Timeout | undefined;
    const wait = () => {
      grace = setTimeout(() => early.abort(unasked()), unaskedMs);
    };
    const offs = [onAbort(signal, end), onAbort(asker, wait)];
    clearTimeout(thread.rest);
    try {
      const worker = await thread.worker;
      worker.ref();
      if (wallet) makeRoom(thread, worker, wallet);
      if (signal.aborted) end();
      if (asker?.aborted) wait();
      return await askThread(worker, job, { signal: early.signal, limitMs, moved });
    } catch (error) {
      if (error instanceof ThreadIsLost) void endThread(thread);
      throw error;
    } finally {
      clearTimeout(grace);
      for (const off of offs) off();
      rest(thread);
      next();
    }
  }

  /** Gives out what waits, each to the thread that knows its wallet, and otherwise to one that is free. */
  function next(): void {
    for (const one of [...waiting]) {
      const thread = threadFor(one.terms);
      if (!thread) continue;
      one.leave();
      // Taken before the next of those that wait looks for one.
      thread.work = { wallet: one.terms.wallet?.id ?? null, isBrief: one.terms.isBrief === true };
      void one.give(thread);
    }
  }

  function threadFor({ wallet, isAlone }: Terms): FileThread | null {
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
    if (all.some(({ work }) => work?.isBrief)) return null;
    // Files are read and written whatever wallets keep the threads busy.
    return threads.size < MOST_THREADS || !wallet ? startOne() : null;
  }

  function startOne(): FileThread {
    const worker = startThread(script, 'files', memory);
    const thread: FileThread = { worker, wallets: new Map(), work: null, rest: undefined };
    threads.add(thread);
    // Where it cannot be started, who works with it is told.
    worker.then(
      (started) => started.once('exit', () => threads.delete(thread)),
      () => threads.delete(thread),
    );
    return thread;
  }

  function rest(thread: FileThread): void {
    thread.work = null;
    if (!threads.has(thread)) return;
    const spare = [...threads].some((other) => other !== thread && other.work === null);
    if (spare && thread.wallets.size === 0) {
      void endThread(thread);
      return;
    }
    void withWorker(thread, (worker) => worker.unref());
    thread.rest = setTimeout(() => {
      if (thread.work === null) void endThread(thread);
    }, IDLE_MS).unref();
  }

  function endThread(thread: FileThread): Promise<void> {
    threads.delete(thread);
    clearTimeout(thread.rest);
    const ending = withWorker(thread, (worker) => worker.terminate());
    endings.add(ending);
    void ending.then(() => endings.delete(ending));
    return ending;
  }

  /** A wallet that a thread does not know yet takes the place of those that were longest not asked about. */
  function makeRoom(thread: FileThread, worker: Worker, { id, bytes }: NumberedWallet): void {
    const { wallets } = thread;
    wallets.delete(id);
    const ids: number[] = [];
    let room = MOST_BYTES - bytes.length - bytesIn(thread);
    for (const [other, size] of wallets) {
      if (room >= 0) break;
      room += size;
      ids.push(other);
    }
    for (const other of ids) wallets.delete(other);
    if (ids.length > 0) worker.postMessage({ kind: 'forget', ids });
    wallets.set(id, bytes.length);
  }

  function release({ id, bytes }: NumberedWallet): void {
    for (const thread of [...threads].filter(({ wallets }) => wallets.delete(id))) {
      // The memory of a large one is free at once, not when the thread comes round to it.
      if (bytes.length > LARGE_BYTES && thread.work === null && thread.wallets.size === 0) {
        void endThread(thread);
      } else void withWorker(thread, (worker) => worker.postMessage({ kind: 'forget', ids: [id] }));
    }
  }

  const never = new AbortController().signal;
  const untilDone: Terms = { wallet: null, signal: never, limitMs: null };

  return {
    read: (path, signal) => run({ is: 'read', given: { path } }, { ...untilDone, signal }),
    write: (path, bytes) => {
      const moved = bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [];
      return run({ is: 'write', given: { path, bytes } }, { ...untilDone, moved });
    },
    copy: async (from, to, part) => void (await run({ is: 'copy', given: { from, to, part } }, untilDone)),
    holds: (path, bytes) => run({ is: 'holds', given: { path, bytes } }, untilDone),
    list: (folder, network, signal) =>
      run({ is: 'list', given: { folder, network } }, { ...untilDone, signal }),
    open: async (given, stopping) => {
      opened += 1;
      const wallet: NumberedWallet = { ...given, id: opened };
      const limitMs = longestFor(wallet.bytes.length);
      const terms = { wallet, signal: stopping, limitMs };
      const facts = await run({ is: 'open', given: { wallet } }, terms).catch((error: unknown) => {
        release(wallet);
        throw error;
      });
      const ask: WalletHandle['ask'] = async (question, { stopping, asker }: QuestionSignals) => {
        const terms = { wallet, signal: stopping, unasked: asker, limitMs };
        try {
          return await run({ is: 'ask', given: { wallet, question } }, terms);
        } finally {
          question.masterKey?.fill(0);
        }
      };
      return { ...facts, ask, release: () => release(wallet) };
    },
    warmUp: async (file) => {
      const bytes = new Uint8Array(new SharedArrayBuffer(file.length));
      bytes.set(file);
      for (let round = 0; round < WARM_ROUNDS; round += 1) {
        opened += 1;
        const wallet = { bytes, kind: 'sqlite', network: 'regtest', id: opened } as const;
        await run({ is: 'open', given: { wallet } }, { ...untilDone, wallet, isBrief: true });
        release(wallet);
      }
    },
    end: async () => {
      for (const thread of threads) void endThread(thread);
      await Promise.all(endings);
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
/** With half of them a load after a migration takes a fifth longer. */
const WARM_ROUNDS = 7;

interface FileThread {
  readonly worker: Promise<Worker>;
  /** The wallets that it knows, by their numbers, with the length of their files; the last asked about comes last. */
  readonly wallets: Map<number, number>;
  /** `wallet`: the number of the one it works on; null for other files. */
  work: { readonly wallet: number | null; readonly isBrief: boolean } | null;
  /** Ends it once it has had no work for long. */
  rest: NodeJS.Timeout | undefined;
}

/** On what terms work is done. */
interface Terms {
  readonly wallet: NumberedWallet | null;
  readonly signal: AbortSignal;
  /** Aborted when nobody waits for the answer. */
  readonly unasked?: AbortSignal;
  readonly limitMs: number | null;
  readonly moved?: ArrayBuffer[];
  /** Over so soon that other work waits for it instead of starting a thread. */
  readonly isBrief?: boolean;
  /** In a thread that knows no other wallet. */
  readonly isAlone?: boolean;
}

interface Waiting {
  readonly terms: Terms;
  readonly give: (thread: FileThread) => Promise<void>;
  /** Waits no more. */
  readonly leave: () => void;
}

/** The function it gives lets go of the signal. */
function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  signal?.addEventListener('abort', act, { once: true });
  return () => signal?.removeEventListener('abort', act);
}

function isOfMemory(error: Error): boolean {
  return error instanceof RpcError && error.kind === 'outOfMemory';
}

function bytesIn({ wallets }: FileThread): number {
  return [...wallets.values()].reduce((sum, size) => sum + size, 0);
}

function unasked(): Error {
  return new Error('nobody waits for the answer any more');
}

/** Where the thread could not be started, who works with it is told. */
async function withWorker(thread: FileThread, use: (worker: Worker) => unknown): Promise<void> {
  try {
    await use(await thread.worker);
  } catch {
    // See above.
  }
}
