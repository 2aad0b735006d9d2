/** A wallet file's records, counted by type. */
import type { RecordCounts } from '../../../shared/inspection.ts';
import type { Listed } from '../../../shared/shapes.ts';
import { say } from '../../../shared/text/say.ts';
import { listed } from '../bytes/listed.ts';
import { isRecordType } from './records.ts';
import type { RecordsByType } from './recordsByType.ts';

export function recordCounts(records: RecordsByType): RecordCounts {
  const { unknown, damaged } = records.unread();
  const known = records.types
    .filter(isRecordType)
    .map((type): [string, number] => [type, records.of(type).length])
    .filter(([, count]) => count > 0);
  return {
    total: known.reduce((sum, [, count]) => sum + count, unknown.length + damaged.length),
    byType: Object.fromEntries(known),
    unknown: mostFirst(unknown.map(({ name }) => printable(name))),
    damaged: mostFirst(damaged.map(({ name }) => name)),
  };
}

function mostFirst(types: readonly string[]): Listed<{ type: string; count: number }> {
  const counts = new Map<string, number>();
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return listed(sorted, ([type, count]) => ({ type, count }));
}

/** Names come from the file: what is no plain word could be anything, a key too. */
function printable(name: string): string {
  return /^[a-z0-9_]{1,30}$/i.test(name) ? name : say('without a readable name');
}
