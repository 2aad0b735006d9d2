/** The search of this computer for wallet files. It goes on while another place is looked at. */
import { create } from 'zustand';
import type { AppErrorShape } from '../../shared/model/errors.ts';
import type { FileFacts } from '../../shared/model/files.ts';
import { attempt } from './attempt.ts';
import { bridge } from './bridge/bridge.ts';
import { cancelTask } from './tasks.ts';

interface SearchState {
  /** `stopped`: by the user, before its end. */
  state: 'none' | 'running' | 'stopped' | 'done';
  error: AppErrorShape | null;
  /** Files looked at so far. */
  looked: number;
  /** Where it is. */
  folder: string;
  found: readonly FileFacts[];
  /** Folders and files that the system did not let be read; known at the end. */
  unread: number;
  start(): Promise<void>;
  stop(): void;
}

const nothing = { error: null, looked: 0, folder: '', found: [], unread: 0 } as const;

export const useSearch = create<SearchState>()((set, get) => {
  let task = '';
  bridge.on('searched', (told) => {
    if (told.task !== task) return;
    // The answer may overtake what was told last: it is found all the same.
    set(({ found }) => ({ found: [...found, ...told.found] }));
    if (get().state === 'running') set({ looked: told.looked, folder: told.folder });
  });
  return {
    state: 'none',
    ...nothing,

    async start() {
      if (get().state === 'running') return;
      const own = crypto.randomUUID();
      task = own;
      set({ state: 'running', ...nothing });
      const result = await attempt(() => bridge.call('files.search', { task: own }));
      if (task !== own || get().state !== 'running') return;
      set(
        result.ok
          ? { state: 'done', looked: result.value.looked, unread: result.value.unread }
          : { state: 'stopped', error: result.error },
      );
    },

    stop() {
      if (get().state !== 'running') return;
      set({ state: 'stopped' });
      cancelTask(task);
    },
  };
});
