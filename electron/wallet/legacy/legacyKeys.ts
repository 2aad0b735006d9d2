/** A legacy wallet's own keys, each with what its metadata says of it. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { byteText } from '../bytes/byteText.ts';
import type { RecordsByType } from '../record/recordsByType.ts';
import { hash160 } from '../script/script.ts';
import { type FoundChain, hdChains, type KeyPlace } from './hdChains.ts';

export interface LegacyKeys {
  /** The active one first. */
  chains: readonly FoundChain[];
  /** Each public key once, in the order of the file, plain ones first. */
  keys: readonly LegacyKey[];
  /** Whether the file has the private key, open or encrypted, that a chain was made from. */
  hasSeedOf(chain: FoundChain): boolean;
}

interface LegacyKey {
  publicKey: Uint8Array;
  encrypted: boolean;
  place: KeyPlace;
}

export function legacyKeys(records: RecordsByType): LegacyKeys {
  const { chains, placeOf } = hdChains(records.of('keymeta'), records.one('hdchain'));
  const places = new Map(
    records.of('keymeta').map((metadata) => [byteText(metadata.publicKey), placeOf(metadata)]),
  );
  const keys = new Map<string, LegacyKey>();
  for (const { type, publicKey } of [...records.of('key'), ...records.of('wkey'), ...records.of('ckey')]) {
    const text = byteText(publicKey);
    if (keys.has(text)) continue;
    keys.set(text, { publicKey, encrypted: type === 'ckey', place: places.get(text) ?? { of: 'none' } });
  }
  const all = [...keys.values()];
  const seeds = idsOf(all.filter(({ place }) => place.of === 'seed'));
  let ids: ReadonlySet<string> | undefined;
  const hasSeedOf = ({ seed }: FoundChain) => {
    if (seeds.has(seed)) return true;
    ids ??= idsOf(all);
    return ids.has(seed);
  };
  return { chains, keys: all, hasSeedOf };
}

function idsOf(keys: readonly LegacyKey[]): Set<string> {
  return new Set(keys.map(({ publicKey }) => bytesToHex(hash160(publicKey))));
}
