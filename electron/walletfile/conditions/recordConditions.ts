/** Conditions of both kinds of wallets: unreadable records and unknown flags. */
import type { Condition, ConditionCode } from '../../../shared/model/conditions.ts';
import type { Fault } from '../../../shared/model/findings/faults.ts';
import { listInFinding, shortText } from '../bytes/lists.ts';
import type { RecordsByType, RecordType } from '../records/records.ts';
import { flagsOf, hasUnknownMandatoryFlag } from '../records/walletFlags.ts';

/** A condition with the records that have it; none without records. */
export function conditionOf(code: ConditionCode, records: readonly (string | Fault)[]): Condition[] {
  const excerpt = (record: string | Fault) => (typeof record === 'string' ? shortText(record) : record);
  return records.length === 0 ? [] : [{ code, records: listInFinding(records, excerpt) }];
}

/**
 * Damage to these types never stops a release: no release reads them any more, a warning is all that follows, or they have a
 * condition of their own.
 */
const HARMLESS: ReadonlySet<RecordType> = new Set([
  'acc',
  'acentry',
  'settings',
  'setting',
  'minversion',
  'version',
  'orderposnext',
  'bestblock',
  'bestblock_nomerkle',
  'flags',
  'wtxvariant',
  'pool',
  'wkey',
  'key',
  'ckey',
  'defaultkey',
  'walletdescriptor',
  'walletdescriptorkey',
  'activeexternalspk',
  'activeinternalspk',
] as const);

export function recordConditions(records: RecordsByType): Condition[] {
  const unreadable = records
    .unread()
    .damaged.map(({ name }) => name)
    .filter((name) => !HARMLESS.has(name));
  const flags = flagsOf(records);
  return [
    ...conditionOf('record-unreadable', unreadable),
    ...conditionOf('flags-unknown', hasUnknownMandatoryFlag(flags) ? [`0x${flags.toString(16)}`] : []),
  ];
}
