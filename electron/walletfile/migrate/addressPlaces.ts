/** Which of the new wallets each entry of a legacy wallet's address book goes to. */
import type { WalletPart } from '../../../shared/model/migrationPreview.ts';
import type { Network } from '../../../shared/model/network.ts';
import { byteText } from '../bytes/byteText.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { isCompressed, type LegacyKey, type LegacyKeys } from '../legacy/legacyKeys.ts';
import type { LegacyWallet } from '../legacy/legacyWallet.ts';
import type { MigrationPlan } from '../legacy/migrationPlan.ts';
import { hasText, readAddress } from '../records/addressBook.ts';
import { hashInAddress, scriptIfAddress } from '../script/address.ts';
import type { AddressPlaces, KeptRecords } from './migratedRecords.ts';

/**
 * Entries of addresses that were given out go with their script. All others (of someone else, or without a purpose)
 * are copied to every wallet, as are those of the main wallet. Source: `ApplyMigrationData` in `wallet.cpp`.
 */
export function addressPlaces(
  { names, purposes, addressData }: KeptRecords,
  { keys, scripts }: LegacyWallet,
  { covered, placeOf, placed, unreadable }: MigrationPlan,
  network: Network,
): AddressPlaces {
  const found: AddressPlaces = {
    records: { primary: [], watchonly: [], solvables: [] },
    leftOut: [],
    owners: [],
    strays: [],
  };
  const hasOthers = placed().size > 0;
  const notKept = new Set([...unreadable(), ...scripts.notMine.values()].map(byteText));
  const leaving = new Map<string, WalletPart | 'left out'>();
  for (const record of purposes) {
    const address = readAddress(record);
    const of = isGivenOut(record) ? ownerOf(address, keys, covered, network) : null;
    found.owners.push(of);
    // What is no address of this network stays as it is.
    if (!(of instanceof Uint8Array)) continue;
    const place = placeOf(of);
    if (place === 'primary') continue;
    const text = byteText(address);
    if (place) leaving.set(text, place);
    else if (notKept.has(byteText(of))) leaving.set(text, 'left out');
    else found.strays.push(text);
  }
  const { primary, watchonly, solvables } = found.records;
  for (const records of [names, purposes, addressData]) {
    for (const record of records) {
      const place = leaving.size > 0 ? leaving.get(byteText(readAddress(record))) : undefined;
      if (place === 'left out') found.leftOut.push(record);
      else if (place) found.records[place].push(record);
      else {
        primary.push(record);
        if (!hasOthers) continue;
        watchonly.push(record);
        solvables.push(record);
      }
    }
  }
  return found;
}

/** Whether the purpose of an address is to be paid at. */
export function isGivenOut(purpose: RawRecord): boolean {
  return hasText(purpose, RECEIVE);
}

const RECEIVE = new TextEncoder().encode('receive');

/** The covered key whose address it is, else the address's script. Null for what is no address of the network. */
function ownerOf(
  address: Uint8Array,
  keys: LegacyKeys,
  covered: ReadonlySet<LegacyKey>,
  network: Network,
): LegacyKey | Uint8Array | null {
  const text = byteText(address);
  const of = hashInAddress(text, network);
  const key = of && (of.kind === 'p2sh' ? keys.ofNestedHash(of.hash) : keys.ofHash(of.hash));
  if (key && covered.has(key) && (of.kind !== 'p2wpkh' || isCompressed(key.publicKey))) return key;
  return scriptIfAddress(text, network);
}
