/** Stored transactions in which none of a set of scripts has a part. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { RecordsByType } from '../record/recordsByType.ts';

/**
 * The ids of transactions that neither pay to an own script (hex) nor spend what another stored one paid to it.
 * The rule is that of `ApplyMigrationData` in `wallet.cpp`, where a node gives up on the first such transaction.
 */
export function strayTransactions(records: RecordsByType, isOwn: (script: string) => boolean): string[] {
  const transactions = records.of('tx');
  const paid = new Map<string, ReadonlySet<number>>();
  for (const { txid, transaction } of transactions) {
    const own = transaction.outputs.flatMap(({ scriptPubKey }, index) =>
      isOwn(bytesToHex(scriptPubKey)) ? [index] : [],
    );
    if (own.length > 0) paid.set(txid, new Set(own));
  }
  return transactions
    .filter(({ txid }) => !paid.has(txid))
    .filter(({ transaction }) => !transaction.inputs.some(({ txid, index }) => paid.get(txid)?.has(index)))
    .map(({ txid }) => txid);
}
