/** A pool of worker threads, for the app (`createWalletWork`) and the engine (`createThreadedWork`). Its user picks the thread of a task. */
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { FileError } from '../../shared/model/findings/fileError.ts';
import { systemCode } from '../files/fileError.ts';

/** A thread that can take a task. `state`: what the pool's user keeps for each thread. */
export interface PoolThread<State = null> {
  readonly worker: Worker;
  readonly state: State;
  isIdle: boolean;
  /** Ends the thread when it has been idle for long. */
  timer: NodeJS.Timeout | undefined;
}

/** `script`: the thread's bundled program. `data`: its `workerData`, read each time that a thread starts. */
export function createThreadPool<State = null>(script: URL, data: object) {
  const threads = new Set<PoolThread<State>>();
  /** Includes threads that are about to end. */
  const workers = new Set<Worker>();
  /** Workers that have loaded the program, or are loading it, and have no task yet. */
  const ready = new Set<Worker>();
  let isClosed = false;

  function startWorker(memory: number): Worker {
    const worker = new Worker(script, {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: YOUNG_MEMORY },
    });
    workers.add(worker);
    // `askThread` reports errors. Without a listener here, an error between tasks would end the program.
    worker
      .on('error', () => {})
      .once('exit', () => {
        workers.delete(worker);
        ready.delete(worker);
      });
    return worker;
  }

  function takeReady(): Worker | undefined {
    const [worker] = ready;
    if (worker) ready.delete(worker);
    worker?.ref();
    return worker;
  }

  /** The thread gets no more tasks. Resolves once it has ended. Never rejects. */
  async function end(thread: PoolThread<State>): Promise<void> {
    threads.delete(thread);
    clearTimeout(thread.timer);
    await thread.worker.terminate().catch(() => {});
  }

  return {
    /** The threads that can take a task, now or after the one they work on. */
    threads: (): readonly PoolThread<State>[] => [...threads],

    /** Starts a thread for a task. `memory`: limit in MiB, not counting the bytes of files. Throws after `close`. */
    start<S extends State>(state: S, memory = MAX_MEMORY): PoolThread<S> {
      if (isClosed) throw new Error('the pool of threads is closed');
      const worker = (memory === MAX_MEMORY && takeReady()) || startWorker(memory);
      const thread: PoolThread<S> = { worker, state, isIdle: false, timer: undefined };
      threads.add(thread);
      worker.once('exit', () => void end(thread));
      return thread;
    },

    /**
     * Starts `count` workers ahead of their tasks, because loading the program takes longer than most tasks. Idle workers do not
     * keep the process alive.
     */
    prepare(count: number): void {
      while (!isClosed && ready.size < count) {
        const worker = startWorker(MAX_MEMORY);
        worker.unref();
        ready.add(worker);
      }
    },

    /** Takes an idle thread for a task. */
    take<T extends PoolThread<State>>(thread: T): T {
      clearTimeout(thread.timer);
      thread.isIdle = false;
      thread.worker.ref();
      return thread;
    },

    /** Makes a thread idle, and ends it if it gets no task for `restMs`. An idle thread does not keep the program running. */
    rest(thread: PoolThread<State>, restMs: number): void {
      if (!threads.has(thread)) return;
      thread.isIdle = true;
      thread.worker.unref();
      thread.timer = setTimeout(() => void end(thread), restMs).unref();
    },

    end,

    /** Ends all threads, whatever they do. Never resolves if a thread waits for a file system that hangs. */
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all([...workers].map((worker) => worker.terminate()));
    },
  };
}

/** In Electron, all threads of a process share 4 GiB. The rest is for the program itself. */
const MAX_MEMORY = 3072;
/**
 * Memory for new objects, in MiB, of a thread. By default, V8 takes four times as much before it looks for garbage: a short task touches
 * memory only once, and a long one keeps a tenth more of it, without being faster.
 */
export const YOUNG_MEMORY = 12;

/**
 * Posts a task and resolves with the first message that `isAnswer` accepts. Rejects only if the caller must end the
 * thread: with the signal's reason, with FileError `beyond_limits` if the task needs too much memory, and with another
 * error if the thread fails or ends by itself.
 */
export function askThread<Message, Answer extends Message = Message>(
  { worker }: PoolThread<unknown>,
  task: unknown,
  signal: AbortSignal,
  isAnswer: (message: Message) => message is Answer = (_): _ is Answer => true,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      signal.removeEventListener('abort', giveUp);
      worker.off('message', answered).off('error', failed).off('exit', ended);
      end();
    };
    const answered = (message: Message) => {
      if (isAnswer(message)) settle(() => resolve(message));
    };
    const lose = (reason: Error) => settle(() => reject(reason));
    // Drop the error's own text: it may quote the file.
    const failed = (error: Error) =>
      lose(systemCode(error) === OUT_OF_MEMORY ? outOfMemoryError() : new Error('the thread failed'));
    const ended = () => lose(new Error('the thread ended'));
    const giveUp = () => lose(signal.reason);
    worker.on('message', answered).on('error', failed).on('exit', ended);
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
    else worker.postMessage(task);
  });
}

const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

function outOfMemoryError(): FileError {
  return new FileError('beyond_limits', { code: 'work_too_large' });
}

/** Whether the task needed too much memory. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof FileError && error.finding.code === 'work_too_large';
}

/** Sets how all threads of this program use V8. */
export function setV8Flags(): void {
  for (const flag of V8_FLAGS) setFlagsFromString(flag);
}

export const V8_FLAGS = [
  // V8 optimises code later than usual. It does that in further threads, which take the processor from a short task and pay only in
  // longer ones: 1,000 keys take two thirds of the processor's time, 20,000 keys 2 % more. Node 20 has V8 11, whose flag counts bytes
  // of code instead of calls.
  process.versions.v8.startsWith('11.')
    ? '--interrupt-budget=1000000'
    : '--invocation-count-for-turbofan=20000',
  // V8 looks for garbage once the objects take half as much memory again. By default, they may take up to four times as much: migrating
  // 100,000 keys took 200 MB more, and was not faster.
  '--heap-growing-percent=50',
  // The threads at work look for garbage themselves. By default they wait for others, which two cores do not have: 5,000 keys took 5 %
  // longer, 20,000 keys 7 %.
  '--no-parallel-scavenge',
];
