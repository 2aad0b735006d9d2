/** Requests to the back end: their values or errors, and the tasks that cancel long ones. */
import type { AppErrorShape } from '../../shared/model/errors.ts';
import { errorShapeOf } from '../../shared/wording/findings/findingWords.ts';
import { bridge } from './bridge/bridge.ts';

/** Runs one task for each purpose. A new task cancels the earlier one of its purpose. */
export function newestTasks() {
  const running = new Map<string, string>();

  function cancel(purpose: string): void {
    const task = running.get(purpose);
    if (task !== undefined) cancelTask(task);
    running.delete(purpose);
  }

  return {
    /** Resolves with null if it was cancelled, or replaced by a newer task. */
    async run<T>(purpose: string, work: (task: string) => Promise<T>): Promise<Attempt<T> | null> {
      cancel(purpose);
      const task = crypto.randomUUID();
      running.set(purpose, task);
      const result = await attempt(() => work(task));
      if (running.get(purpose) !== task) return null;
      running.delete(purpose);
      return result;
    },
    cancel,
    cancelAll() {
      for (const purpose of running.keys()) cancel(purpose);
    },
  };
}

/** Does nothing if the work has ended. */
export function cancelTask(task: string): void {
  void attempt(() => bridge.call('tasks.cancel', { task }));
}

/** Resolves with `value` once it is not null: at once, or after a change of the store. */
export function until<T>(subscribe: (listener: () => void) => () => void, value: () => T | null): Promise<T> {
  const now = value();
  if (now !== null) return Promise.resolve(now);
  return new Promise((resolve) => {
    const stop = subscribe(() => {
      const found = value();
      if (found === null) return;
      stop();
      resolve(found);
    });
  });
}

export type Attempt<T> = { ok: true; value: T } | { ok: false; error: AppErrorShape };

/** Runs `work` and resolves with its value or its error, so that a store or a form can show either. */
export async function attempt<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (thrown) {
    return { ok: false, error: errorShapeOf(thrown) };
  }
}
