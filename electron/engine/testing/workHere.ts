/** Runs the engine's tasks in the caller's thread, for tests. */
import { doTask, type OpenHere } from '../threads/threadTask.ts';
import { never, type Run, type Tasks, type Work, workBy } from '../wallets/work.ts';

/** Replacements for tasks. */
export interface Replacements {
  readonly open?: (open: Work['open']) => Work['open'];
  readonly migrate?: (
    task: Tasks['migrate']['input'],
    stopping: AbortSignal,
  ) => Promise<Tasks['migrate']['output']>;
}

export function workHere({ open = (usual) => usual, migrate }: Replacements = {}): Work {
  const opened: OpenHere = new Map();
  const run: Run = async (is, input, { stopping = never } = {}) => {
    const result = await (is === 'migrate' && migrate
      ? migrate(input as never, stopping)
      : doTask({ is, input }, opened));
    stopping.throwIfAborted();
    return result as never;
  };
  const work = workBy(run, ({ id }) => opened.delete(id));
  return { ...work, open: open(work.open) };
}
