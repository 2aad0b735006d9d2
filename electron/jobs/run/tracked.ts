/** One crossing as it stands, told to the outside at every change, but not more often than is of use. */
import type { Crossing } from '../../../shared/model/crossing.ts';

export type Tracked = ReturnType<typeof track>;

/** Begins with telling `first`. `tell` gets the whole crossing each time. */
export function track(first: Crossing, tell: (crossing: Crossing) => void, paceMs: number) {
  let crossing = first;
  let toldAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const tellNow = () => {
    clearTimeout(timer);
    timer = undefined;
    toldAt = performance.now();
    tell(crossing);
  };
  const tellSoon = () => {
    const wait = toldAt + paceMs - performance.now();
    if (wait <= 0) tellNow();
    else if (timer === undefined) {
      timer = setTimeout(tellNow, wait);
      timer.unref();
    }
  };
  const change = (patch: Partial<Crossing>) => {
    if (closed) return;
    crossing = { ...crossing, ...patch };
    if (Object.keys(patch).every((key) => key === 'progress' || key === 'log')) tellSoon();
    else tellNow();
  };
  const close = () => {
    closed = true;
    clearTimeout(timer);
  };

  tellNow();
  return {
    current: () => crossing,
    /** Progress and log lines are told at most every `paceMs`; every other change at once. */
    change,
    /** The last change. Nothing is told after it. */
    end(patch: Partial<Crossing>): void {
      change(patch);
      close();
    },
    /** Nothing is told from now on. */
    mute: close,
  };
}
