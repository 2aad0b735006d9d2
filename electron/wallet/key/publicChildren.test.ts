import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deriveKey, extendedKeyOfSeed, HARDENED } from './extendedKey.ts';
import { publicChildren, publicMultiple } from './publicChildren.ts';

const root = extendedKeyOfSeed(hexToBytes('000102030405060708090a0b0c0d0e0f'));
const childOf = (child: number) => deriveKey(root, [child]).publicKey;

describe('publicChildren', () => {
  it('gives the keys that private keys give', () => {
    fc.assert(
      fc.property(fc.nat(HARDENED - 1), (child) => {
        expect(publicChildren(root)(child)).toEqual(childOf(child));
      }),
      { numRuns: 20 },
    );
  });

  it('gives them in whatever order they are asked for', () => {
    const at = publicChildren(root);
    const rising = Array.from({ length: 70 }, (_, child) => child);
    const jumps = [HARDENED - 3, HARDENED - 2, HARDENED - 1, 7, 8, 9, 10, 9, 12, 3, 69];
    for (const child of [...rising, ...jumps]) expect(at(child), String(child)).toEqual(childOf(child));
  });
});

describe('publicMultiple', () => {
  it('multiplies the generator', () => {
    const { Point } = secp256k1;
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: Point.Fn.ORDER - 1n }), (scalar) => {
        expect(publicMultiple(scalar).equals(Point.BASE.multiply(scalar))).toBe(true);
      }),
      { numRuns: 20 },
    );
    expect(publicMultiple(0n).is0()).toBe(true);
  });
});
