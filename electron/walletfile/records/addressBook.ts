/** A wallet's address book: labels and purposes of addresses, and the wallet's scripts that it marks. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { InspectedLabel } from '../../../shared/model/inspection.ts';
import type { Network } from '../../../shared/model/network.ts';
import { toLatin1 } from '../bytes/textCoding.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { scriptIfAddress } from '../script/address.ts';
import { type RecordsByType, writeRecord } from './records.ts';

/** Every address with a label or a purpose, in the order of the file, those with a label first. */
export function addressBookOf(records: RecordsByType): InspectedLabel[] {
  const book = new Map<string, InspectedLabel>();
  for (const { address, label } of records.of('name')) book.set(address, { address, label, purpose: null });
  for (const { address, purpose } of records.of('purpose')) {
    const entry = book.get(address);
    if (entry) entry.purpose = purpose;
    else book.set(address, { address, label: null, purpose });
  }
  return [...book.values()];
}

/** The number of entries in the address book. Each type has at most one record for an address. */
export function countAddresses(records: RecordsByType): number {
  const names = records.entries('name');
  const purposes = records.entries('purpose');
  // Most wallets have both for each address, in the same order.
  const isPair = (purpose: RawRecord, at: number) => {
    const name = names[at];
    return name !== undefined && Buffer.compare(readAddress(name), readAddress(purpose)) === 0;
  };
  if (purposes.every(isPair)) return names.length;
  return new Set([...names, ...purposes].map((record) => toLatin1(readAddress(record)))).size;
}

/** The records of a receiving address with its label. */
export function receivingRecords(address: string, label: string): RawRecord[] {
  return [
    writeRecord({ type: 'name', address, label }),
    writeRecord({ type: 'purpose', address, purpose: 'receive' }),
  ];
}

/** The address in the key of a `name`, `purpose` or `destdata` entry, in bytes of UTF-8. Never throws. */
export function readAddress({ key }: RawRecord): Uint8Array {
  const start = 2 + (key[0] ?? 0);
  return key.subarray(start, start + (key[start - 1] ?? 0));
}

/** Whether the value of a `name` or `purpose` entry is this text (UTF-8). */
export function hasText({ value }: RawRecord, text: Uint8Array): boolean {
  if (value[0] !== text.length || value.length <= text.length) return false;
  for (let at = 0; at < text.length; at += 1) if (value[at + 1] !== text[at]) return false;
  return true;
}

/** Whether an address is for receiving. */
export function isGivenOut(purpose: RawRecord): boolean {
  return hasText(purpose, RECEIVE);
}

const RECEIVE = new TextEncoder().encode('receive');

export type AddressMarks = ReturnType<typeof addressMarksOf>;

/** Marks of the wallet's own scripts, which are identified by hex. */
export function addressMarksOf(
  records: RecordsByType,
  addressBook: readonly InspectedLabel[],
  network: Network,
) {
  const labelled = addressBook.filter(({ label }) => label !== null);
  const receiving = scriptsOfAddresses(labelled, network);
  const used = records.of('destdata').filter(({ name }) => name === 'used');
  const reused = scriptsOfAddresses(used, network);
  return {
    /** Whether the wallet never gave it out as an address. */
    isChange: (script: string) => !receiving.has(script),
    /** Whether it was spent from before, in a wallet that avoids the reuse of addresses. */
    isReused: (script: string) => reused.has(script),
  };
}

/** The scripts of addresses in hex, without those of other networks. */
export function scriptsOfAddresses(entries: readonly { address: string }[], network: Network): Set<string> {
  const scripts = entries.flatMap(({ address }) => scriptIfAddress(address, network) ?? []);
  return new Set(scripts.map(bytesToHex));
}
