/** One operation as it stands, told to the outside at every change, but not more often than is of use. */
import type { Operation } from '../../../shared/operation.ts';

export interface Tracked {
  current(): Operation;
  /** Progress and log lines are told at most every `paceMs`; every other change at once. */
  change(patch: Partial<Operation>): void;
  /** The last change. Nothing is told after it. */
  end(patch: Partial<Operation>): void;
  /** Nothing is told from now on. */
  mute(): void;
}

/** Begins with telling `first`. `tell` gets the whole operation each time. */
export function track(first: Operation, tell: (operation: Operation) => void, paceMs: number): Tracked {
  let operation = first;
  let toldAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const tellNow = () => {
    clearTimeout(timer);
    timer = undefined;
    toldAt = performance.now();
    tell(operation);
  };
  const tellSoon = () => {
    const wait = toldAt + paceMs - performance.now();
    if (wait <= 0) tellNow();
    else if (timer === undefined) {
      timer = setTimeout(tellNow, wait);
      timer.unref();
    }
  };
  const close = () => {
    closed = true;
    clearTimeout(timer);
  };

  tellNow();
  return {
    current: () => operation,
    change(patch) {
      if (closed) return;
      operation = { ...operation, ...patch };
      if (Object.keys(patch).every((key) => key === 'progress' || key === 'log')) tellSoon();
      else tellNow();
    },
    end(patch) {
      if (closed) return;
      operation = { ...operation, ...patch };
      tellNow();
      close();
    },
    mute: close,
  };
}
