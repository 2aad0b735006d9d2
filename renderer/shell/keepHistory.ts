/** Back and Forward visit pages, a reload keeps its page and its plans, and the browser asks before it closes running work. */
import { isSameNode } from '../../shared/model/node.ts';
import { parseJson } from '../../shared/model/shapes.ts';
import { go, nodeInUse, openFile, type Route, useApp } from '../state/appStore.ts';
import { bridge } from '../state/bridge.ts';
import { isKeptDraft, keptDraft } from '../state/draft.ts';
import { isRunning, useJobs } from '../state/jobsStore.ts';
import { isAtWork, plans, usePlans } from '../state/plansStore.ts';

/** An entry of the browser's history. `depth`: the number of pages before it in this window. */
interface Entry {
  route: Route;
  depth: number;
}

/** Null for an entry of another page on the same port. */
function entryOf(state: Partial<Entry> | null): Entry | null {
  const { route, depth } = state ?? {};
  const isKnown =
    route !== undefined && ROUTES.includes(route?.at) && (route.at !== 'wallet' || route.source?.by);
  return isKnown ? { route, depth: Number.isInteger(depth) ? Number(depth) : 0 } : null;
}

const ROUTES: readonly unknown[] = [
  'home',
  'wallet',
  'wallets',
  'batch',
  'connect',
  'history',
  'settings',
] satisfies Route['at'][];

/** Call it once, before the first render. */
export function keepHistory(): void {
  const show = (state: Partial<Entry> | null) => {
    const entry = entryOf(state);
    // A discarded batch cannot come back.
    const isGone = entry?.route.at === 'batch' && usePlans.getState().batch === 'none';
    if (entry) go(isGone ? { at: 'home' } : entry.route);
  };
  show(history.state);
  history.replaceState({ route: useApp.getState().route, depth: depth() }, '');
  window.addEventListener('popstate', ({ state }) => show(state));
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

function depth(): number {
  return entryOf(history.state)?.depth ?? 0;
}

function isSame(now: Route): boolean {
  return JSON.stringify(entryOf(history.state)?.route) === JSON.stringify(now);
}

/** Makes a browser ask before it closes the page during a job. The desktop app asks by itself. */
function isWorking(): boolean {
  if (useApp.getState().info?.entry !== 'browser') return false;
  return isAtWork(usePlans.getState()) || useJobs.getState().jobs.some(isRunning);
}

/** Restores the plans from before a reload, and makes new ones for another node. */
export function keepPlans(): void {
  bridge.on('openFile', ({ path }) => openFile(path));
  const kept = parseJson(sessionStorage.getItem(KEPT) ?? '');
  if (Array.isArray(kept) && kept.length > 0) plans.restore(kept.filter(isKeptDraft));
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
  const { drafts, batch, starting } = usePlans.getState();
  if (batch === 'running') return;
  for (const { key, waits } of drafts) if (key !== starting && waits === 'no') plans.lookAgain(key);
}
