/** The search of this computer for wallet files, which continues on other pages, and the progress of other searches. */
import { create } from 'zustand';
import type { EventValue } from '../../shared/contract.ts';
import type { AppErrorShape } from '../../shared/model/errors.ts';
import type { FileFacts, SearchPlace } from '../../shared/model/files.ts';
import type { Inspection } from '../../shared/model/inspection.ts';
import { attempt, cancelTask } from './asking.ts';
import { bridge } from './bridge.ts';

/** What the card of a found file shows. Thousands of whole inspections would not fit into memory. */
export type FoundContents = Pick<
  Inspection,
  'kind' | 'incomplete' | 'network' | 'coin' | 'encryption' | 'flags' | 'keys' | 'balance' | 'problems'
> & { readonly transactions: { readonly total: number } };

interface SearchState {
  /** `stopped`: by the user, before its end. */
  state: 'none' | 'running' | 'stopped' | 'done';
  /** The number of searches since the page was loaded. */
  searches: number;
  error: AppErrorShape | null;
  filesRead: number;
  folder: string;
  found: readonly FileFacts[];
  /** The contents of found files, by path, as they are read one after another; null for an unreadable one. */
  contents: ReadonlyMap<string, FoundContents | null>;
  /** The number of unreadable folders and files, and the first of them; known at the end. */
  unread: number;
  unreadable: readonly string[];
  /** Folders that the user added or dropped. */
  added: readonly string[];
  /** By path: whether the user ticked or unticked a place. */
  ticks: ReadonlyMap<string, boolean>;
  /** Whether all other places but the system's disk are ticked, such as a disk that is connected later. Not after a drop. */
  othersTicked: boolean;
}

const NO_RESULTS = {
  ...{ error: null, filesRead: 0, folder: '', unread: 0, unreadable: [] },
  found: [],
  contents: new Map(),
} as const;

export const useSearch = create<SearchState>()(() => ({
  state: 'none',
  searches: 0,
  added: [],
  ticks: new Map(),
  othersTicked: true,
  ...NO_RESULTS,
}));
const { getState: get, setState: set } = useSearch;

/** Lists this folder and ticks it. Other ticks stay. */
export function addFolder(folder: string): void {
  set(({ added, ticks }) => ({
    added: [...new Set([...added, folder])],
    ticks: new Map(ticks).set(folder, true),
  }));
}

/** Lists these folders and ticks only them. */
export function dropFolders(folders: readonly string[]): void {
  set(({ added }) => ({
    added: [...new Set([...added, ...folders])],
    ticks: new Map(folders.map((folder) => [folder, true])),
    othersTicked: false,
  }));
}

/** The paths of the ticked places among these. */
export function tickedOf(
  places: readonly SearchPlace[],
  { ticks, othersTicked }: Pick<SearchState, 'ticks' | 'othersTicked'>,
): string[] {
  return places
    .filter(({ path, kind }) => ticks.get(path) ?? (othersTicked && kind !== 'system'))
    .map(({ path }) => path);
}

/** Ticks those of the places that are in `ticked`, and unticks the others. */
export function setTicks(places: readonly string[], ticked: readonly string[]): void {
  set(({ ticks }) => ({
    ticks: new Map([...ticks, ...places.map((path) => [path, ticked.includes(path)] as const)]),
  }));
}

export async function startSearch(folders: readonly string[]): Promise<void> {
  if (get().state === 'running') return;
  const own = crypto.randomUUID();
  task = own;
  set(({ searches }) => ({ state: 'running', searches: searches + 1, ...NO_RESULTS }));
  const result = await attempt(() => bridge.call('files.search', { task: own, folders: [...folders] }));
  if (task !== own || get().state !== 'running') return;
  set(result.ok ? { state: 'done', ...result.value } : { state: 'stopped', error: result.error });
}

export function stopSearch(): void {
  if (get().state !== 'running') return;
  set({ state: 'stopped' });
  cancelTask(task);
}

let task = '';
let reading = false;

bridge.on('searched', (report) => {
  if (report.task !== task) return;
  // Count a last report that arrives after the answer.
  set(({ found }) => ({ found: [...found, ...report.found] }));
  if (get().state === 'running') set({ filesRead: report.filesRead, folder: report.folder });
  void readContents();
});

/** Reads one file after another, because each read loads a whole wallet. */
async function readContents(): Promise<void> {
  if (reading) return;
  reading = true;
  for (;;) {
    const { found, contents } = get();
    const next = found.find(({ path }) => !contents.has(path));
    if (next === undefined) break;
    const { path, kind } = next;
    const rescue = kind === 'other' ? { rescue: true } : {};
    const result = await attempt(() =>
      bridge.call('wallet.inspect', {
        source: { by: 'file', path },
        unlisted: true,
        isFirstLook: true,
        ...rescue,
      }),
    );
    const read = result.ok ? shownOf(result.value) : null;
    set((now) => ({ contents: new Map(now.contents).set(path, read) }));
  }
  reading = false;
}

function shownOf(inspection: Inspection): FoundContents {
  const { kind, incomplete, network, coin, encryption, flags, keys, balance, problems } = inspection;
  const transactions = { total: inspection.transactions.total };
  return { kind, incomplete, network, coin, encryption, flags, keys, balance, problems, transactions };
}

/** The latest progress of a passphrase or image search. The page stores nothing else of them: pieces are secret. */
export const useSearchProgress = create<{ latest: EventValue<'searchProgress'> | null }>()((set) => {
  bridge.on('searchProgress', (latest) => set({ latest }));
  return { latest: null };
});
