/** Which scripts are a descriptor wallet's own: all that its descriptors give over their ranges. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Ownership } from '../script/ownership.ts';
import { eachScript, type LeftOut } from './descriptorScripts.ts';
import type { StoredDescriptor } from './storedDescriptors.ts';

interface DescriptorOwnership extends Ownership, LeftOut {}

/** More indexes are not looked at. A wallet of our days has 8,000, half a second's work. */
export const MOST_INDEXES = 50_000;

/**
 * `privateKeys: false`: the wallet is for watching only, and so are all its scripts. Throws `cancelled` when the
 * signal says so.
 */
export async function descriptorOwnership(
  descriptors: readonly StoredDescriptor[],
  { privateKeys, signal }: { privateKeys: boolean; signal?: AbortSignal | undefined },
): Promise<DescriptorOwnership> {
  const owned = new Set<string>();
  const left = await eachScript(descriptors, (script) => owned.add(script), { most: MOST_INDEXES, signal });
  const owner = privateKeys ? 'spendable' : 'watched';
  return { of: (script) => (owned.has(bytesToHex(script)) ? owner : null), ...left };
}
