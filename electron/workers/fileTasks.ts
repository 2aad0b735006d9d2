/**
 * Runs work on files for callers that wait for it. Aborts the work when its caller no longer waits, when the page cancels its task,
 * when the app closes, and after an hour, which no genuine wallet needs.
 */
import { FileError } from '../../shared/model/findings/fileError.ts';
import { readingStopped } from '../files/hash.ts';

interface Caller {
  /** Aborted when the caller no longer waits for the answer. */
  readonly signal: AbortSignal;
  /** The name to cancel it by. New work under the same name ends the old work. */
  readonly task?: string | undefined;
  /** Whether it may take any time, because it reports its progress and the user can stop it. */
  readonly endless?: boolean;
}

export type FileTasks = ReturnType<typeof createFileTasks>;

/**
 * In seconds. A wallet of 100,000 keys takes ten seconds, and 20 million rounds of a passphrase thirty. A file of 2 GiB holds as
 * much as fifty such wallets, and slow computers take five times as long.
 */
const MOST_TIME = 3600;

const MOST_EARLY = 1000;

export function createFileTasks(mostTime = MOST_TIME) {
  const named = new Map<string, AbortController>();
  const closing = new AbortController();
  /** Names that were cancelled before their work began: in the browser entry, requests can overtake each other. */
  const early = new Set<string>();
  return {
    /**
     * Throws what `work` throws, `cancelled`, and `beyond_limits` when the time is up. `work` must end when its signal is aborted;
     * the signal's reason is that error.
     */
    async run<T>(
      { signal: caller, task, endless = false }: Caller,
      work: (signal: AbortSignal) => Promise<T>,
    ): Promise<T> {
      const own = new AbortController();
      const abort = () => own.abort(readingStopped());
      const sources = [caller, closing.signal];
      if (sources.some(({ aborted }) => aborted) || (task !== undefined && early.delete(task)))
        throw readingStopped();
      for (const source of sources) source.addEventListener('abort', abort);
      const timer = endless ? undefined : setTimeout(() => own.abort(tooLong(mostTime)), mostTime * 1000);
      if (task !== undefined) {
        named.get(task)?.abort(readingStopped());
        named.set(task, own);
      }
      try {
        const value = await work(own.signal);
        own.signal.throwIfAborted();
        return value;
      } finally {
        clearTimeout(timer);
        for (const source of sources) source.removeEventListener('abort', abort);
        if (task !== undefined && named.get(task) === own) named.delete(task);
      }
    },
    cancel(task: string) {
      const running = named.get(task);
      if (running) return running.abort(readingStopped());
      // Most of these tasks had ended already, and no task reuses their names.
      if (early.size >= MOST_EARLY) early.clear();
      early.add(task);
    },
    /** Ends all work and accepts no more. */
    close: () => closing.abort(),
  };
}

function tooLong(seconds: number): FileError {
  return new FileError('beyond_limits', { code: 'work_too_long', seconds });
}
