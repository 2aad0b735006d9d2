import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/model/errors.ts';
import { deriveChild, HARDENED, withoutPrivateKey } from '../keys/extendedKey.ts';
import { addressOf } from '../script/address.ts';
import { accounts, coreDescriptors, scriptDescriptors, validDescriptors } from '../testing/vectors.ts';
import {
  type Descriptor,
  type DescriptorCache,
  type KeySources,
  keysOf,
  type TreeKey,
} from './descriptor.ts';
import { expand, expander, treeNode } from './descriptorExpand.ts';
import { parseDescriptor } from './descriptorParse.ts';
import { writeNormalised } from './descriptorWrite.ts';

const parse = (text: string) => parseDescriptor(text, { network: 'main' });
const addressesOf = (descriptor: Descriptor, index: number, sources?: KeySources) =>
  expand(descriptor, index, sources).map((script) => addressOf(script, descriptor.network));
const hex = (scripts: Uint8Array[]) => scripts.map((script) => bytesToHex(script));

describe('descriptors of Bitcoin Core', () => {
  it.each([...coreDescriptors, ...scriptDescriptors])(
    '$withPublic',
    ({ withPrivate, withPublic, normalised, ranged, hardened, scripts }) => {
      const { privateKeys } = parse(withPrivate);
      const forms = [withPrivate, withPublic, ...(normalised.includes('*h') ? [] : [normalised])];
      for (const form of forms) {
        const at = expander(parse(form).descriptor, { privateKeys });
        // Where there is no range, every index gives the same.
        for (const [index, expected] of (ranged ? scripts : [...scripts, ...scripts, ...scripts]).entries()) {
          expect(hex(at(index).scripts)).toEqual(expected);
        }
      }
      const without = () => expand(parse(withPublic).descriptor, 0);
      if (hardened)
        expect(without).toThrow(expect.objectContaining({ finding: { code: 'private_key_needed' } }));
      else expect(hex(without())).toEqual(scripts[0]);
    },
  );
});

describe('descriptors of BIP 143 and 381 to 386', () => {
  it.each(validDescriptors)('%s', (text, scripts) => {
    const { descriptor, privateKeys } = parse(text);
    const at = expander(descriptor, { privateKeys });
    const found = scripts.flatMap((_, index) => hex(at(index).scripts));
    expect(found.slice(0, scripts.length)).toEqual(scripts);
  });
});

describe('accounts of BIP 44, 49, 84 and 86', () => {
  it.each(accounts)('%s', (text, network, addresses) => {
    const { descriptor, privateKeys } = parseDescriptor(text, { network });
    for (const [index, address] of addresses.entries()) {
      expect(addressesOf(descriptor, index, { privateKeys })).toEqual([address]);
    }
    const exported = parseDescriptor(writeNormalised(descriptor, { privateKeys }), { network }).descriptor;
    expect(addressesOf(exported, 0)).toEqual([addresses[0]]);
  });
});

describe('the contents of an expansion', () => {
  const key =
    'xpub661MyMwAqRbcFkPHucMnrGNzDwb6teAX1RbKQmqtEF8kK3Z7LZ59qafCjB9eCRLiTVG3uxBxgKvRgbubRhqSKXnGGb1aoaqLrpMBDrVxga8';

  it('include inner scripts and the origins of keys', () => {
    const { descriptor } = parse(`sh(wsh(multi(1,[deadbeef/1h]${key}/2/*,${key}/3)))`);
    const { keys, innerScripts, scripts } = expander(descriptor)(7);
    expect(scripts).toHaveLength(1);
    expect(innerScripts.map((script) => script.length)).toEqual([71, 34]);
    expect(keys.map(({ origin }) => origin)).toEqual([
      { fingerprint: 'deadbeef', path: [HARDENED + 1, 2, 7] },
      { fingerprint: '73c5da0a', path: [3] },
    ]);
    expect(keys.map(({ publicKey }) => publicKey.length)).toEqual([33, 33]);
  });

  it('are refused for impossible indexes', () => {
    for (const index of [-1, 0.5, HARDENED, Number.NaN]) {
      expect(() => expand(parse(`wpkh(${key}/*)`).descriptor, index)).toThrow(AppError);
    }
  });

  it('include scripts without an address', () => {
    const point = '03a34b99f22c790c4e36b2b3c2c35a36db06226e41c692fc82b8b56ac1c540c5bd';
    expect(addressesOf(parse(`combo(${point})`).descriptor, 0)).toEqual([
      null,
      '1F3sAm6ZtwLAUnj7d38pGFxtP3RVEvtsbV',
      'bc1qngw83fg8dz0k749cg7k3emc7v98wy0c74dlrkd',
      '3DnW8JGpPViEZdpqat8qky1zc26EKbXnmM',
    ]);
  });
});

describe('without private keys', () => {
  const withPrivate =
    'xprv9s21ZrQH143K3GJpoapnV8SFfukcVBSfeCficPSGfubmSFDxo1kuHnLisriDvSnRRuL2Qrg5ggqHKNVpxR86QEC8w35uxmGoggxtQTPvfUu';
  const { descriptor, privateKeys } = parse(
    `multi(1,${withPrivate}/1h/2/*,${withPrivate}/3h/*h,${withPrivate}/4h)`,
  );
  const [first, second, third] = keysOf(descriptor.script).map(({ key }) => key);

  it("a wallet file's cache suffices", () => {
    const node = (key: unknown, steps: number) => treeNode(key as TreeKey, steps, privateKeys);
    const secret = [...privateKeys.values()][0] as Uint8Array;
    const hardenedParent = deriveChild({ ...(second as TreeKey).root, privateKey: secret }, [HARDENED + 3]);
    const cache: DescriptorCache = {
      parents: new Map([
        [0, node(first, 2)],
        [2, node(third, 1)],
      ]),
      children: new Map([
        [1, new Map([[5, withoutPrivateKey(deriveChild(hardenedParent, [HARDENED + 5]))]])],
      ]),
      lastHardened: new Map([
        [0, node(first, 1)],
        [2, node(third, 1)],
      ]),
    };
    expect(expand(descriptor, 5, { cache })).toEqual(expand(descriptor, 5, { privateKeys }));
    expect(() => expand(descriptor, 6, { cache })).toThrow(
      expect.objectContaining({ finding: { code: 'private_key_needed' } }),
    );
    expect(writeNormalised(descriptor, { cache })).toBe(writeNormalised(descriptor, { privateKeys }));
  });
});
