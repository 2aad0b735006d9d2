/** One job as it stands, told to the outside at every change, but not more often than is of use. */
import type { Job } from '../../../shared/model/job.ts';

export type Tracked = ReturnType<typeof track>;

const NOT_URGENT: ReadonlySet<string> = new Set(['progress', 'log', 'logLength'] satisfies (keyof Job)[]);

/** Begins with telling `first`. `tell` gets the whole job each time. */
export function track(first: Job, tell: (job: Job) => void, paceMs: number) {
  let job = first;
  let toldAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const tellNow = () => {
    clearTimeout(timer);
    timer = undefined;
    toldAt = performance.now();
    tell(job);
  };
  const tellSoon = () => {
    const wait = toldAt + paceMs - performance.now();
    if (wait <= 0) tellNow();
    else if (timer === undefined) {
      timer = setTimeout(tellNow, wait);
      timer.unref();
    }
  };
  const change = (patch: Partial<Job>) => {
    if (closed) return;
    job = { ...job, ...patch };
    if (Object.keys(patch).every((key) => NOT_URGENT.has(key))) tellSoon();
    else tellNow();
  };
  const close = () => {
    closed = true;
    clearTimeout(timer);
  };

  tellNow();
  return {
    current: () => job,
    /** Progress and log lines are told at most every `paceMs`; every other change at once. */
    change,
    /** The last change. Nothing is told after it. */
    end(patch: Partial<Job>): void {
      change(patch);
      close();
    },
    /** Nothing is told from now on. */
    mute: close,
  };
}
