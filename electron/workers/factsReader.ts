/** Reads the files of a node's wallets in the background, and caches the facts until a file changes. */
import { limitConcurrency } from '../files/concurrency.ts';
import { marksOf } from '../files/walletJournals.ts';
import { orNull } from '../walletfile/bytes/once.ts';
import type { ListedFacts, ListedWallets } from './walletTask.ts';
import type { WalletWork } from './walletWork.ts';

interface WalletFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

interface Known {
  readonly mark: string;
  readonly facts: ListedFacts | null;
}

/** Bytes that one task reads: few, so that the first answer comes soon, but enough to be worth starting a thread. */
const BURST = 8 * 2 ** 20;
const MAX_IN_A_BURST = 64;
/** A screenful. */
const FIRST_BURST = 16;
const THREADS = 2;

export function createFactsReader(work: WalletWork) {
  // The lists of loaded and of unloaded wallets share the threads: starting one takes as long as reading a hundred files.
  const run = limitConcurrency(THREADS);
  const caches = { loaded: new Map<string, Known>(), unloaded: new Map<string, Known>() };
  /** Reports the facts of each file, small files first; null for an unreadable file. Rejects only with the signal's reason. */
  return async (
    files: readonly WalletFile[],
    report: (path: string, facts: ListedFacts | null) => void,
    signal: AbortSignal,
    of: ListedWallets,
  ): Promise<void> => {
    const cache = caches[of];
    const marks = new Map(files.map(({ path }) => [path, versionOf(path)]));
    const unread = files.filter(({ path }) => {
      const before = cache.get(path);
      const isSame = before !== undefined && before.mark === marks.get(path);
      if (isSame) report(path, before.facts);
      return !isSame;
    });
    const read = async (burst: readonly WalletFile[]) => {
      signal.throwIfAborted();
      const task = { kind: 'readFacts', task: { paths: burst.map(({ path }) => path), of } } as const;
      // The thread failed at one of them, so none of them is known.
      const facts = await work(task, signal).catch(() => []);
      signal.throwIfAborted();
      for (const [index, file] of burst.entries()) {
        const found = facts[index] ?? null;
        const mark = marks.get(file.path) ?? null;
        if (mark !== null) cache.set(file.path, { mark, facts: found });
        report(file.path, found);
      }
    };
    await Promise.all(bursts(unread).map((burst) => run(() => read(burst))));
  };
}

/** Identifies the state of the file and its journal. Null if unknown: the file is then read each time. */
function versionOf(path: string): string | null {
  return orNull(() => marksOf(path).all);
}

function bursts(files: readonly WalletFile[]): WalletFile[][] {
  const all: WalletFile[][] = [];
  let left = 0;
  for (const file of [...files].sort((one, other) => one.size - other.size)) {
    const last = all.at(-1);
    left -= file.size;
    const most = all.length === 1 ? FIRST_BURST : MAX_IN_A_BURST;
    if (last && left >= 0 && last.length < most) last.push(file);
    else {
      all.push([file]);
      left = BURST - file.size;
    }
  }
  return all;
}
