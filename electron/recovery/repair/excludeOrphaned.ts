/** Excludes transactions and addresses that fit none of the migrated wallets. Bitcoin Core would abort the migration over them. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Network } from '../../../shared/model/network.ts';
import type { ExcludedRecords } from '../../../shared/model/safety.ts';
import { bytesOf, byteText, textOfBytes } from '../../walletfile/bytes/byteText.ts';
import { encode } from '../../walletfile/bytes/serialization.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { legacyWallet } from '../../walletfile/legacy/legacyWallet.ts';
import { planMigration, transactionPlaces } from '../../walletfile/legacy/migrationPlan.ts';
import { assignAddresses, isGivenOut, keptRecords } from '../../walletfile/migrate/migratedRecords.ts';
import { readAddress } from '../../walletfile/records/addressBook.ts';
import { recordsByType } from '../../walletfile/records/recordsByType.ts';
import { scriptIfAddress } from '../../walletfile/script/address.ts';
import { transaction } from '../../walletfile/script/transaction.ts';

export const NOTHING_EXCLUDED: ExcludedRecords = { transactions: [], addresses: [] };

/** Excludes nothing from a wallet without keys and scripts, or without a network. */
export function excludeOrphaned(
  records: RawRecord[],
  network: Network | undefined,
): { records: RawRecord[]; excluded: ExcludedRecords } {
  const byType = recordsByType(records);
  const wallet = legacyWallet(byType);
  if (!network || !wallet.isLegacy) return { records, excluded: NOTHING_EXCLUDED };
  const kept = keptRecords(byType);
  const plan = planMigration(wallet, network);
  const stored = kept.transactions.map(({ record }) => record);
  const unownedIds = new Set(transactionPlaces(stored, plan.placeOf).unowned);
  // No descriptor can express such a script, so the node finds no new wallet for its address.
  const odd = new Set(plan.unreadable().map(byteText));
  const oddAddresses = kept.purposes.filter(isGivenOut).flatMap((entry) => {
    const address = byteText(readAddress(entry));
    const script = scriptIfAddress(address, network);
    return script && odd.has(byteText(script)) ? [address] : [];
  });
  const unownedAddresses = new Set([
    ...assignAddresses(kept, wallet, plan, network).unowned,
    ...oddAddresses,
  ]);
  const unreadable = new Set(
    kept.purposes
      .filter(isGivenOut)
      .map((entry) => byteText(readAddress(entry)))
      .filter((address) => scriptIfAddress(address, network) === null),
  );
  const left = new Set<RawRecord>([
    ...kept.transactions.filter(({ record }) => unownedIds.has(record.txid)).map(({ entry }) => entry),
    ...kept.purposes.filter((entry) => {
      const address = byteText(readAddress(entry));
      return unownedAddresses.has(address) || unreadable.has(address);
    }),
  ]);
  return {
    records: records.filter((record) => !left.has(record)),
    excluded: {
      transactions: stored
        .filter(({ txid }) => unownedIds.has(txid))
        .map((record) => ({
          txid: record.txid,
          hex: bytesToHex(encode(transaction, record.transaction)),
        })),
      addresses: [...unownedAddresses, ...unreadable].map((address) => ({
        address: textOfBytes(bytesOf(address)),
        isReadable: !unreadable.has(address),
      })),
    },
  };
}
