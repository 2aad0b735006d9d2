/** Long work in short turns, between which the event loop goes on. */
import { setImmediate } from 'node:timers/promises';

/** Gives each item to `work`, and lets the event loop go on after some milliseconds of it. */
export async function inTurns<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  let since = performance.now();
  for (const item of items) {
    work(item);
    if (performance.now() - since < TURN_MILLISECONDS) continue;
    await setImmediate();
    since = performance.now();
  }
}

const TURN_MILLISECONDS = 20;
