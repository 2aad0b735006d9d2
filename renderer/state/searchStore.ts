/** Searches that take long: of this computer for wallet files, which goes on while another page is shown, and how far any other is. */

import { create } from 'zustand';
import type { EventValue } from '../../shared/contract.ts';
import type { AppErrorShape } from '../../shared/model/errors.ts';
import type { FileFacts } from '../../shared/model/files.ts';
import type { Inspection } from '../../shared/model/inspection.ts';
import { bridge } from './bridge/bridge.ts';
import { attempt, cancelTask } from './tasks.ts';

interface SearchState {
  /** `stopped`: by the user, before its end. */
  state: 'none' | 'running' | 'stopped' | 'done';
  error: AppErrorShape | null;
  looked: number;
  folder: string;
  found: readonly FileFacts[];
  /** The contents of found files, by path, as they are read one after another; null for an unreadable one. */
  contents: ReadonlyMap<string, Inspection | null>;
  /** Folders and files that the system did not let be read; known at the end. */
  unread: number;
  start(folders: readonly string[]): Promise<void>;
  stop(): void;
}

const nothing = { error: null, looked: 0, folder: '', found: [], contents: new Map(), unread: 0 } as const;

export const useSearch = create<SearchState>()((set, get) => {
  let task = '';
  let reading = false;

  bridge.on('searched', (report) => {
    if (report.task !== task) return;
    // The answer may overtake the last report, which counts all the same.
    set(({ found }) => ({ found: [...found, ...report.found] }));
    if (get().state === 'running') set({ looked: report.looked, folder: report.folder });
    void readContents();
  });

  /** One file after another: a whole wallet is read for each. */
  async function readContents(): Promise<void> {
    if (reading) return;
    reading = true;
    for (;;) {
      const { found, contents } = get();
      const next = found.slice(0, MOST_READ).find(({ path }) => !contents.has(path));
      if (next === undefined) break;
      const { path } = next;
      const result = await attempt(() => bridge.call('wallet.inspect', { source: { by: 'file', path } }));
      set((now) => ({ contents: new Map(now.contents).set(path, result.ok ? result.value : null) }));
    }
    reading = false;
  }

  return {
    state: 'none',
    ...nothing,

    async start(folders) {
      if (get().state === 'running') return;
      const own = crypto.randomUUID();
      task = own;
      set({ state: 'running', ...nothing });
      const result = await attempt(() => bridge.call('files.search', { task: own, folders: [...folders] }));
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

/** Of further hits only the name is shown. */
const MOST_READ = 50;

interface Told {
  latest: EventValue<'searchProgress'> | null;
}

/** How far a search for a passphrase, or of a disk image, is: the last that was told. What is searched, the page keeps nowhere. */
export const useSearchProgress = create<Told>()((set) => {
  bridge.on('searchProgress', (latest) => set({ latest }));
  return { latest: null };
});
