/** Conditions that wallets of both kinds can meet: records that cannot be read, flags, transactions. */
import type { Condition, ConditionCode } from '../../../shared/conditions.ts';
import { MOST_SATOSHI } from '../../../shared/money.ts';
import { listed, shownText } from '../bytes/shown.ts';
import type { RecordType } from '../record/records.ts';
import type { Of, RecordsByType } from '../record/recordsByType.ts';
import { flagsOf, hasUnknownMandatoryFlag } from '../record/walletFlags.ts';
import { transactionId } from '../script/transaction.ts';

/** None where there is no record. */
export function found(code: ConditionCode, records: readonly string[]): Condition[] {
  return records.length === 0 ? [] : [{ code, records: listed(records, shownText) }];
}

/**
 * Types whose damage no release minds: those that are not read any more, that only a warning follows, or that have a
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

/** `damaged`: ids of stored transactions that are not what their records say, or pay what cannot be. */
export function recordConditions(records: RecordsByType): Condition[] {
  const unreadable = records
    .unread()
    .damaged.map(({ name }) => name)
    .filter((name) => !HARMLESS.has(name));
  const flags = flagsOf(records);
  const transactions = records.of('tx');
  const misnamed = transactions.filter((record) => transactionId(record.transaction) !== record.txid);
  const untrue = transactions.filter((record) => !misnamed.includes(record) && !canBePaid(record));
  return [
    ...found('record-unreadable', unreadable),
    ...found('flags-unknown', hasUnknownMandatoryFlag(flags) ? [`0x${flags.toString(16)}`] : []),
    ...found('transaction-id', idsOf(misnamed)),
    ...found('transaction-amount', idsOf(untrue)),
  ];
}

function idsOf(records: readonly Of<'tx'>[]): string[] {
  return records.map(({ txid }) => txid);
}

/** By the rule of `MoneyRange`, as `GetDebit` sums them up. */
function canBePaid({ transaction: { outputs } }: Of<'tx'>): boolean {
  let paid = 0n;
  for (const { value } of outputs) {
    if (value < 0n) return false;
    paid += value;
  }
  return paid <= MOST_SATOSHI;
}
