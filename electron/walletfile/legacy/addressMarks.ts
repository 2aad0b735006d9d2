/** What a wallet's address book says of its scripts: which were never given out, and which were spent from. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { InspectedLabel } from '../../../shared/model/inspection.ts';
import type { Network } from '../../../shared/model/network.ts';
import type { RecordsByType } from '../records/recordsByType.ts';
import { scriptIfAddress } from '../script/address.ts';

export type AddressMarks = ReturnType<typeof addressMarksOf>;

/** Scripts by their hex. Only for scripts that are the wallet's own. */
export function addressMarksOf(
  records: RecordsByType,
  addressBook: readonly InspectedLabel[],
  network: Network,
) {
  const labelled = addressBook.filter(({ label }) => label !== null);
  const given = scriptsOfAddresses(labelled, network);
  const used = records.of('destdata').filter(({ name }) => name === 'used');
  const reused = scriptsOfAddresses(used, network);
  return {
    /** Whether it was never given out as an address. */
    isChange: (script: string) => !given.has(script),
    /** Whether it was spent from before, in a wallet that keeps such coins apart. */
    isReused: (script: string) => reused.has(script),
  };
}

/** In hex, those of other networks left out. */
export function scriptsOfAddresses(entries: readonly { address: string }[], network: Network): Set<string> {
  const scripts = entries.flatMap(({ address }) => scriptIfAddress(address, network) ?? []);
  return new Set(scripts.map(bytesToHex));
}
