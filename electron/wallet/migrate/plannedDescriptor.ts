/** One descriptor that a migration is going to write, and the records that it is written as. */
import type { RawRecord } from '../database/rawRecord.ts';
import type { DescriptorCache } from '../descriptor/descriptor.ts';
import { extendedPublicKeyRecord } from '../key/extendedKey.ts';
import type { HeldKey } from '../legacy/ownKeys.ts';
import type { AddressType } from '../record/descriptorRecords.ts';
import type { RecordWriter } from '../record/records.ts';

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
export function descriptorRecords(planned: PlannedDescriptor, writer: RecordWriter): RawRecord[] {
  const { id, text, createTime, nextIndex, rangeEnd, keys, cache, active } = planned;
  const records = [
    writer.write({
      type: 'walletdescriptor',
      descriptorId: id,
      descriptor: text,
      createTime,
      nextIndex,
      rangeStart: 0,
      rangeEnd,
    }),
  ];
  for (const { publicKey, held } of keys) {
    records.push(
      held.kind === 'plain'
        ? writer.write({
            type: 'walletdescriptorkey',
            descriptorId: id,
            publicKey,
            der: held.der,
            checksum: held.checksum,
          })
        : writer.write({
            type: 'walletdescriptorckey',
            descriptorId: id,
            publicKey,
            encrypted: held.encrypted,
          }),
    );
  }
  if (cache) addCache(records, id, cache, writer);
  if (active) {
    const type = active.internal ? 'activeinternalspk' : 'activeexternalspk';
    records.push(writer.write({ type, addressType: active.addressType, descriptorId: id }));
  }
  return records;
}

function addCache(
  records: RawRecord[],
  descriptorId: Uint8Array,
  { parents, children, lastHardened }: DescriptorCache,
  writer: RecordWriter,
): void {
  const ofKey = { type: 'walletdescriptorcache', descriptorId } as const;
  for (const [keyIndex, key] of parents) {
    records.push(
      writer.write({
        ...ofKey,
        keyIndex,
        derivationIndex: null,
        extendedPublicKey: extendedPublicKeyRecord(key),
      }),
    );
  }
  for (const [keyIndex, ofIndex] of children) {
    for (const [derivationIndex, key] of ofIndex) {
      records.push(
        writer.write({
          ...ofKey,
          keyIndex,
          derivationIndex,
          extendedPublicKey: extendedPublicKeyRecord(key),
        }),
      );
    }
  }
  const ofLast = { type: 'walletdescriptorlhcache', descriptorId } as const;
  for (const [keyIndex, key] of lastHardened) {
    records.push(writer.write({ ...ofLast, keyIndex, extendedPublicKey: extendedPublicKeyRecord(key) }));
  }
}
