/** Heavy work in a thread for each piece of it, which is ended with it: a passphrase does not outlive its use. */
import type { Worker } from 'node:worker_threads';
import type { HeavyWork } from '../wallets/work.ts';
import { askThread, longestFor, startThread, ThreadIsLost } from './askThread.ts';
import type { Job, JobKind, Results } from './threadJob.ts';
import type { FromThread } from './threadMessages.ts';

interface WorkInThread extends HeavyWork {
  /** Makes a thread ready for the next piece of work, in the background. Work that comes before waits for it. */
  prepare(): void;
  /** Ends the threads, whatever they do, and starts no other. */
  end(): Promise<void>;
}

/**
 * One thread is kept ready and warm: a cold one takes twice as long for the same work. `script` is the bundled
 * `engineThread.ts`. `onWarm` gets, the first time, what a thread made of a made-up wallet: who loads what comes of the
 * work gets warm by it.
 */
export function heavyWorkInThread(script: URL, onWarm: (file: Uint8Array) => void): WorkInThread {
  let spare: Promise<Worker> | null = null;
  let isWarm = false;
  let isEnded = false;
  const all = new Set<Promise<Worker>>();

  function warmUp(message: FromThread<unknown>): void {
    if (message.kind !== 'warm' || isWarm) return;
    isWarm = true;
    onWarm(message.file);
  }

  function nextThread(): Promise<Worker> {
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

  const prepare = () => void nextThread().catch(() => {});

  async function inThread<K extends JobKind>(
    job: Job<K>,
    bytes: number,
    signal: AbortSignal,
  ): Promise<Results[K]> {
    signal.throwIfAborted();
    const taken = nextThread();
    spare = null;
    const thread = await taken;
    thread.ref();
    try {
      return await askThread(thread, job, { signal, limitMs: TIMES_READING * longestFor(bytes) });
    } catch (error) {
      throw error instanceof ThreadIsLost ? error.why : error;
    } finally {
      // What waits for the answer need not wait for the end of the thread too.
      void thread.terminate().then(() => setTimeout(prepare, REST_MS).unref());
    }
  }

  return {
    prepare,
    end: async () => {
      isEnded = true;
      await Promise.allSettled([...all].map(async (starting) => (await starting).terminate()));
    },
    migrate: (given, signal) => inThread({ is: 'migrate', given }, given.bytes.length, signal),
    unlock: (given, signal) => inThread({ is: 'unlock', given }, 0, signal),
  };
}

/** What comes after a piece of work has the processor for itself first: the new wallets are written and loaded. */
const REST_MS = 1000;
/** A migration reads the wallet, makes new ones, and reads those again to prove them. */
const TIMES_READING = 4;
