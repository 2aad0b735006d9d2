/** Threads for heavy work, of which one is kept ready and warm: a cold one takes twice as long for the same work. */
import { Worker } from 'node:worker_threads';
import { compiledSqlite } from '../wallet/readySqlite.ts';

export interface HeavyThreads {
  /** A thread that has not worked for anyone yet, for one piece of work. */
  take(): Promise<Worker>;
  /** Starts the thread that is taken next, unless it is there. */
  prepare(): void;
}

/** What a thread is started with. */
export interface HeavyThreadData {
  readonly sqlite: WebAssembly.Module;
}

/** `script` is the bundled `engineThread.ts`. */
export function heavyThreads(script: URL): HeavyThreads {
  let spare: Promise<Worker> | null = null;

  function prepare(): void {
    if (spare) return;
    const starting = start(script);
    spare = starting;
    const forget = () => {
      if (spare === starting) spare = null;
    };
    starting.then((thread) => thread.once('exit', forget), forget);
  }

  return {
    prepare,
    take: async () => {
      prepare();
      const taken = spare ?? start(script);
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
