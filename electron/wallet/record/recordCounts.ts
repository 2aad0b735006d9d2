/** A wallet file's records, counted by type. */
import type { RecordCounts } from '../../../shared/inspection.ts';
import type { Listed } from '../../../shared/shapes.ts';
import { say } from '../../../shared/text/say.ts';
import { listed } from '../bytes/listed.ts';
import type { ParsedRecords } from './parseRecords.ts';

export function recordCounts({ records, unknown, damaged }: ParsedRecords): RecordCounts {
  return {
    total: records.length + unknown.length + damaged.length,
    byType: Object.fromEntries(counted(records.map(({ type }) => type))),
    unknown: mostFirst(unknown.map(({ name }) => printable(name))),
    damaged: mostFirst(damaged.map(({ name }) => name)),
  };
}

function counted(types: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

function mostFirst(types: readonly string[]): Listed<{ type: string; count: number }> {
  const counts = [...counted(types)].sort(([, a], [, b]) => b - a);
  return listed(counts, ([type, count]) => ({ type, count }));
}

/** Names come from the file: what is no plain word could be anything, a key too. */
function printable(name: string): string {
  return /^[a-z0-9_]{1,30}$/i.test(name) ? name : say('without a readable name');
}
