/** Where a legacy wallet's keys say that they come from. Source: `LegacyDataSPKM::GetKeyOrigin`. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { bytesOf } from '../bytes/byteText.ts';
import { quickHash160 } from '../bytes/quickHash.ts';
import type { KeyOrigin } from '../descriptor/descriptor.ts';
import type { Of } from '../record/recordsByType.ts';

/** As its metadata says, the key itself where that says nothing. `hash` is the `byteText` of the key's hash160. */
export function originOf(hash: string, { origin }: Of<'keymeta'>): KeyOrigin {
  if (origin?.known) return { fingerprint: bytesToHex(origin.fingerprint), path: origin.path };
  return { fingerprint: bytesToHex(bytesOf(hash.slice(0, 4))), path: [] };
}

/** Of all keys, by the hex of their hash160. `hashOf` gives those that are known already, as `byteText`. */
export function originsOf(
  metadata: readonly Of<'keymeta'>[],
  hashOf: (publicKey: Uint8Array) => string = quickHash160,
): Map<string, KeyOrigin> {
  return new Map(
    metadata.map((record) => {
      const hash = hashOf(record.publicKey);
      return [bytesToHex(bytesOf(hash)), originOf(hash, record)];
    }),
  );
}
