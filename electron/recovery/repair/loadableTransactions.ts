/**
 * The transactions of a wallet without what Bitcoin Core refuses or ends over: notes that release 32 does not know, damaged
 * second forms, and rewards in a state that no reward has. Such a reward is told to be abandoned: a rescan finds its block.
 */
import {
  isConflictedReward,
  METADATA_NAMES,
  ORDER_NAMES,
  spentRewards,
  variantId,
} from '../../walletfile/conditions/transactionConditions.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { parseRecord, writeRecord } from '../../walletfile/records/records.ts';
import { recordsByType } from '../../walletfile/records/recordsByType.ts';
import { ABANDONED } from '../../walletfile/records/walletTransaction.ts';

/** All other records stay as they are. */
export function loadableTransactions(records: readonly RawRecord[]): RawRecord[] {
  const spent = new Set(spentRewards(recordsByType(records).of('tx')).map(({ txid }) => txid));
  return records.flatMap((record): RawRecord[] => {
    const parsed = parseRecord(record.key, record.value);
    if (parsed.type === 'wtxvariant') return variantId(parsed) === parsed.wtxid ? [record] : [];
    if (parsed.type !== 'tx') return [record];
    const mapValue = parsed.mapValue.filter(({ name }) => METADATA_NAMES.has(name));
    const orderForm = parsed.orderForm.filter(({ name }) => ORDER_NAMES.has(name));
    const isOdd = spent.has(parsed.txid) || isConflictedReward(parsed);
    const notes = mapValue.length + orderForm.length;
    if (!isOdd && notes === parsed.mapValue.length + parsed.orderForm.length) return [record];
    return [
      writeRecord({ ...parsed, mapValue, orderForm, ...(isOdd ? { blockHash: ABANDONED, index: -1 } : {}) }),
    ];
  });
}
