/** Which of the wallets of a migration each transaction and each coin belongs to. */
import type { WalletPart } from '../../../shared/migrationPreview.ts';
import type { Of } from '../record/recordsByType.ts';

/** Solvable scripts were not watched, so that no stored transaction belongs to them alone. */
type PartWithHistory = Exclude<WalletPart, 'solvables'>;

export interface TransactionPlaces {
  /** By id. A transaction can be both wallets'. */
  partsOf(txid: string): ReadonlySet<PartWithHistory>;
  /** Null where its transaction is not stored, or it is no wallet's. */
  ownerOf(coin: { txid: string; index: number }): PartWithHistory | null;
  /** Ids of transactions that belong to none of the wallets: a node gives up on the first such transaction. */
  strays: string[];
}

/**
 * A transaction is a wallet's when it pays to one of its scripts, or spends what another stored one paid to it. Source:
 * `ApplyMigrationData` in `wallet.cpp`.
 */
export function transactionPlaces(
  transactions: readonly Pick<Of<'tx'>, 'txid' | 'transaction'>[],
  placeOf: (script: Uint8Array) => WalletPart | null,
): TransactionPlaces {
  const paid = new Map(
    transactions.map(({ txid, transaction }) => [
      txid,
      transaction.outputs.map(({ scriptPubKey }) => {
        const place = placeOf(scriptPubKey);
        return place === 'solvables' ? null : place;
      }),
    ]),
  );
  const ownerOf = (coin: { txid: string; index: number }) => paid.get(coin.txid)?.[coin.index] ?? null;
  const parts = new Map(
    transactions.map(({ txid, transaction }) => {
      const owners = [...(paid.get(txid) ?? []), ...transaction.inputs.map(ownerOf)];
      return [txid, new Set(owners.filter((owner) => owner !== null))];
    }),
  );
  const partsOf = (txid: string) => parts.get(txid) ?? new Set();
  const strays = transactions.filter(({ txid }) => partsOf(txid).size === 0).map(({ txid }) => txid);
  return { partsOf, ownerOf, strays };
}
