/** Words for a rescan: the estimate and its result. */
import type { JobResult } from '../model/job.ts';
import type { NodeStatus } from '../model/node.ts';
import { formatTime } from './format/formatTime.ts';
import { say } from './say.ts';

/** `Estimate: 2 min to 14 min.` A guess by the number of blocks, and called one. `filtered`: with block filters. */
export function rescanEstimate(blocks: number, filtered: boolean): string {
  const { least, most } = filtered ? FILTERED_PER_SECOND : READ_PER_SECOND;
  return say('Estimate: {least} to {most}.', {
    least: duration(blocks / most),
    most: duration(blocks / least),
  });
}

/** The same for all blocks that the node has. */
export function wholeRescanEstimate(
  node: Pick<NodeStatus, 'blocks' | 'pruneHeight' | 'blockFilters'>,
): string {
  return rescanEstimate(node.blocks - (node.pruneHeight ?? 0), node.blockFilters === 'on');
}

/** Blocks in a second: of full blocks read from a disk, and of their filters. */
const READ_PER_SECOND = { least: 15, most: 100 };
const FILTERED_PER_SECOND = { least: 500, most: 5000 };

function duration(seconds: number): string {
  if (seconds < 90) return say('{seconds} s', { seconds: Math.max(1, Math.round(seconds)) });
  if (seconds < 90 * 60) return say('{minutes} min', { minutes: Math.round(seconds / 60) });
  return say('{hours, number} h', { hours: Math.round(seconds / 3600) });
}

type Rescanned = Extract<JobResult, { kind: 'rescan' }>;

/** `Blocks 0 to 812,345`. */
export function blocksLookedAt({ from, to }: Pick<Rescanned, 'from' | 'to'>): string {
  return to === null
    ? say('Blocks from {from, number} on', { from })
    : say('Blocks {from, number} to {to, number}', { from, to });
}

/** How many transactions a rescan found that the wallet did not have; null where that is not known. */
export function newTransactions({ before, after }: Pick<Rescanned, 'before' | 'after'>): number | null {
  return before === null || after === null ? null : Math.max(0, after.transactions - before.transactions);
}

export const NONE_FOUND = say('No payments found.');

/** `since`: Unix seconds, from when on the node looked. */
export function notLookedFor(since: number): string {
  return say('Payments before {date} were not searched.', { date: formatTime(since) });
}
