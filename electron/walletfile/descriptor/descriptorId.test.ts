import { readdirSync, readFileSync } from 'node:fs';
import { bytesToHex } from '@noble/hashes/utils.js';
import initSqlJs from 'sql.js';
import { describe, expect, it } from 'vitest';
import { type ExtendedPublicKey, readExtendedPublicKeyRecord } from '../keys/extendedKey.ts';
import { coreDescriptors, scriptDescriptors } from '../testing/vectors.ts';
import { factsOf } from '../testing/wallets.ts';
import type { DescriptorCache } from './descriptor.ts';
import { expand } from './descriptorExpand.ts';
import { parseDescriptor } from './descriptorParse.ts';
import { descriptorId, writeNormalised } from './descriptorWrite.ts';

const fixtures = new URL('../../../e2e/fixtures/', import.meta.url);

/** As logs show it: hex, last byte first. */
const shownId = (id: Uint8Array) => bytesToHex(id.toReversed());

describe("a descriptor's identifier", () => {
  it.each([...coreDescriptors, ...scriptDescriptors].filter(({ id }) => id !== null))(
    'of $withPublic',
    ({ withPublic, withPrivate, id }) => {
      for (const text of [withPublic, withPrivate]) {
        expect(shownId(descriptorId(parseDescriptor(text, { network: 'main' }).descriptor))).toBe(id);
      }
    },
  );

  it('is the same however hardened steps are marked', () => {
    const [h, mark] = ['h', "'"].map((sign) => {
      const text = `pkh([deadbeef/1/2${sign}/3/4${sign}]03a34b99f22c790c4e36b2b3c2c35a36db06226e41c692fc82b8b56ac1c540c5bd)`;
      return descriptorId(parseDescriptor(text, { network: 'main' }).descriptor);
    });
    expect(h).toEqual(mark);
  });

  // The log tells the active descriptors of each wallet that was migrated.
  it.each(['legacy-hd', 'legacy-hd-encrypted', 'legacy-watchonly', 'legacy-solvable'])(
    'is the one in the log of %s',
    (name) => {
      const logged = readdirSync(new URL('rpc/', fixtures)).flatMap((file) => {
        const text = readFileSync(new URL(`rpc/${file}`, fixtures), 'utf8');
        return [...text.matchAll(/\[([^\]\s]+)\] Setting spkMan to active: id = ([0-9a-f]{64})/g)];
      });
      const ids = new Set(logged.filter(([, wallet]) => wallet === name).map(([, , id]) => id));
      const made = factsOf(name).after_by_release?.['31.0']?.wallets.wallet_name;
      const active = made?.listdescriptors_private?.descriptors.filter((each) => each.active);
      const found = active?.map(({ desc }) =>
        shownId(descriptorId(parseDescriptor(desc, { network: 'regtest' }).descriptor)),
      );
      expect(new Set(found)).toEqual(ids);
      expect(ids.size).toBe(8);
    },
  );
});

describe.each(['descriptor-hd', 'descriptor-encrypted'])('the records of %s', (name) => {
  it('are found by the identifier, and expand without private keys', async () => {
    const records = await readRecords(new URL(`wallets/${name}/wallet.dat`, fixtures));
    const of = (type: string) => records.filter((record) => record.type === type);
    const listed = factsOf(name).before.listdescriptors?.descriptors.map(({ desc }) => desc);
    const found = of('walletdescriptor').map(({ key, value }) => {
      const [size = 0] = value;
      const text = new TextDecoder().decode(value.subarray(1, 1 + size));
      const { descriptor } = parseDescriptor(text, { network: 'regtest', checksum: 'required' });
      const id = descriptorId(descriptor);
      expect(bytesToHex(id)).toBe(bytesToHex(key));
      const cached = (type: string) =>
        new Map(
          of(type)
            .filter((record) => bytesToHex(record.key.subarray(0, 32)) === bytesToHex(id))
            .map((record): [number, ExtendedPublicKey] => {
              const node = readExtendedPublicKeyRecord(record.value.subarray(1));
              if (!node) throw new Error('not a key');
              return [record.key[32] ?? -1, node];
            }),
        );
      const cache: DescriptorCache = {
        parents: cached('walletdescriptorcache'),
        lastHardened: cached('walletdescriptorlhcache'),
        children: new Map(),
      };
      const normalised = writeNormalised(descriptor, { cache });
      const public_ = parseDescriptor(normalised, { network: 'regtest' }).descriptor;
      expect(expand(descriptor, 11, { cache })).toEqual(expand(public_, 11));
      expect(() => expand(descriptor, 11)).toThrow(
        expect.objectContaining({ finding: { code: 'private_key_needed' } }),
      );
      return normalised;
    });
    expect(found.toSorted()).toEqual(listed?.toSorted());
  });
});

/** The records of a SQLite wallet: the type, the rest of the key, and the value. Short strings only. */
async function readRecords(file: URL): Promise<{ type: string; key: Uint8Array; value: Uint8Array }[]> {
  const { Database } = await initSqlJs();
  const database = new Database(readFileSync(file));
  const [table] = database.exec('SELECT key, value FROM main');
  database.close();
  return (table?.values ?? []).map(([rawKey, rawValue]) => {
    const key = rawKey as Uint8Array;
    const [size = 0] = key;
    return {
      type: new TextDecoder().decode(key.subarray(1, 1 + size)),
      key: key.subarray(1 + size),
      value: rawValue as Uint8Array,
    };
  });
}
