import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/model/errors.ts';
import { deriveKey, HARDENED, withoutPrivateKey } from '../keys/extendedKey.ts';
import { addressOf } from '../script/address.ts';
import { coreDescriptors, scriptDescriptors, validDescriptors } from '../testing/vectors.ts';
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

describe('descriptors of BIP 381 to 386', () => {
  it.each(validDescriptors)('%s', (text, scripts) => {
    const { descriptor, privateKeys } = parse(text);
    const at = expander(descriptor, { privateKeys });
    const found = scripts.flatMap((_, index) => hex(at(index).scripts));
    expect(found.slice(0, scripts.length)).toEqual(scripts);
  });
});

// BIP 44, 49, 84 and 86 share the seed of twelve words, "abandon" eleven times and "about".
describe('accounts', () => {
  const xprv =
    'xprv9s21ZrQH143K3GJpoapnV8SFfukcVBSfeCficPSGfubmSFDxo1kuHnLisriDvSnRRuL2Qrg5ggqHKNVpxR86QEC8w35uxmGoggxtQTPvfUu';
  const tprv =
    'tprv8ZgxMBicQKsPe5YMU9gHen4Ez3ApihUfykaqUorj9t6FDqy3nP6eoXiAo2ssvpAjoLroQxHqr3R5nE3a5dU3DHTjTgJDd7zrbniJr6nrCzd';
  it.each([
    [`pkh(${xprv}/44h/0h/0h/0/*)`, 'main', ['1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA']],
    [`sh(wpkh(${tprv}/49'/1'/0'/0/*))`, 'testnet3', ['2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2']],
    [
      `wpkh(${xprv}/84h/0h/0h/0/*)`,
      'main',
      ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g'],
    ],
    [`wpkh(${xprv}/84h/0h/0h/1/*)`, 'main', ['bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el']],
    [
      `tr(${xprv}/86h/0h/0h/0/*)`,
      'main',
      [
        'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
        'bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh',
      ],
    ],
    [`tr(${xprv}/86h/0h/0h/1/*)`, 'main', ['bc1p3qkhfews2uk44qtvauqyr2ttdsw7svhkl9nkm9s9c3x4ax5h60wqwruhk7']],
  ] as const)('%s', (text, network, addresses) => {
    const { descriptor, privateKeys } = parseDescriptor(text, { network });
    for (const [index, address] of addresses.entries()) {
      expect(addressesOf(descriptor, index, { privateKeys })).toEqual([address]);
    }
    const exported = parseDescriptor(writeNormalised(descriptor, { privateKeys }), { network }).descriptor;
    expect(addressesOf(exported, 0)).toEqual([addresses[0]]);
  });
});

// The output scripts of BIP 141, from the examples of BIP 143.
describe('segwit scripts', () => {
  const six = [
    '0307b8ae49ac90a048e9b53357a2354b3334e9c8bee813ecb98e99a7e07e8c3ba3',
    '03b28f0c28bfab54554ae8c658ac5c3e0ce6e79ad336331f78c428dd43eea8449b',
    '034b8113d703413d57761b8b9781957b8c0ac1dfe69f492580ca4195f50376ba4a',
    '033400f6afecb833092a9a21cfdf1ed1376e58c5d1f47de74683123987e967a8f4',
    '03a6d48b1131e94ba04d9737d61acdaa1322008af9602b3b14862c07a1789aac16',
    '02d8b661b0b3302ee2f162b09e07a55ad5dfbe673a9f01d9f0c19617681024306b',
  ];
  it.each([
    [
      'wpkh(025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee6357)',
      '00141d0f172a0ecb48aee1be1f2687d2963ae33f71a1',
    ],
    [
      'sh(wpkh(03ad1d8e89212f0b92c74d23bb710c00662ad1470198ac48c43f7d6f93a2a26873))',
      'a9144733f37cf4db86fbc2efed2500b4f4e49f31202387',
    ],
    [`sh(wsh(multi(6,${six.join(',')})))`, 'a9149993a429037b5d912407a71c252019287b8d27a587'],
  ])('%s', (text, script) => {
    expect(hex(expand(parse(text).descriptor, 0))).toEqual([script]);
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
    const hardenedParent = deriveKey({ ...(second as TreeKey).root, privateKey: secret }, [HARDENED + 3]);
    const cache: DescriptorCache = {
      parents: new Map([
        [0, node(first, 2)],
        [2, node(third, 1)],
      ]),
      children: new Map([[1, new Map([[5, withoutPrivateKey(deriveKey(hardenedParent, [HARDENED + 5]))]])]]),
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
