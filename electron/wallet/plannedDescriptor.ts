/** One descriptor that a migration is going to write, and the records that it is written as. */
import {
  writeChildCache,
  writeDescriptor,
  writeDescriptorKey,
  writeEncryptedDescriptorKey,
} from './bulkRecords.ts';
import type { DescriptorCache } from './descriptor.ts';
import type { AddressType } from './descriptorRecords.ts';
import { extendedPublicKeyRecord } from './extendedKey.ts';
import type { HeldKey } from './ownKeys.ts';
import type { RawRecord } from './rawRecord.ts';
import { writeRecord } from './records.ts';

export interface PlannedDescriptor {
  /** 32 bytes. */
  id: Uint8Array;
  /** Public keys only, with its checksum. */
  text: string;
  /** Unix seconds; 0 and 1 where it is not known. */
  createTime: number;
  nextIndex: number;
  /** The index after the last. 1 for a descriptor without range. */
  rangeEnd: number;
  /** The private keys that go with it. */
  keys: readonly { publicKey: Uint8Array; held: HeldKey }[];
  /** What a node needs to know its scripts while it has no private keys. */
  cache: DescriptorCache | null;
  /** What it is in use for from now on. */
  active: { addressType: AddressType; internal: boolean } | null;
}

/** The records of a descriptor, as a node writes them. */
export function recordsOfDescriptor(planned: PlannedDescriptor): RawRecord[] {
  const { id, text, createTime, nextIndex, rangeEnd, keys, cache, active } = planned;
  const records = [writeDescriptor({ descriptorId: id, descriptor: text, createTime, nextIndex, rangeEnd })];
  for (const { publicKey, held } of keys) records.push(recordOfKey(id, publicKey, held));
  if (cache) addCache(records, id, cache);
  if (active) {
    const type = active.internal ? 'activeinternalspk' : 'activeexternalspk';
    records.push(writeRecord({ type, addressType: active.addressType, descriptorId: id }));
  }
  return records;
}

function recordOfKey(id: Uint8Array, publicKey: Uint8Array, held: HeldKey): RawRecord {
  return held.kind === 'plain'
    ? writeDescriptorKey(id, publicKey, held)
    : writeEncryptedDescriptorKey(id, publicKey, held.encrypted);
}

function addCache(records: RawRecord[], descriptorId: Uint8Array, cache: DescriptorCache): void {
  for (const [keyIndex, key] of cache.parents) {
    const extendedPublicKey = extendedPublicKeyRecord(key);
    records.push(
      writeRecord({
        type: 'walletdescriptorcache',
        descriptorId,
        keyIndex,
        derivationIndex: null,
        extendedPublicKey,
      }),
    );
  }
  for (const [keyIndex, children] of cache.children) {
    for (const [child, key] of children) {
      records.push(writeChildCache(descriptorId, keyIndex, child, extendedPublicKeyRecord(key)));
    }
  }
  for (const [keyIndex, key] of cache.lastHardened) {
    const extendedPublicKey = extendedPublicKeyRecord(key);
    records.push(writeRecord({ type: 'walletdescriptorlhcache', descriptorId, keyIndex, extendedPublicKey }));
  }
}
