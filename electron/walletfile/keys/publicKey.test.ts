import { secp256k1 } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

const { Point, utils } = secp256k1;
const scalar = fc.bigInt({ min: 1n, max: Point.Fn.ORDER - 1n });

describe.each([
  { by: 'libsecp256k1', isReady: true },
  { by: '@noble/curves, where there is no WebAssembly', isReady: false },
])('by $by', ({ isReady }) => {
  async function loaded() {
    vi.resetModules();
    if (!isReady) {
      vi.doMock('@bitauth/libauth/build/lib/crypto/secp256k1.js', () => ({
        instantiateSecp256k1: () => Promise.reject(new Error('no WebAssembly')),
      }));
    }
    const keys = await import('./publicKey.ts');
    expect(await keys.preloadSecp256k1()).toBe(isReady);
    vi.doUnmock('@bitauth/libauth/build/lib/crypto/secp256k1.js');
    return keys;
  }

  it('makes the public key of a private key', async () => {
    const { publicKeyOf } = await loaded();
    fc.assert(
      fc.property(scalar, fc.boolean(), (number, compressed) => {
        const point = Point.BASE.multiply(number);
        expect(publicKeyOf(Point.Fn.toBytes(number), compressed)).toEqual(point.toBytes(compressed));
      }),
      { numRuns: 20 },
    );
  });

  it('adds to a public key', async () => {
    const { tweakedPublicKey } = await loaded();
    fc.assert(
      fc.property(scalar, scalar, fc.boolean(), (number, tweak, compressed) => {
        // No public key is the sum of a key and its opposite.
        fc.pre(Point.Fn.add(number, tweak) !== 0n);
        const point = Point.BASE.multiply(number);
        const wanted = Point.BASE.multiply(Point.Fn.add(number, tweak)).toBytes(true);
        expect(tweakedPublicKey(point.toBytes(compressed), Point.Fn.toBytes(tweak))).toEqual(wanted);
      }),
      { numRuns: 20 },
    );
  });

  it('distinguishes a public key from other bytes', async () => {
    const { isPublicKey } = await loaded();
    fc.assert(
      fc.property(scalar, fc.boolean(), (number, compressed) => {
        const bytes = Point.BASE.multiply(number).toBytes(compressed);
        expect(isPublicKey(bytes)).toBe(true);
        expect(isPublicKey(bytes.subarray(0, -1))).toBe(false);
        expect(isPublicKey(Uint8Array.of(...bytes, 0))).toBe(false);
        expect(isPublicKey(bytes.with(0, 6))).toBe(false);
        if (!compressed) expect(isPublicKey(bytes.with(64, (bytes[64] ?? 0) ^ 1))).toBe(false);
      }),
      { numRuns: 20 },
    );
    // x = 5 is that of no point of the curve.
    expect(isPublicKey(Uint8Array.of(2, ...new Uint8Array(31), 5))).toBe(false);
    expect(isPublicKey(new Uint8Array())).toBe(false);
  });

  it('rejects invalid private keys', async () => {
    const { publicKeyOf, tweakedPublicKey } = await loaded();
    const order = Point.Fn.ORDER;
    const overflow = Uint8Array.from(Buffer.from(order.toString(16), 'hex'));
    for (const none of [new Uint8Array(32), overflow, new Uint8Array(31).fill(1)])
      expect(() => publicKeyOf(none)).toThrow();
    const key = publicKeyOf(utils.randomSecretKey());
    for (const none of [overflow, new Uint8Array(31).fill(1)])
      expect(() => tweakedPublicKey(key, none)).toThrow();
    expect(() => tweakedPublicKey(new Uint8Array(33).fill(2), new Uint8Array(32).fill(1))).not.toThrow();
    expect(() => tweakedPublicKey(new Uint8Array(33).fill(5), new Uint8Array(32).fill(1))).toThrow();
    const opposite = Point.Fn.toBytes(order - 1n);
    expect(() => tweakedPublicKey(Point.BASE.toBytes(true), opposite)).toThrow();
  });
});
