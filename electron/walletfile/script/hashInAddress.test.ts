import { sha256 } from '@noble/hashes/sha2.js';
import { base58, bech32, createBase58check } from '@scure/base';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hashInBase58, hashInP2wpkh } from './hashInAddress.ts';

const hash = fc.uint8Array({ minLength: 20, maxLength: 20 });
const base58check = createBase58check(sha256);

it('reads what a general decoder reads from a base58 address', () => {
  const few = fc.uint8Array({ minLength: 21, maxLength: 21, max: 2 });
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ minLength: 21, maxLength: 21 }), few), (bytes) => {
      expect(hashInBase58(base58check.encode(bytes))).toEqual(bytes);
    }),
  );
});

it('reads no base58 of another length', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      fc.pre(bytes.length !== 25);
      expect(hashInBase58(base58.encode(bytes))).toBeNull();
    }),
  );
  for (const text of ['', '1', '0OIl', '1'.repeat(34), 'z'.repeat(35), 'mé'])
    expect(hashInBase58(text)).toBeNull();
});

it('reads what a general decoder reads from a p2wpkh address', () => {
  fc.assert(
    fc.property(hash, fc.constantFrom('bc', 'tb', 'bcrt'), fc.nat(38), (bytes, hrp, place) => {
      const address = bech32.encode(hrp, [0, ...bech32.toWords(bytes)]);
      expect(hashInP2wpkh(address, hrp)).toEqual(bytes);
      // One letter is changed.
      const at = hrp.length + 1 + place;
      const other = address[at] === 'q' ? 'p' : 'q';
      expect(hashInP2wpkh(`${address.slice(0, at)}${other}${address.slice(at + 1)}`, hrp)).toBeNull();
    }),
  );
});

it('reads no other text as a p2wpkh address', () => {
  const of = (words: number[], hrp = 'bc') => bech32.encode(hrp, words);
  const program = bech32.toWords(new Uint8Array(20));
  for (const text of [
    of([1, ...program]),
    of([0, ...bech32.toWords(new Uint8Array(32))]),
    of([0, ...program], 'tb'),
    'bc1q',
  ])
    expect(hashInP2wpkh(text, 'bc')).toBeNull();
});
