/** Conditions of both kinds of wallets: unreadable records, unknown flags, and transactions with their metadata and blocks. */
import type { Condition, ConditionCode } from '../../../shared/model/conditions.ts';
import type { Fault } from '../../../shared/model/findings/faults.ts';
import { listInFinding, shortText } from '../bytes/lists.ts';
import { orNull } from '../bytes/once.ts';
import { ByteReader } from '../bytes/serialization.ts';
import type { Of, RecordsByType, RecordType } from '../records/records.ts';
import { flagsOf, hasUnknownMandatoryFlag } from '../records/walletFlags.ts';
import { stateOf } from '../records/walletTransaction.ts';
import {
  hasPossibleAmounts,
  isCoinbase,
  transaction,
  transactionId,
  witnessTransactionId,
} from '../script/transaction.ts';

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

type Stored = Of<'tx'>;

/** Conditions of a wallet's transactions: their bytes, metadata and blocks. */
export function transactionConditions(records: RecordsByType): Condition[] {
  const stored = records.of('tx');
  const wrongId = stored.filter((record) => transactionId(record.transaction) !== record.txid);
  const wrongAmount = stored.filter(
    (record) => !wrongId.includes(record) && !hasPossibleAmounts(record.transaction),
  );
  return [
    ...conditionOf('transaction-id', idsOf(wrongId)),
    ...conditionOf('transaction-amount', idsOf(wrongAmount)),
    ...conditionOf('transaction-notes', idsOf(stored.filter(hasUnknownMetadata))),
    ...conditionOf('transaction-variant', damagedVariants(records)),
    ...conditionOf('reward-conflicted', idsOf(stored.filter(isConflictedReward))),
    ...conditionOf('reward-spent', idsOf(spentRewards(stored))),
  ];
}

function idsOf(records: readonly Stored[]): string[] {
  return records.map(({ txid }) => txid);
}

/** Release 32 throws on metadata names that it does not know (`CWalletTx::Unserialize`). */
export const METADATA_NAMES: ReadonlySet<string> = new Set([
  'comment',
  'from',
  'fromaccount',
  'message',
  'n',
  'replaced_by_txid',
  'replaces_txid',
  'spent',
  'timesmart',
  'to',
]);
export const ORDER_NAMES: ReadonlySet<string> = new Set(['Message', 'PaymentRequest']);

function hasUnknownMetadata({ mapValue, orderForm }: Stored): boolean {
  return (
    mapValue.some(({ name }) => !METADATA_NAMES.has(name)) ||
    orderForm.some(({ name }) => !ORDER_NAMES.has(name))
  );
}

/** Damaged variants of stored transactions: a node reads no others. */
function damagedVariants(records: RecordsByType): string[] {
  const variants = records.of('wtxvariant');
  if (variants.length === 0) return [];
  const ids = new Set(idsOf(records.of('tx')));
  const known = new Set<string>();
  return variants
    .filter((variant) => {
      if (!ids.has(variant.txid)) return false;
      const id = variantId(variant);
      const isRight = id !== null && !known.has(id);
      if (id !== null) known.add(id);
      return !isRight;
    })
    .map(({ txid }) => txid);
}

/** The id that covers its witnesses; null if its bytes are not a form of the transaction. */
export function variantId({ txid, transaction: bytes }: Of<'wtxvariant'>): string | null {
  const read = orNull(() => transaction.read(new ByteReader(bytes), {}));
  return read !== null && transactionId(read) === txid ? witnessTransactionId(read) : null;
}

/** `GetTxBlocksToMaturity` asserts that a reward is never marked as conflicted. */
export function isConflictedReward(record: Stored): boolean {
  return isCoinbase(record.transaction) && stateOf(record).state === 'conflicted';
}

/**
 * Rewards outside a block whose spend is in one: `AbandonTransaction` asserts that none exists. Rewards recorded as abandoned
 * do not count.
 */
export function spentRewards(stored: readonly Stored[]): Stored[] {
  const rewards = stored.filter(
    (record) => isCoinbase(record.transaction) && stateOf(record).state === 'inactive',
  );
  if (rewards.length === 0) return [];
  const spends = new Map<string, Stored[]>();
  for (const record of stored)
    for (const { txid } of record.transaction.inputs) spends.set(txid, [...(spends.get(txid) ?? []), record]);
  return rewards.filter((reward) => {
    const chain = new Set([reward.txid]);
    for (const txid of chain)
      for (const spend of spends.get(txid) ?? []) {
        const { state } = stateOf(spend);
        if (state === 'confirmed') return true;
        if (state === 'inactive') chain.add(spend.txid);
      }
    return false;
  });
}
