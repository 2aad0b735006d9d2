/** Parts of the page that come after its start. */
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { bridge } from './bridge.ts';

const loads: (() => Promise<unknown>)[] = [];

let isLost = false;
let goOn: (() => void)[] = [];
bridge.watch((reachable) => {
  isLost = !reachable;
  if (isLost) return;
  for (const go of goOn) go();
  goOn = [];
});

/**
 * A part that is loaded when it is first shown, or by `loadParts`. While the page has lost the app, it waits: whoever
 * has the app's port by then would have the page run other code.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> {
  let loading: Promise<{ default: ComponentType<P> }> | undefined;
  const loadOnce = () => {
    loading ??= notWhileLost().then(async () => ({ default: await load() }));
    return loading;
  };
  loads.push(loadOnce);
  return lazy(loadOnce);
}

/** Loads all parts, so that a page in a browser has all of its code before the app behind it may end. */
export async function loadParts(): Promise<void> {
  // One that cannot be loaded says so where it is shown.
  await Promise.allSettled(loads.map((load) => load()));
}

function notWhileLost(): Promise<void> {
  return isLost ? new Promise((resolve) => goOn.push(resolve)) : Promise.resolve();
}
