/** Words for a rescan: the estimate and its result. */
import type { JobResult } from '../model/job.ts';
import type { NodeStatus } from '../model/node.ts';
import { formatTime } from './format/formatTime.ts';
import { say } from './say.ts';

/** `Estimate: 2 min to 14 min.` Computed from the number of blocks. `filtered`: with block filters. */
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

/** Blocks a second: full blocks from a disk, and block filters. */
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
    ? say('From block {block, number} on', { block: from })
    : say('Blocks {from, number} to {to, number}', { from, to });
}

/** The number of transactions that a rescan added; null if unknown. */
export function newTransactions({ before, after }: Pick<Rescanned, 'before' | 'after'>): number | null {
  return before === null || after === null ? null : Math.max(0, after.transactions - before.transactions);
}

export const NONE_FOUND = say('No payments found.');

/** `since`: Unix seconds; the node searched payments from then on. */
export function notLookedFor(since: number): string {
  return say('Not searched: payments before {date}.', { date: formatTime(since) });
}
