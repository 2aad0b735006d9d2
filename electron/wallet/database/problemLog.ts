/** Collects what is wrong with a wallet file while it is read, and decides whether reading goes on. */
import { AppError } from '../../../shared/errors.ts';
import type { FileProblem } from '../../../shared/inspection.ts';
import { say } from '../../../shared/text/say.ts';

export interface ProblemLog {
  /** At most a hundred, then one that counts the rest. */
  readonly problems: FileProblem[];
  /** Something could not be read. Under `refuse` this throws the error; anything but AppError is always thrown. */
  onDamage: (error: unknown, page: number | null) => void;
  /** Something is odd and nothing is missing because of it. */
  note: (text: string) => void;
  /** Whether anything could not be read so far. */
  lost: () => boolean;
}

const MOST_PROBLEMS = 100;

export function problemLog(mode: 'refuse' | 'salvage'): ProblemLog {
  const problems: FileProblem[] = [];
  let told = 0;
  let anyLost = false;
  function add(problem: FileProblem): void {
    told += 1;
    if (told <= MOST_PROBLEMS) problems.push(problem);
  }
  function theRest(count: number): FileProblem {
    const text = say(
      'And {count, plural, one {# more problem like this} other {# more problems like these}}.',
      {
        count,
      },
    );
    return { page: null, text, lost: anyLost };
  }
  return {
    get problems() {
      return told > MOST_PROBLEMS ? [...problems, theRest(told - MOST_PROBLEMS)] : problems;
    },
    onDamage(error, page) {
      if (mode === 'refuse' || !(error instanceof AppError)) throw error;
      anyLost = true;
      add({ page, text: error.message, lost: true });
    },
    note(text) {
      add({ page: null, text, lost: false });
    },
    lost: () => anyLost,
  };
}

/** `what` is a clause of its own without its full stop: "page 7 is named twice". */
export function damaged(what: string): AppError {
  return new AppError(
    'not_a_wallet',
    say('The wallet file is damaged: {fault}.', { fault: what }),
    say(
      'The file was not changed. Keep it. Try another copy of this backup first; inspecting the file shows what can still be read.',
    ),
  );
}
