/** Long work that the page asks the app for, by the name that it can be cancelled by. */
import { type Attempt, attempt } from './attempt.ts';
import { bridge } from './bridge/bridge.ts';

/** Jobs that each have a purpose: a new one ends the one before of the same purpose. */
export function newestJobs() {
  const running = new Map<string, string>();

  function cancel(purpose: string): void {
    const job = running.get(purpose);
    if (job !== undefined) cancelJob(job);
    running.delete(purpose);
  }

  return {
    /** Gives null where it was cancelled, or ended by a newer one. */
    async run<T>(purpose: string, work: (job: string) => Promise<T>): Promise<Attempt<T> | null> {
      cancel(purpose);
      const job = crypto.randomUUID();
      running.set(purpose, job);
      const result = await attempt(() => work(job));
      if (running.get(purpose) !== job) return null;
      running.delete(purpose);
      return result;
    },
    cancel,
    cancelAll() {
      for (const purpose of running.keys()) cancel(purpose);
    },
  };
}

/** Work that has ended by now is left as it is. */
export function cancelJob(job: string): void {
  void attempt(() => bridge.call('jobs.cancel', { job }));
}
