import { setTimeout as wait } from 'node:timers/promises';

/** Waits until the time is over or the signal aborts; resolves either way. Does not keep the process alive. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return wait(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
}
