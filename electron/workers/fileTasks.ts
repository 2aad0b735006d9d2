/**
 * Work on files that somebody waits for. All of it goes by one rule, whatever is done with the file: it ends with who
 * asked, when it is cancelled by its name, when the app closes, and when it takes longer than any honest file does.
 */
import { FileError } from '../../shared/model/findings/fileError.ts';
import { readingStopped } from '../files/hash.ts';

interface Asker {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** By which it can be cancelled. A newer piece of work of the same name ends the older. */
  readonly task?: string | undefined;
  /** Whether it may take any time: it tells how far it is, and can be stopped. */
  readonly endless?: boolean;
}

export type FileTasks = ReturnType<typeof createFileTasks>;

/**
 * Seconds. A wallet of 100,000 keys takes ten seconds and 20 million rounds of a passphrase thirty; a file of 2 GiB has
 * room for fifty such wallets, and computers are five times as slow.
 */
const MOST_TIME = 3600;

const MOST_EARLY = 1000;

export function createFileTasks(mostTime = MOST_TIME) {
  const named = new Map<string, AbortController>();
  const closing = new AbortController();
  /** Names that were cancelled before their work began: in the browser entry, calls can overtake each other. */
  const early = new Set<string>();
  return {
    /**
     * Throws what `work` throws, `cancelled`, and `beyond_limits` when the time is up: `work` has to end with its signal,
     * whose reason is that error.
     */
    async run<T>(
      { signal: asker, task, endless = false }: Asker,
      work: (signal: AbortSignal) => Promise<T>,
    ): Promise<T> {
      const own = new AbortController();
      const leave = () => own.abort(readingStopped());
      const sources = [asker, closing.signal];
      if (sources.some(({ aborted }) => aborted) || (task !== undefined && early.delete(task)))
        throw readingStopped();
      for (const source of sources) source.addEventListener('abort', leave);
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
        for (const source of sources) source.removeEventListener('abort', leave);
        if (task !== undefined && named.get(task) === own) named.delete(task);
      }
    },
    cancel(task: string) {
      const running = named.get(task);
      if (running) return running.abort(readingStopped());
      // Most of them had ended by then, and their names do not come again.
      if (early.size >= MOST_EARLY) early.clear();
      early.add(task);
    },
    /** Ends what is at work, and takes no more. */
    close: () => closing.abort(),
  };
}

function tooLong(seconds: number): FileError {
  return new FileError('beyond_limits', { code: 'work_too_long', seconds });
}
