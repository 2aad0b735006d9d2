/** Heavy work in a thread for each piece of it, which is ended with it: a passphrase does not outlive its use. */
import type { HeavyWork } from '../wallets/heavyWork.ts';
import { askThread, longestFor, ThreadIsLost } from './askThread.ts';
import type { HeavyJob, HeavyResult } from './heavyJob.ts';
import { heavyThreads } from './heavyThreads.ts';

interface WorkInThread extends HeavyWork {
  /** Makes a thread ready for the next piece of work, in the background. Work that comes before waits for it. */
  prepare(): void;
  /** Ends the threads, whatever they do, and starts no other. */
  end(): Promise<void>;
}

/** `script` is the bundled `engineThread.ts`; `onWarm` is told as `heavyThreads` says. */
export function heavyWorkInThread(script: URL, onWarm: (file: Uint8Array) => void): WorkInThread {
  const { take, prepare, end } = heavyThreads(script, onWarm);

  async function inThread(job: HeavyJob, bytes: number, signal: AbortSignal): Promise<HeavyResult> {
    signal.throwIfAborted();
    const thread = await take();
    try {
      return await askThread<HeavyResult>(thread, job, {
        signal,
        limitMs: TIMES_READING * longestFor(bytes),
      });
    } catch (error) {
      throw error instanceof ThreadIsLost ? error.why : error;
    } finally {
      // What waits for the answer need not wait for the end of the thread too.
      void thread.terminate().then(() => setTimeout(prepare, REST_MS).unref());
    }
  }

  return {
    prepare,
    end,
    migrate: async (job, signal) => {
      const result = await inThread({ kind: 'migrate', job }, job.bytes.length, signal);
      if (result.kind !== 'migrate') throw new Error('the thread answered another question');
      return result.result;
    },
    unlock: async (job, signal) => {
      const result = await inThread({ kind: 'unlock', job }, 0, signal);
      if (result.kind !== 'unlock') throw new Error('the thread answered another question');
      return result.result;
    },
  };
}

/** What comes after a piece of work has the processor for itself first: the new wallets are written and loaded. */
const REST_MS = 1000;
/** A migration reads the wallet, makes new ones, and reads those again to prove them. */
const TIMES_READING = 4;
