/** The quick readers and writers, held against the declared shapes on every record of every recorded wallet. */
import { describe, expect, it } from 'vitest';
import { bytesOfText } from '../bytes/serialization.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { entriesOf, walletNames } from '../testing/wallets.ts';
import {
  DescriptorWriter,
  hasText,
  readAddress,
  readDescriptor,
  readDescriptorCache,
  readDescriptorKey,
  readEncryptedDescriptorKey,
  readEncryptedKey,
  readKey,
  readKeyMetadata,
} from './bulkRecords.ts';
import { parseRecord, type RecordType, type WalletRecord, writeRecord } from './records.ts';

const readers: Partial<Record<RecordType, (record: RawRecord) => unknown>> = {
  key: readKey,
  ckey: readEncryptedKey,
  keymeta: readKeyMetadata,
  walletdescriptor: readDescriptor,
  walletdescriptorkey: readDescriptorKey,
  walletdescriptorckey: readEncryptedDescriptorKey,
  walletdescriptorcache: readDescriptorCache,
};

const entries = (await Promise.all(walletNames.map(entriesOf))).flat();
const known = entries.map((entry) => ({ entry, parsed: parseRecord(entry.key, entry.value) }));

function ofType<T extends RecordType>(type: T) {
  return known.filter(({ parsed }) => parsed.type === type);
}

describe('readers', () => {
  it.each(Object.entries(readers))('read %s records as the declared shapes do', (type, read) => {
    const found = known.filter(({ parsed }) => parsed.type === type);
    expect(found.length).toBeGreaterThan(0);
    for (const { entry, parsed } of found) expect(read(entry)).toEqual(parsed);
  });

  it.each(Object.entries(readers))('throw for %s records that are cut short', (type, read) => {
    const [{ entry } = { entry: { key: new Uint8Array(), value: new Uint8Array() } }] = known.filter(
      ({ parsed }) => parsed.type === type,
    );
    const { key, value } = entry;
    for (const cut of [1, 8, 30]) {
      expect(() => read({ key: key.subarray(0, key.length - cut), value })).toThrow(RangeError);
      const rest = value.subarray(0, Math.max(0, value.length - 33 - cut));
      expect(() => read({ key, value: rest })).toThrow(RangeError);
    }
  });

  it('keep bytes behind the last field', () => {
    for (const type of ['key', 'ckey', 'keymeta'] as const) {
      const [{ entry } = { entry: { key: new Uint8Array(), value: new Uint8Array() } }] = ofType(type);
      const longer = { key: entry.key, value: Uint8Array.of(...entry.value, 7, 8) };
      expect(readers[type]?.(longer)).toEqual(parseRecord(longer.key, longer.value));
    }
  });

  it('find the address of an entry of the address book, and compare its text', () => {
    for (const { entry, parsed } of [...ofType('name'), ...ofType('purpose')]) {
      if (parsed.type !== 'name' && parsed.type !== 'purpose') continue;
      expect(readAddress(entry)).toEqual(bytesOfText(parsed.address));
      const text = parsed.type === 'name' ? parsed.label : parsed.purpose;
      expect(hasText(entry, bytesOfText(text))).toBe(true);
      expect(hasText(entry, bytesOfText(`${text}!`))).toBe(false);
      expect(hasText(entry, bytesOfText('something else'))).toBe(false);
    }
    expect(readAddress({ key: Uint8Array.of(4, 0x6e), value: new Uint8Array() })).toEqual(new Uint8Array());
  });
});

describe('DescriptorWriter', () => {
  it('writes what the declared shapes write', () => {
    const writer = new DescriptorWriter();
    const written = known.flatMap(({ parsed }): [RawRecord, WalletRecord][] => {
      switch (parsed.type) {
        case 'walletdescriptor':
          return [[writer.descriptor(parsed), parsed]];
        case 'walletdescriptorkey':
          return [[writer.key(parsed.descriptorId, parsed.publicKey, parsed), parsed]];
        case 'walletdescriptorckey':
          return [[writer.encryptedKey(parsed.descriptorId, parsed.publicKey, parsed.encrypted), parsed]];
        case 'walletdescriptorcache': {
          // The recorded wallets have parents only.
          const child = { ...parsed, keyIndex: 1, derivationIndex: 70_000 };
          return [[writer.childKey(parsed.descriptorId, 1, 70_000, parsed.extendedPublicKey), child]];
        }
        default:
          return [];
      }
    });
    expect(new Set(written.map(([, { type }]) => type)).size).toBe(4);
    for (const [{ key, value }, record] of written) expect({ key, value }).toEqual(writeRecord(record));
  });

  it('writes long texts and late times too', () => {
    const descriptorId = new Uint8Array(32).fill(3);
    for (const descriptor of ['x'.repeat(252), 'x'.repeat(253), 'x'.repeat(60_000)]) {
      const fields = { descriptorId, descriptor, createTime: 2 ** 40 + 1, nextIndex: 5, rangeEnd: 1005 };
      const { key, value } = new DescriptorWriter().descriptor(fields);
      expect({ key, value }).toEqual(writeRecord({ type: 'walletdescriptor', rangeStart: 0, ...fields }));
    }
  });
});
