/** What the files of wallets tell that no node has loaded: read in the background, and kept while a file stays as it is. */
import { marksOf } from '../files/walletJournals.ts';
import { orNull } from '../walletfile/bytes/once.ts';
import type { WalletFacts } from './walletTask.ts';
import type { WalletWork } from './walletWork.ts';

/** A file as whoever lists it has seen it. */
interface SeenFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** Bytes: one thread reads that much, so that the first answers are there soon and no start of a thread is wasted. */
const BURST = 8 * 2 ** 20;
const MOST_IN_A_BURST = 64;

export function createGlances(work: WalletWork) {
  const kept = new Map<string, { readonly mark: string; readonly facts: WalletFacts | null }>();
  /**
   * Tells what each of the files holds, in bursts, the small ones first; null for one that cannot be read. Rejects only
   * with the signal's reason.
   */
  return async (
    files: readonly SeenFile[],
    tell: (path: string, facts: WalletFacts | null) => void,
    signal: AbortSignal,
  ): Promise<void> => {
    const marks = new Map(files.map(({ path }) => [path, markOf(path)]));
    const unread = files.filter(({ path }) => {
      const before = kept.get(path);
      const isSame = before !== undefined && before.mark === marks.get(path);
      if (isSame) tell(path, before.facts);
      return !isSame;
    });
    for (const burst of bursts(unread)) {
      const task = { kind: 'glance', task: { paths: burst.map(({ path }) => path) } } as const;
      // A thread that came to its end over one of them: of none is anything known.
      const facts = await work(task, signal).catch(() => []);
      signal.throwIfAborted();
      for (const [index, file] of burst.entries()) {
        const found = facts[index] ?? null;
        const mark = marks.get(file.path) ?? null;
        if (mark !== null) kept.set(file.path, { mark, facts: found });
        tell(file.path, found);
      }
    }
  };
}

/** Identifies the state of the file and its journal. Null if unknown: the file is then read every time. */
function markOf(path: string): string | null {
  return orNull(() => marksOf(path).all);
}

function bursts(files: readonly SeenFile[]): SeenFile[][] {
  const all: SeenFile[][] = [];
  let room = 0;
  for (const file of [...files].sort((one, other) => one.size - other.size)) {
    const last = all.at(-1);
    room -= file.size;
    if (last && room >= 0 && last.length < MOST_IN_A_BURST) last.push(file);
    else {
      all.push([file]);
      room = BURST - file.size;
    }
  }
  return all;
}
