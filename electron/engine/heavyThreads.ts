/** Threads for heavy work, of which one is kept ready and warm: a cold one takes twice as long for the same work. */
import { Worker } from 'node:worker_threads';
import type { AppErrorShape } from '../../shared/errors.ts';
import { compiledSqlite } from '../wallet/bundledSqlite.ts';
import type { HeavyResult } from './heavyJob.ts';
import { warmUpLoading } from './heavyWarmUp.ts';

interface HeavyThreads {
  /** A thread that has not worked for anyone yet, for one piece of work. */
  take(): Promise<Worker>;
  /** Starts the thread that is taken next, unless it is there. */
  prepare(): void;
}

/** What a thread is started with. */
export interface HeavyThreadData {
  readonly sqlite: WebAssembly.Module;
}

/** `warm`: the thread is ready, and this is what it made of a made-up wallet. The others answer a piece of work. */
export type ThreadMessage =
  | { readonly kind: 'warm'; readonly file: Uint8Array }
  | { readonly kind: 'done'; readonly result: HeavyResult }
  | { readonly kind: 'failed'; readonly error: AppErrorShape };

/** `script` is the bundled `engineThread.ts`. */
export function heavyThreads(script: URL): HeavyThreads {
  let spare: Promise<Worker> | null = null;
  let isWarm = false;

  /** What comes of the work is loaded in this thread, which is warm for it after the first time. */
  function warmUp(message: ThreadMessage): void {
    if (message.kind !== 'warm' || isWarm) return;
    isWarm = true;
    // What it cannot do now is only slower later.
    warmUpLoading(message.file).catch(() => {});
  }

  function prepare(): Promise<Worker> {
    if (spare) return spare;
    const starting = start(script);
    spare = starting;
    const forget = () => {
      if (spare === starting) spare = null;
    };
    starting.then((thread) => thread.once('message', warmUp).once('exit', forget), forget);
    return starting;
  }

  return {
    prepare: () => void prepare(),
    take: async () => {
      const taken = prepare();
      spare = null;
      const thread = await taken;
      thread.ref();
      return thread;
    },
  };
}

async function start(script: URL): Promise<Worker> {
  const workerData: HeavyThreadData = { sqlite: await compiledSqlite() };
  const thread = new Worker(script, { workerData });
  // Who works with the thread is told by its end; without a listener the error would end the engine.
  thread.on('error', () => {});
  // An idle thread does not keep the engine from ending.
  thread.unref();
  return thread;
}
