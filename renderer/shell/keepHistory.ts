/** Back and Forward visit pages, a reload keeps its page and its plans, and the browser asks before it closes running work. */
import { isSameNode } from '../../shared/model/node.ts';
import { go, nodeInUse, openFile, type Route, useApp } from '../state/appStore.ts';
import { hasQueued, useBackups } from '../state/backupsStore.ts';
import { bridge } from '../state/bridge.ts';
import { type Draft, isAtWork, type KeptDraft, requestOf, useDrafts } from '../state/draftsStore.ts';
import { isRunning, useJobs } from '../state/jobsStore.ts';
import { plans } from '../state/plansStore.ts';

/** Differs in each build of the page, which may have other routes and requests. */
const BUILD = import.meta.url;

interface Entry {
  build: string;
  route: Route;
  /** The number of pages before it in this window. */
  depth: number;
}

/** Call it once, before the first render. */
export function keepHistory(): void {
  const show = () => {
    const entry = currentEntry();
    // A discarded batch cannot come back.
    const isGone = entry?.route.at === 'batch' && useDrafts.getState().batch === 'none';
    if (entry) go(isGone ? { at: 'home' } : entry.route);
  };
  const entryOf = (route: Route, depth: number): Entry => ({ build: BUILD, route, depth });
  show();
  history.replaceState(entryOf(useApp.getState().route, depth()), '');
  window.addEventListener('popstate', show);
  useApp.subscribe(({ route: now }, { route: before }) => {
    if (now !== before && !isSame(now)) history.pushState(entryOf(now, depth() + 1), '');
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
  return currentEntry()?.depth ?? 0;
}

function isSame(now: Route): boolean {
  return JSON.stringify(currentEntry()?.route) === JSON.stringify(now);
}

/** Null if there is none, or another build wrote it. */
function currentEntry(): Entry | null {
  const entry: Entry | null = history.state;
  return entry?.build === BUILD ? entry : null;
}

/** Makes a browser ask before it closes the page during a job. The desktop app asks by itself. */
function isWorking(): boolean {
  if (useApp.getState().info?.entry !== 'browser') return false;
  return (
    isAtWork(useDrafts.getState()) ||
    hasQueued(useBackups.getState()) ||
    useJobs.getState().jobs.some(isRunning)
  );
}

/** Restores the plans from before a reload, and makes new ones for another node. */
export function keepPlans(): void {
  bridge.on('openFile', ({ path }) => openFile(path));
  const kept: KeptDraft[] = JSON.parse(sessionStorage.getItem(KEPT) ?? '[]');
  if (kept.length > 0) plans.restore(kept);
  useDrafts.subscribe(({ drafts }) => {
    // A file's page suggests its plan again. With many open files, so many plans at once would hold up the page.
    const open = drafts.filter(
      ({ runState, chosen, answers }) =>
        runState.state !== 'started' && (chosen || Object.keys(answers).length > 0),
    );
    sessionStorage.setItem(KEPT, JSON.stringify(open.map(keptDraft)));
  });
  let before = nodeInUse();
  useApp.subscribe(() => {
    const now = nodeInUse();
    if (now !== null && (before === null || !isSameNode(before, now))) lookAtAll();
    before = now;
  });
}

const KEPT = `plans of ${BUILD}`;

function keptDraft(draft: Draft): KeptDraft {
  return { ...requestOf(draft), batch: draft.batch, chosen: draft.chosen };
}

/** Makes the plans of all waiting drafts again, because a warning may no longer be true after a reconnection. */
function lookAtAll(): void {
  const { drafts, batch, starting } = useDrafts.getState();
  if (batch === 'running') return;
  for (const { key, waits } of drafts) if (key !== starting && waits === 'no') plans.planAgain(key);
}
