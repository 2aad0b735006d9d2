/** The engine's work in the caller's own thread. */
import { doJob, type OpenHere } from '../threads/threadJob.ts';
import { type Jobs, never, type Run, type Work, workBy } from '../wallets/work.ts';

/** What a test has done its own way instead. */
export interface Instead {
  readonly open?: (open: Work['open']) => Work['open'];
  readonly migrate?: (
    job: Jobs['migrate']['takes'],
    stopping: AbortSignal,
  ) => Promise<Jobs['migrate']['gives']>;
}

export function workHere({ open = (usual) => usual, migrate }: Instead = {}): Work {
  const opened: OpenHere = new Map();
  const run: Run = async (is, given, { stopping = never } = {}) => {
    const result = await (is === 'migrate' && migrate
      ? migrate(given as never, stopping)
      : doJob({ is, given }, opened));
    stopping.throwIfAborted();
    return result as never;
  };
  const work = workBy(run, ({ id }) => opened.delete(id));
  return { ...work, open: open(work.open) };
}
