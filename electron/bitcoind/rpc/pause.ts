import { setTimeout as wait } from 'node:timers/promises';

/** Waits, unless a signal ends the waiting first; it resolves either way. Does not keep the process alive. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return wait(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
}
