/** What a wallet's address book says of its scripts: which were never given out, and which were spent from. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Network } from '../../../shared/model.ts';
import { scriptOfAddress } from '../../wallet/address.ts';
import type { AddressEntry } from '../loadedWallet.ts';
import type { RecordsByType } from './recordsByType.ts';

/** Scripts by their hex. Only for scripts that are the wallet's own. */
export interface AddressMarks {
  isChange(script: string): boolean;
  isReused(script: string): boolean;
}

export function addressMarksOf(
  records: RecordsByType,
  addressBook: readonly AddressEntry[],
  network: Network,
): AddressMarks {
  const labelled = addressBook.filter(({ label }) => label !== null).map(({ address }) => address);
  const given = scriptsOf(labelled, network);
  const used = records.of('destdata').filter(({ name }) => name === 'used');
  const reused = scriptsOf(
    used.map(({ address }) => address),
    network,
  );
  return { isChange: (script) => !given.has(script), isReused: (script) => reused.has(script) };
}

/** Addresses of another network, or none at all, are left out: an old file may hold any text. */
function scriptsOf(addresses: readonly string[], network: Network): Set<string> {
  const scripts = new Set<string>();
  for (const address of addresses) {
    try {
      scripts.add(bytesToHex(scriptOfAddress(address, network)));
    } catch {
      // See above.
    }
  }
  return scripts;
}
