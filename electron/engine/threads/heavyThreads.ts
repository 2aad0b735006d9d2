/** Threads for heavy work, of which one is kept ready and warm: a cold one takes twice as long for the same work. */
import type { Worker } from 'node:worker_threads';
import { startThread } from './startThread.ts';
import type { FromThread } from './threadMessages.ts';

interface HeavyThreads {
  /** A thread that has not worked for anyone yet, for one piece of work. */
  take(): Promise<Worker>;
  /** Starts the thread that is taken next, unless it is there. */
  prepare(): void;
  /** Ends all of them, whatever they do; none is started any more. */
  end(): Promise<void>;
}

/**
 * `script` is the bundled `engineThread.ts`. `onWarm` gets, the first time, what a thread made of a made-up wallet: who
 * loads what comes of the work gets warm by it.
 */
export function heavyThreads(script: URL, onWarm: (file: Uint8Array) => void): HeavyThreads {
  let spare: Promise<Worker> | null = null;
  let isWarm = false;
  let isEnded = false;
  const all = new Set<Promise<Worker>>();

  function warmUp(message: FromThread<unknown>): void {
    if (message.kind !== 'warm' || isWarm) return;
    isWarm = true;
    onWarm(message.file);
  }

  function prepare(): Promise<Worker> {
    if (spare) return spare;
    if (isEnded) return Promise.reject(new Error('the engine has ended'));
    const starting = startThread(script, 'secrets');
    spare = starting;
    all.add(starting);
    const forget = () => {
      all.delete(starting);
      if (spare === starting) spare = null;
    };
    starting.then((thread) => thread.once('message', warmUp).once('exit', forget), forget);
    return starting;
  }

  return {
    prepare: () => void prepare().catch(() => {}),
    take: async () => {
      const taken = prepare();
      spare = null;
      const thread = await taken;
      thread.ref();
      return thread;
    },
    end: async () => {
      isEnded = true;
      await Promise.allSettled([...all].map(async (starting) => (await starting).terminate()));
    },
  };
}
