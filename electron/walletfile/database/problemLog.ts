/** Collects the problems of a wallet file while reading it, and decides whether to continue. */
import type { Fault } from '../../../shared/model/findings/faults.ts';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { Finding } from '../../../shared/model/findings/finding.ts';
import type { FileProblem } from '../../../shared/model/inspection.ts';
import type { DamageMode } from './rawRecord.ts';

export type ProblemLog = ReturnType<typeof problemLog>;

const MAX_PROBLEMS = 100;

export function problemLog(mode: DamageMode) {
  const problems: FileProblem[] = [];
  let total = 0;
  let anyLost = false;
  function add(problem: FileProblem): void {
    total += 1;
    if (total <= MAX_PROBLEMS) problems.push(problem);
  }
  return {
    /** At most a hundred, and one more that counts the others. */
    get problems() {
      const count = total - MAX_PROBLEMS;
      if (count <= 0) return problems;
      const others = { code: 'more_problems', count } as const;
      return [...problems, anyLost ? lossOf(others) : remarkOf(others)];
    },
    /** Notes that a part could not be read, which may lose nothing. Throws the error under `refuse`, and always if it is not a FileError. */
    reportDamage(error: unknown, page: number | null, lost = true): void {
      if (mode === 'refuse' || !(error instanceof FileError)) throw error;
      anyLost ||= lost;
      add({ page, finding: error.finding, lost });
    },
    /** Notes an oddity that loses nothing. */
    note(finding: Finding): void {
      add(remarkOf(finding));
    },
    /** Whether anything was unreadable so far. */
    lost: () => anyLost,
  };
}

export function damagedError(fault: Fault): FileError {
  return new FileError('not_a_wallet', { code: 'wallet_damaged', fault });
}

export function notWalletError(finding: Finding): FileError {
  return new FileError('not_a_wallet', finding);
}

/** The error for a state that only a bug can cause. */
export function unexpectedError(finding: Finding): FileError {
  return new FileError('internal', finding);
}

/** A problem of the file as a whole, because of which parts of the wallet are missing. */
export function lossOf(finding: Finding): FileProblem {
  return { page: null, finding, lost: true };
}

/** An oddity of the file as a whole that loses nothing. */
export function remarkOf(finding: Finding): FileProblem {
  return { page: null, finding, lost: false };
}
