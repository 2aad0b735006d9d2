/** The engine's work in threads: on files in a few that are kept, heavy work in one for each piece, ended with it. */
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../workers/askThread.ts';
import { never, type Run, workBy } from '../wallets/work.ts';
import { fileThreads, type Limits } from './fileThreads.ts';
import { type FromThread, giveTask, longestFor, resultOf, type ThreadData } from './threadMessages.ts';

/** `script` is the bundled `engineThread.ts`. */
export function workInThreads(script: URL, sqlite: WebAssembly.Module, limits: Partial<Limits> = {}) {
  const all = new Set<Worker>();
  let isEnded = false;

  /** An idle thread does not keep the engine from ending. */
  function start(serves: ThreadData['serves'], memory?: number): Worker {
    if (isEnded) throw new Error('the engine has ended');
    const data: ThreadData = { sqlite, serves };
    const thread = startThread(script, data, memory);
    all.add(thread);
    thread.once('exit', () => all.delete(thread)).unref();
    return thread;
  }

  const files = fileThreads((memory) => start('files', memory), limits);
  const heavy = heavyThreads(() => start('secrets'), files.warmUp);
  const run: Run = (is, given, signals) => {
    const isHeavy = is === 'migrate' || is === 'unlock';
    return isHeavy ? heavy.run(is, given, signals) : files.run(is, given, signals);
  };
  return {
    ...workBy(run, files.release),
    /** Makes a thread ready for the next heavy work, once nothing of it has come for a while. */
    prepare: heavy.prepare,
    /** Ends all threads, whatever they do. One that the system keeps waiting for a file is not ended by it. */
    end: async () => {
      isEnded = true;
      await Promise.all([...all].map((thread) => thread.terminate()));
    },
  };
}

/**
 * A passphrase does not outlive its use. One thread is kept ready and warm: a cold one takes twice as long for the same
 * work. `onWarm` gets, the first time, what a thread made of a made-up wallet: who loads what comes of the work gets warm
 * by it.
 */
function heavyThreads(start: () => Worker, onWarm: (file: Uint8Array) => void) {
  let spare: Worker | null = null;
  let isWarm = false;

  function startOne(): Worker {
    const thread = start();
    thread.once('exit', () => {
      if (spare === thread) spare = null;
    });
    thread.once('message', (message: FromThread<unknown>) => {
      if (message.kind !== 'warm' || isWarm) return;
      isWarm = true;
      onWarm(message.file);
    });
    return thread;
  }

  function prepare(): void {
    setTimeout(() => {
      try {
        spare ??= startOne();
      } catch {
        // Whose work needs one is told.
      }
    }, REST_MS).unref();
  }

  const run: Run = async (is, given, { stopping = never } = {}) => {
    stopping.throwIfAborted();
    const thread = spare ?? startOne();
    spare = null;
    thread.ref();
    try {
      return resultOf(
        await giveTask(thread, { is, given }, stopping, TIMES_READING * longestFor(bytesOf(given))),
      );
    } finally {
      // What waits for the answer need not wait for the end of the thread too.
      void thread.terminate().then(prepare);
    }
  };

  return { run, prepare };
}

/** What comes after a start or a piece of work has the processor for itself first: wallets are read, written, loaded. */
const REST_MS = 5000;
/** A migration reads the wallet, makes new ones, and reads those again to prove them. */
const TIMES_READING = 4;

function bytesOf(given: object): number {
  return 'bytes' in given && given.bytes instanceof Uint8Array ? given.bytes.length : 0;
}
