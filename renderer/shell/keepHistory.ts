/** Back and Forward of the browser go through the places, a reload stays where it was, and a close is asked about. */
import { z } from 'zod';
import { go, type Place, place, useApp } from '../state/appStore.ts';
import { isRunning, useJobs } from '../state/jobsStore.ts';
import { isAtWork, usePlans } from '../state/plansStore.ts';

const entry = z.object({ place });

/** Called once, before the page is drawn. */
export function keepHistory(): void {
  const show = (state: unknown) => {
    const { data } = entry.safeParse(state);
    // A plan that was left for good is not gone back to.
    const isGone = data?.place.at === 'check' && usePlans.getState().drafts.length === 0;
    if (data) go(isGone ? { at: 'start' } : data.place);
  };
  show(history.state);
  history.replaceState({ place: useApp.getState().place }, '');
  window.addEventListener('popstate', ({ state }) => show(state));
  useApp.subscribe(({ place: now }, { place: before }) => {
    if (now !== before && !isSame(now)) history.pushState({ place: now }, '');
  });
  window.addEventListener('beforeunload', (event) => {
    if (isWorking()) event.preventDefault();
  });
}

function isSame(now: Place): boolean {
  return JSON.stringify(entry.safeParse(history.state).data?.place) === JSON.stringify(now);
}

/** A browser asks before it closes the page while something runs; the desktop entry asks by itself. */
function isWorking(): boolean {
  if (useApp.getState().info?.entry !== 'browser') return false;
  return isAtWork(usePlans.getState()) || useJobs.getState().jobs.some(isRunning);
}
