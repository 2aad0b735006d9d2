/** How the program ends; `--help` tells them. */
import type { Crossing } from '../../../shared/crossing.ts';

export const EXIT = { done: 0, failed: 1, usage: 2, unknown: 3, stopped: 4, interrupted: 130 } as const;

/** Of a crossing as it stands. */
export function exitCodeOf({ state, proof }: Pick<Crossing, 'state' | 'proof'>): number {
  if (state === 'done') return proof?.verdict === 'different' ? EXIT.failed : EXIT.done;
  return state === 'failed' ? EXIT.failed : EXIT.unknown;
}
