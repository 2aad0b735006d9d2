/** Runs the engine's tasks in the caller's thread, for tests. */
import type { OnWritten } from '../../walletfile/migrate/migrateLegacy.ts';
import { doTask, type OpenHere } from '../threads/threadTask.ts';
import { never, type Run, type Tasks, type Work, workBy } from '../wallets/work.ts';

/** Replacements for tasks. */
export interface Replacements {
  readonly open?: (open: Work['open']) => Work['open'];
  readonly migrate?: (
    task: Tasks['migrate']['input'],
    onWritten: OnWritten,
    stopping: AbortSignal,
  ) => Promise<Tasks['migrate']['output']>;
  /** For a `migrate` that does not make SQLite files. */
  readonly check?: () => Promise<Tasks['check']['output']>;
}

export function workHere({ open = (usual) => usual, migrate, check }: Replacements = {}): Work {
  const opened: OpenHere = new Map();
  const run: Run = async (is, input, { stopping = never, onWritten = () => {} } = {}) => {
    const result = await (is === 'migrate' && migrate
      ? migrate(input as never, onWritten, stopping)
      : is === 'check' && check
        ? check()
        : doTask({ is, input }, opened, onWritten));
    stopping.throwIfAborted();
    return result as never;
  };
  const work = workBy(run, ({ id }) => opened.delete(id));
  return { ...work, open: open(work.open) };
}
