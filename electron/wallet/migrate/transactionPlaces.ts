/** Which of the new wallets each transaction and each locked coin of a legacy wallet belongs to. */
import type { WalletPart } from '../../../shared/migrationPreview.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import type { LegacyWallet, StoredTransaction } from '../legacy/legacyWallet.ts';

/** Solvable scripts were not watched, so that no stored transaction belongs to them alone. */
type PartWithHistory = Exclude<WalletPart, 'solvables'>;

export interface TransactionPlaces {
  records: Record<WalletPart, RawRecord[]>;
  /** Ids of transactions that belong to none of the wallets. */
  strays: string[];
}

/**
 * A transaction is a wallet's when it pays to one of its scripts, or spends what another stored one paid to it; it
 * can be both wallets'. Source: `ApplyMigrationData` in `wallet.cpp`. A locked coin goes with its script, and to
 * `main` where its transaction is not stored.
 */
export function transactionPlaces(
  { transactions, lockedCoins }: Pick<LegacyWallet, 'transactions' | 'lockedCoins'>,
  placeOf: (script: Uint8Array) => WalletPart | null,
  main: WalletPart,
): TransactionPlaces {
  const paid = new Map(
    transactions.map(({ txid, transaction }) => [txid, ownersOfOutputs(transaction, placeOf)]),
  );
  const ownerOf = (coin: { txid: string; index: number }) => paid.get(coin.txid)?.[coin.index] ?? null;
  const records: TransactionPlaces['records'] = { primary: [], watchonly: [], solvables: [] };
  const strays: string[] = [];
  for (const { txid, transaction, record } of transactions) {
    const owners = new Set([...(paid.get(txid) ?? []), ...transaction.inputs.map(ownerOf)]);
    owners.delete(null);
    if (owners.size === 0) strays.push(txid);
    for (const owner of owners) if (owner) records[owner].push(record);
  }
  for (const coin of lockedCoins) records[ownerOf(coin) ?? main].push(coin.record);
  return { records, strays };
}

function ownersOfOutputs(
  { outputs }: StoredTransaction['transaction'],
  placeOf: (script: Uint8Array) => WalletPart | null,
): (PartWithHistory | null)[] {
  return outputs.map(({ scriptPubKey }) => {
    const place = placeOf(scriptPubKey);
    return place === 'solvables' ? null : place;
  });
}
