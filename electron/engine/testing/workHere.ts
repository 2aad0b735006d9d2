/** Runs the engine's tasks in the caller's thread, for tests. */
import { doTask, type OpenedWalletCache } from '../threads/threadTask.ts';
import { createWork, never, type OnWritten, type Run, type Tasks, type Work } from '../wallets/work.ts';

/** Replacements for tasks. */
export interface Replacements {
  readonly open?: (open: Work['open']) => Work['open'];
  readonly migrate?: (
    task: Tasks['migrate']['input'],
    onWritten: OnWritten,
    stopping: AbortSignal,
  ) => Promise<Tasks['migrate']['output']>;
  /** Whether all wallets count as too large for memory. */
  readonly onDisk?: boolean;
  /** For a `migrate` that does not make SQLite files. */
  readonly check?: (task: Tasks['check']['input']) => Promise<Tasks['check']['output']>;
}

/** A node keeps a thousand keys ready, which take seconds to derive. The tests of processes derive them. */
const KEYPOOL_SIZE = 20;

export function workHere({
  open = (usual) => usual,
  migrate,
  check,
  onDisk = false,
}: Replacements = {}): Work {
  const opened: OpenedWalletCache = new Map();
  const run: Run = async (kind, input, { stopping = never, onWritten = () => {} } = {}) => {
    const result = await (kind === 'migrate' && migrate
      ? migrate(input as never, onWritten, stopping)
      : kind === 'check' && check
        ? check(input as never)
        : doTask(
            { kind, input: kind === 'migrate' ? { ...input, keypoolSize: KEYPOOL_SIZE } : input },
            opened,
            onWritten,
          ));
    stopping.throwIfAborted();
    return (kind === 'read' && onDisk ? { ...Object(result), bytes: null } : result) as never;
  };
  const work = createWork(run, ({ id }) => opened.delete(id));
  return { ...work, open: open(work.open) };
}
