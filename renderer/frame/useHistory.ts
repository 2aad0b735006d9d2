/** Back and Forward of the browser go through the places of the app, and a reload stays where it was. */
import { useEffect } from 'react';
import { z } from 'zod';
import { type Place, place, useApp } from '../state/appStore.ts';
import { usePlans } from '../state/plansStore.ts';

const entry = z.object({ place });

export function useHistory(): void {
  useEffect(() => {
    const kept = entry.safeParse(history.state);
    if (kept.success) show(kept.data.place);
    history.replaceState({ place: useApp.getState().place }, '');
    const back = (event: PopStateEvent) => {
      const { data } = entry.safeParse(event.state);
      if (data) show(data.place);
    };
    window.addEventListener('popstate', back);
    const stop = useApp.subscribe(({ place: now }, { place: before }) => {
      if (now === before || isSame(now)) return;
      history.pushState({ place: now }, '');
    });
    return () => {
      window.removeEventListener('popstate', back);
      stop();
    };
  }, []);
}

function isSame(now: Place): boolean {
  return JSON.stringify(entry.safeParse(history.state).data?.place) === JSON.stringify(now);
}

/** A plan that was left for good is not gone back to. */
function show(next: Place): void {
  const isGone = next.at === 'check' && usePlans.getState().drafts.length === 0;
  useApp.getState().go(isGone ? { at: 'start' } : next);
}
