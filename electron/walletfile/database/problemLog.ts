/** Collects what is wrong with a wallet file while it is read, and decides whether reading goes on. */
import { AppError } from '../../../shared/model/errors.ts';
import type { FileProblem } from '../../../shared/model/inspection.ts';
import { say } from '../../../shared/wording/say.ts';
import type { OnDamage } from './rawRecord.ts';

export type ProblemLog = ReturnType<typeof problemLog>;

const MOST_PROBLEMS = 100;

export function problemLog(mode: OnDamage) {
  const problems: FileProblem[] = [];
  let told = 0;
  let anyLost = false;
  function add(problem: FileProblem): void {
    told += 1;
    if (told <= MOST_PROBLEMS) problems.push(problem);
  }
  return {
    /** At most a hundred, then one that counts the rest. */
    get problems() {
      const count = told - MOST_PROBLEMS;
      if (count <= 0) return problems;
      const text = say('And {count, plural, one {# more problem} other {# more problems}}.', { count });
      return [...problems, { page: null, text, lost: anyLost }];
    },
    /** Something could not be read. Under `refuse` this throws the error; anything but AppError is always thrown. */
    onDamage(error: unknown, page: number | null): void {
      if (mode === 'refuse' || !(error instanceof AppError)) throw error;
      anyLost = true;
      add({ page, text: error.message, lost: true });
    },
    /** Something is odd and nothing is missing because of it. */
    note(text: string): void {
      add({ page: null, text, lost: false });
    },
    /** Whether anything could not be read so far. */
    lost: () => anyLost,
  };
}

/** `what` is a clause of its own without its full stop: "page 7 is named twice". */
export function damaged(what: string): AppError {
  return new AppError('not_a_wallet', say('The wallet file is damaged: {fault}.', { fault: what }), KEEP_IT);
}

/** The error for a file that is something else than a wallet. `what` is a sentence. */
export function notWallet(what: string): AppError {
  return new AppError('not_a_wallet', what, say('Nothing was changed. Choose another file.'));
}

/** The error for what cannot be. `what` is a sentence. */
export function unexpected(what: string): AppError {
  const hint = say('Nothing was changed. Make a report in Activity and ask for help.');
  return new AppError('internal', what, hint);
}

/** What can be wrong with a page of either kind of database, counted from 0: for `damaged`. */
export const pageFaults = {
  missing: (page: number) => say('page {page} is missing', { page }),
  namedTwice: (page: number) => say('page {page} is named twice', { page }),
  wrongKind: (page: number) => say('page {page} has the wrong type', { page }),
  /** Entries that lie over each other, or outside of the page. */
  doNotFit: (page: number) => say('the entries of page {page} do not fit', { page }),
};

/** What to do with a file that is damaged. */
export const KEEP_IT = say('Nothing was changed. Keep the file, and try another copy of this backup.');

/** What is wrong with a file as a whole. `lost`: something is missing because of it. */
export function problemOf(text: string, lost: 'lost' | 'whole'): FileProblem {
  return { page: null, text, lost: lost === 'lost' };
}
