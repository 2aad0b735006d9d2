import { readdirSync, readFileSync } from 'node:fs';
import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { recordsByType } from '../records/records.ts';
import { descriptorNames, entriesOf, factsOf } from '../testing/wallets.ts';
import { expand } from './descriptorExpand.ts';
import { parseDescriptor } from './descriptorParse.ts';
import { descriptorId, writeNormalised } from './descriptorWrite.ts';
import { storedDescriptors } from './storedDescriptors.ts';

const fixtures = new URL('../../../e2e/fixtures/', import.meta.url);

/** Displayed form: hex, last byte first. */
const shownId = (id: Uint8Array) => bytesToHex(id.toReversed());

describe("a descriptor's identifier", () => {
  // The log names the active descriptors of each migrated wallet.
  it.each(['legacy-hd', 'legacy-hd-encrypted', 'legacy-watchonly', 'legacy-solvable'])(
    'is the one in the log of %s',
    (name) => {
      const logged = readdirSync(new URL('rpc/', fixtures)).flatMap((file) => {
        const text = readFileSync(new URL(`rpc/${file}`, fixtures), 'utf8');
        return [...text.matchAll(/\[([^\]\s]+)\] Setting spkMan to active: id = ([0-9a-f]{64})/g)];
      });
      const ids = new Set(logged.filter(([, wallet]) => wallet === name).map(([, , id]) => id));
      const wallet = factsOf(name).after_by_release?.['31.0']?.wallets.wallet_name;
      const active = wallet?.listdescriptors_private?.descriptors.filter((each) => each.active);
      const found = active?.map(({ desc }) =>
        shownId(descriptorId(parseDescriptor(desc, { network: 'regtest' }).descriptor)),
      );
      expect(new Set(found)).toEqual(ids);
      expect(ids.size).toBe(8);
    },
  );
});

describe.each(descriptorNames)('the stored descriptors of %s', (name) => {
  it('have their identifier, and expand without private keys', async () => {
    for (const stored of storedDescriptors(recordsByType(await entriesOf(name)), 'regtest')) {
      const { descriptor, record } = stored;
      if (!descriptor) throw new Error('unreadable');
      expect(descriptorId(descriptor)).toEqual(record.descriptorId);
      const { cache } = stored.sources(null);
      const normalised = parseDescriptor(writeNormalised(descriptor, { cache }), { network: 'regtest' });
      expect(expand(descriptor, 11, { cache })).toEqual(expand(normalised.descriptor, 11));
      expect(() => expand(descriptor, 11)).toThrow(
        expect.objectContaining({ finding: { code: 'private_key_needed' } }),
      );
    }
  });
});
