/** Back and Forward visit pages, a reload keeps its page and its plans, and the browser asks before it closes running work. */
import { z } from 'zod/mini';
import { isSameNode } from '../../shared/model/node.ts';
import { parseJson } from '../../shared/model/shapes.ts';
import { go, nodeInUse, openFile, type Route, route, useApp } from '../state/appStore.ts';
import { hasQueued, useBackups } from '../state/backupsStore.ts';
import { bridge } from '../state/bridge.ts';
import { isBatchRunning, keptDraft, useDrafts } from '../state/draftsStore.ts';
import { isRunning, useJobs } from '../state/jobsStore.ts';
import { plans } from '../state/plansStore.ts';

/** `depth`: the number of pages before it in this window. */
const entry = z.object({ route, depth: z.catch(z.int().check(z.nonnegative()), 0) });

/** Call it once, before the first render. */
export function keepHistory(): void {
  const show = (state: unknown) => {
    const { data } = entry.safeParse(state);
    // A discarded batch cannot come back.
    const isGone = data?.route.at === 'batch' && useDrafts.getState().batch === 'none';
    if (data) go(isGone ? { at: 'home' } : data.route);
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
  return entry.safeParse(history.state).data?.depth ?? 0;
}

function isSame(now: Route): boolean {
  return JSON.stringify(entry.safeParse(history.state).data?.route) === JSON.stringify(now);
}

/** Makes a browser ask before it closes the page during a job. The desktop app asks by itself. */
function isWorking(): boolean {
  if (useApp.getState().info?.entry !== 'browser') return false;
  return (
    isBatchRunning(useDrafts.getState()) ||
    hasQueued(useBackups.getState()) ||
    useJobs.getState().jobs.some(isRunning)
  );
}

/** Restores the plans from before a reload, and makes new ones for another node. */
export function keepPlans(): void {
  bridge.on('openFile', ({ path }) => openFile(path));
  const kept = z.array(keptDraft).safeParse(parseJson(sessionStorage.getItem(KEPT) ?? '[]'));
  if (kept.success && kept.data.length > 0) plans.restore(kept.data);
  useDrafts.subscribe(({ drafts }) => {
    // A file's page suggests its plan again. With many open files, so many plans at once would hold up the page. A job that is being
    // started may be running after the reload.
    const open = drafts.filter(
      ({ runState, chosen, answers, connectionBefore }) =>
        !['starting', 'started'].includes(runState.state) &&
        (chosen || connectionBefore !== null || Object.keys(answers).length > 0),
    );
    sessionStorage.setItem(KEPT, JSON.stringify(open.map((one) => keptDraft.parse(one))));
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
  const { drafts, batch, starting } = useDrafts.getState();
  if (batch === 'running') return;
  for (const { key, waits } of drafts) if (!starting.includes(key) && waits === 'no') plans.planAgain(key);
}
