/** Back and Forward visit pages, a reload keeps its page and its plans, and the browser asks before it closes running work. */
import { isSameNode } from '../../shared/model/node.ts';
import { go, nodeInUse, openFile, type Route, useApp } from '../state/appStore.ts';
import { bridge } from '../state/bridge/bridge.ts';
import { type KeptDraft, keptDraft } from '../state/draft.ts';
import { isRunning, useJobs } from '../state/jobsStore.ts';
import { isAtWork, usePlans } from '../state/plansStore.ts';

/** What the browser keeps with a page. Only this page writes it: each run of the app has an address of its own. */
interface Entry {
  readonly route: Route;
  /** The number of pages before it in this window. */
  readonly depth: number;
}

/** Call it once, before the first render. */
export function keepHistory(): void {
  const show = (entry: Entry | null) => {
    // A discarded batch cannot come back.
    const isGone = entry?.route.at === 'batch' && usePlans.getState().batch === 'none';
    if (entry) go(isGone ? { at: 'home' } : entry.route);
  };
  show(current());
  history.replaceState({ route: useApp.getState().route, depth: depth() }, '');
  window.addEventListener('popstate', () => show(current()));
  useApp.subscribe(({ route: now }, { route: before }) => {
    if (now !== before && !isSame(now)) history.pushState({ route: now, depth: depth() + 1 }, '');
  });
  window.addEventListener('beforeunload', (event) => {
    if (isWorking()) event.preventDefault();
  });
}

export function goBack(): void {
  if (depth() > 0) history.back();
  else go({ at: 'home' });
}

function current(): Entry | null {
  return history.state;
}

function depth(): number {
  return current()?.depth ?? 0;
}

function isSame(now: Route): boolean {
  return JSON.stringify(current()?.route) === JSON.stringify(now);
}

/** Makes a browser ask before it closes the page during a job. The desktop app asks by itself. */
function isWorking(): boolean {
  if (useApp.getState().info?.entry !== 'browser') return false;
  return isAtWork(usePlans.getState()) || useJobs.getState().jobs.some(isRunning);
}

/** Restores the plans from before a reload, and makes new ones for another node. */
export function keepPlans(): void {
  bridge.on('openFile', ({ path }) => openFile(path));
  const kept: KeptDraft[] = JSON.parse(sessionStorage.getItem(KEPT) ?? '[]');
  if (kept.length > 0) usePlans.getState().restore(kept);
  usePlans.subscribe(({ drafts }) => {
    const open = drafts.filter(({ standing }) => standing.state !== 'started');
    sessionStorage.setItem(KEPT, JSON.stringify(open.map(keptDraft)));
  });
  let before = nodeInUse();
  useApp.subscribe(() => {
    const now = nodeInUse();
    if (now !== null && (before === null || !isSameNode(before, now))) lookAtAll();
    before = now;
  });
}

const KEPT = 'plans';

/** Makes the plans of all waiting drafts again, because a warning may no longer be true after a reconnection. */
function lookAtAll(): void {
  const { drafts, batch, starting, lookAgain } = usePlans.getState();
  if (batch === 'running') return;
  for (const { key, waits } of drafts) if (key !== starting && waits === 'no') lookAgain(key);
}
