/** Asks how far a rescan is, where the node's log cannot be read. */
import { setTimeout as pause } from 'node:timers/promises';
import { walletInfo } from '../../node/calls/walletCalls.ts';
import type { Continuation } from '../plan/course.ts';
import type { RunContext } from './runContext.ts';

/** The share of the rescan, on nodes that tell it while the call runs, until `ended`. Never throws. */
export async function askForScanning(
  { wallet }: Continuation,
  context: RunContext,
  ended: AbortSignal,
): Promise<void> {
  const { watch, session, signal, askEveryMs } = context;
  const stop = AbortSignal.any([signal, ended]);
  while (!stop.aborted) {
    try {
      await pause(askEveryMs, undefined, { signal: stop, ref: false });
      const { scanning } = await walletInfo(session().client, wallet, stop);
      if (scanning !== null && !stop.aborted) watch.sawScanning(scanning.progress);
    } catch {
      // Not loaded yet, or no answer: the next turn may tell.
    }
  }
}
