/** The engine's work in worker threads: tasks on files in a few that are kept, each heavy task in one of its own. */
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../workers/askThread.ts';
import { never, type Run, workBy } from '../wallets/work.ts';
import { fileThreads, type Limits } from './fileThreads.ts';
import { longestFor, resultOf, sendTask, type ThreadData } from './threadMessages.ts';

/** `script` is the bundled `engineThread.ts`. */
export function workInThreads(script: URL, sqlite: WebAssembly.Module, limits: Partial<Limits> = {}) {
  const all = new Set<Worker>();
  let isEnded = false;

  /** An idle thread does not keep the engine from ending. */
  function start(memory?: number): Worker {
    if (isEnded) throw new Error('the engine has ended');
    const data: ThreadData = { sqlite };
    const thread = startThread(script, data, memory);
    all.add(thread);
    thread.once('exit', () => all.delete(thread)).unref();
    return thread;
  }

  /** Ends the thread with the task, because a passphrase must not outlive its use. */
  const runAlone: Run = async (is, given, { stopping = never } = {}) => {
    stopping.throwIfAborted();
    const thread = start();
    thread.ref();
    try {
      return resultOf(
        await sendTask(thread, { is, given }, stopping, TIMES_READING * longestFor(bytesOf(given))),
      );
    } finally {
      void thread.terminate();
    }
  };

  const files = fileThreads(start, limits);
  const run: Run = (is, given, signals) => {
    const isHeavy = is === 'migrate' || is === 'unlock';
    return isHeavy ? runAlone(is, given, signals) : files.run(is, given, signals);
  };
  return {
    ...workBy(run, files.release),
    /** Ends all threads, whatever they do. A thread that waits for a file of a hung file system stays. */
    end: async () => {
      isEnded = true;
      await Promise.all([...all].map((thread) => thread.terminate()));
    },
  };
}

/** A migration reads the wallet, makes new ones, and reads those again to prove them. */
const TIMES_READING = 4;

function bytesOf(given: object): number {
  return 'bytes' in given && given.bytes instanceof Uint8Array ? given.bytes.length : 0;
}
