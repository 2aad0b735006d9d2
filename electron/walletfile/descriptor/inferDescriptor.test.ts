import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPath } from '../keys/extendedKey.ts';
import { makeOutputScript } from '../script/script.ts';
import { coreDescriptors, inferred } from '../testing/vectors.ts';
import { withChecksum } from './checksum.ts';
import { expand, expander } from './descriptorExpand.ts';
import { parseDescriptor } from './descriptorParse.ts';
import { writePublic } from './descriptorWrite.ts';
import { inferDescriptor, knownScriptsOf } from './inferDescriptor.ts';

const keys = [1, 2, 3, 4].map((n) => secp256k1.getPublicKey(new Uint8Array(32).fill(n)));
const nothing = knownScriptsOf([], []);

describe('scripts of Bitcoin Core', () => {
  it.each(inferred)('$descriptor', ({ script, descriptor, scripts, keys }) => {
    const known = knownScriptsOf(
      keys.map(([publicKey, origin]) => ({
        publicKey: hexToBytes(publicKey),
        ...(origin === ''
          ? {}
          : { origin: { fingerprint: origin.slice(0, 8), path: readPath(origin.slice(8)) ?? [] } }),
      })),
      scripts.map(hexToBytes),
    );
    expect(writePublic(inferDescriptor(hexToBytes(script), known, 'main'))).toBe(withChecksum(descriptor));
  });

  it.each(coreDescriptors)('of $withPublic lead to a descriptor of the same script', ({ withPrivate }) => {
    const { descriptor, privateKeys } = parseDescriptor(withPrivate, { network: 'main' });
    const { scripts, keys, innerScripts } = expander(descriptor, { privateKeys })(0);
    for (const script of scripts) {
      const found = inferDescriptor(script, knownScriptsOf(keys, innerScripts), 'main');
      expect(expand(found, 0)).toEqual([script]);
      expect(found.script.kind).not.toBe('raw');
      expect(found.script.kind).not.toBe('addr');
      const read = parseDescriptor(writePublic(found), { network: 'main', checksum: 'required' });
      expect(read.descriptor).toEqual(found);
    }
  });
});

describe('scripts without known keys', () => {
  it.each([
    ['76a914fdeca3b08e38af53d7c4c60e3ad208ce5066441088ac', 'addr(n4fajahJrAuKbN7uNsKjLjQkz9Qn5ewJXQ)'],
    ['a91436e9f191e0b75036a77f65e2eaa4752443233fbe87', 'addr(2MxFajLApXpYk4VodBSZSt7rw8y4ryABkfA)'],
    ['0014', 'raw(0014)'],
    ['6a04deadbeef', 'raw(6a04deadbeef)'],
    [
      '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
      'rawtr(79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798)',
    ],
  ])('%s', (script, text) => {
    expect(writePublic(inferDescriptor(hexToBytes(script), nothing, 'regtest'))).toBe(withChecksum(text));
  });

  it('become addresses for a taproot key off the curve', () => {
    const script = hexToBytes(`5120${'00'.repeat(32)}`);
    expect(inferDescriptor(script, nothing, 'regtest').script).toEqual({
      kind: 'addr',
      scriptPubKey: script,
    });
  });
});

describe('any script', () => {
  it('is what its descriptor expands to', () => {
    const known = knownScriptsOf(
      keys.map((publicKey) => ({ publicKey })),
      [],
    );
    const shaped = fc
      .tuple(
        fc.constantFrom('5120', '0014', '0020', '5221', '21', 'a914', '76a914'),
        fc.uint8Array({ maxLength: 80 }),
      )
      .map(([start, rest]) => concatBytes(hexToBytes(start), rest));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 120 }), shaped), (script) => {
        const found = inferDescriptor(script, known, 'main');
        expect(expand(found, 0)).toEqual([script]);
        expect(writePublic(found)).toMatch(/^[a-z]+\(.*\)#[a-z0-9]{8}$/);
      }),
      { numRuns: 500 },
    );
  });
});

describe('scripts inside of scripts', () => {
  const [a, b, c, d] = keys.map((key) => bytesToHex(key));
  const uncompressed = bytesToHex(secp256k1.getPublicKey(new Uint8Array(32).fill(1), false));
  /** Expands a descriptor and infers it again. */
  const again = (text: string) => {
    const { descriptor } = parseDescriptor(text, { network: 'regtest' });
    const { scripts, keys, innerScripts } = expander(descriptor)(0);
    const plain = keys.map(({ publicKey }) => ({ publicKey }));
    return scripts.map((script) =>
      writePublic(inferDescriptor(script, knownScriptsOf(plain, innerScripts), 'regtest')),
    );
  };

  it.each([
    `pk(${a})`,
    `pk(${uncompressed})`,
    `pkh(${a})`,
    `pkh(${uncompressed})`,
    `wpkh(${a})`,
    `sh(wpkh(${a}))`,
    `sh(pkh(${uncompressed}))`,
    `wsh(pk(${a}))`,
    `sh(wsh(pkh(${a})))`,
    `multi(1,${a},${b},${c})`,
    `sh(multi(2,${uncompressed},${b}))`,
    `wsh(multi(2,${a},${b},${c},${d}))`,
    `sh(wsh(multi(3,${a},${b},${c})))`,
  ])('%s', (text) => {
    expect(again(text)).toEqual([withChecksum(text)]);
  });

  it('become multi if they were sorted', () => {
    const [text] = again(`wsh(sortedmulti(1,${c},${a}))`);
    expect(text).toMatch(/^wsh\(multi\(1,/);
  });

  it('become addresses if they are invalid', () => {
    // An uncompressed key or a segwit script inside of a segwit script can never be spent.
    const segwit = expand(parseDescriptor(`wpkh(${a})`, { network: 'regtest' }).descriptor, 0);
    for (const inner of [
      ...segwit,
      makeOutputScript({ kind: 'p2pk', publicKey: hexToBytes(uncompressed) }),
    ]) {
      const known = knownScriptsOf(
        keys.map((publicKey) => ({ publicKey })),
        [inner],
      );
      const script = makeOutputScript({ kind: 'p2wsh', scriptHash: sha256(inner) });
      expect(inferDescriptor(script, known, 'regtest').script).toEqual({
        kind: 'addr',
        scriptPubKey: script,
      });
    }
  });

  it('can break a limit, which parsing reports', () => {
    const script = makeOutputScript({ kind: 'multisig', required: 1, publicKeys: keys });
    const found = inferDescriptor(script, nothing, 'regtest');
    expect(found.script.kind).toBe('multi');
    expect(() => parseDescriptor(writePublic(found), { network: 'regtest' })).toThrow(
      expect.objectContaining({
        finding: expect.objectContaining({ fault: { code: 'key_count_not_allowed', keys: 4, most: 3 } }),
      }),
    );
  });
});
