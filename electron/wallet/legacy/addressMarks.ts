/** What a wallet's address book says of its scripts: which were never given out, and which were spent from. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { InspectedLabel } from '../../../shared/inspection.ts';
import type { Network } from '../../../shared/network.ts';
import type { RecordsByType } from '../record/recordsByType.ts';
import { scriptIfAddress } from '../script/address.ts';

/** Scripts by their hex. Only for scripts that are the wallet's own. */
export interface AddressMarks {
  /** Whether it was never given out as an address. */
  isChange(script: string): boolean;
  /** Whether it was spent from before, in a wallet that keeps such coins apart. */
  isReused(script: string): boolean;
}

export function addressMarksOf(
  records: RecordsByType,
  addressBook: readonly InspectedLabel[],
  network: Network,
): AddressMarks {
  const given = scriptsOf(
    addressBook.filter(({ label }) => label !== null),
    network,
  );
  const reused = scriptsOf(
    records.of('destdata').filter(({ name }) => name === 'used'),
    network,
  );
  return { isChange: (script) => !given.has(script), isReused: (script) => reused.has(script) };
}

function scriptsOf(entries: readonly { address: string }[], network: Network): Set<string> {
  const scripts = entries.flatMap(({ address }) => scriptIfAddress(address, network) ?? []);
  return new Set(scripts.map(bytesToHex));
}
