/** Which of the new wallets each entry of a legacy wallet's address book goes to. */
import type { Network } from '../../shared/model.ts';
import { scriptOfAddress } from './address.ts';
import { readAddress, readText } from './bulkRecords.ts';
import { byteText } from './byteText.ts';
import type { LegacyWallet } from './legacyWallet.ts';
import type { MigrationPlan, Place } from './migrationPlan.ts';
import { isCompressed, type OwnKey, type OwnKeys } from './ownKeys.ts';
import { quickAddress } from './quickAddress.ts';
import type { RawRecord } from './rawRecord.ts';

export interface AddressPlaces {
  records: Record<Place, RawRecord[]>;
  /** Of addresses that are left out together with their scripts. */
  leftOut: RawRecord[];
  /** By the records that say that an address was given out to be paid at: the covered key or the script. */
  receiving: { record: RawRecord; of: OwnKey | Uint8Array }[];
  /** Addresses that were given out and whose scripts are in none of the wallets. */
  strays: string[];
}

/**
 * Entries of addresses that were given out go with their script. All others (of someone else, or without a purpose)
 * are copied to every wallet, as are those of the main wallet. Source: `ApplyMigrationData` in `wallet.cpp`.
 */
export function addressPlaces(
  legacy: Pick<LegacyWallet, 'names' | 'purposes' | 'addressData'>,
  keys: OwnKeys,
  {
    covered,
    placeOf,
    unreadable,
    scripts,
  }: Pick<MigrationPlan, 'covered' | 'placeOf' | 'unreadable' | 'scripts'>,
  network: Network,
): AddressPlaces {
  const found: AddressPlaces = {
    records: { primary: [], watchonly: [], solvables: [] },
    leftOut: [],
    receiving: [],
    strays: [],
  };
  const notKept = new Set([...unreadable, ...(scripts?.notMine.values() ?? [])].map(byteText));
  const leaving = new Map<string, Place | 'left out'>();
  for (const record of legacy.purposes) {
    if (readText(record) !== 'receive') continue;
    const address = readAddress(record);
    const of = address && ownerOf(address, keys, covered, network);
    // What is no address of this network stays as it is.
    if (!of) continue;
    found.receiving.push({ record, of });
    if (!(of instanceof Uint8Array)) continue;
    const place = placeOf(of);
    if (place === 'primary') continue;
    const text = byteText(address);
    if (place) leaving.set(text, place);
    else if (notKept.has(byteText(of))) leaving.set(text, 'left out');
    else found.strays.push(text);
  }
  for (const record of [...legacy.names, ...legacy.purposes, ...legacy.addressData]) {
    const place =
      leaving.size > 0 ? leaving.get(byteText(readAddress(record) ?? new Uint8Array())) : undefined;
    if (place === 'left out') found.leftOut.push(record);
    else if (place) found.records[place].push(record);
    else for (const each of Object.values(found.records)) each.push(record);
  }
  return found;
}

/** The covered key whose address it is, else the address's script. Null for what is no address of the network. */
function ownerOf(
  address: Uint8Array,
  keys: OwnKeys,
  covered: ReadonlySet<OwnKey>,
  network: Network,
): OwnKey | Uint8Array | null {
  const quick = quickAddress(address, network);
  const key = quick && (quick.kind === 'p2sh' ? keys.ofNestedHash(quick.hash) : keys.ofHash(quick.hash));
  if (key && covered.has(key) && (quick.kind !== 'p2wpkh' || isCompressed(key.publicKey))) return key;
  try {
    return scriptOfAddress(byteText(address), network);
  } catch {
    return null;
  }
}
