import { secp256k1 } from '@noble/curves/secp256k1.js';
import { HDKey } from '@scure/bip32';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { masterOfSeed } from '../migrate/chainDescriptors.ts';
import {
  deriveKey,
  extendedKeyOfSeed,
  HARDENED,
  privateChildren,
  publicKeyOf,
  writeExtendedPrivateKey,
} from './extendedKey.ts';
import { makeStoredKey } from './privateKey.ts';

const seed = fc.uint8Array({ minLength: 32, maxLength: 32 });
const step = fc.integer({ min: 0, max: 2 ** 32 - 1 });

describe('deriveKey', () => {
  it('gives the private keys that the library gives', () => {
    fc.assert(
      fc.property(seed, fc.array(step, { maxLength: 3 }), (seed, path) => {
        const end = path.reduce((node, child) => node.deriveChild(child), HDKey.fromMasterSeed(seed));
        const found = deriveKey(extendedKeyOfSeed(seed), path);
        expect(writeExtendedPrivateKey(found, 'main')).toBe(end.privateExtendedKey);
        expect(found.publicKey).toEqual(end.publicKey);
      }),
      { numRuns: 10 },
    );
  });

  it('gives children without public keys one after the other', () => {
    const root = extendedKeyOfSeed(new Uint8Array(32).fill(1));
    const child = privateChildren(root);
    for (const number of [HARDENED, 0, HARDENED + 7, 1]) {
      const { privateKey, chainCode } = deriveKey(root, [number]);
      expect(child(number)).toEqual({ privateKey, chainCode });
    }
  });

  it('gives the public keys of small and of large numbers', () => {
    for (const number of [1n, 2n, secp256k1.Point.Fn.ORDER - 1n]) {
      const privateKey = secp256k1.Point.Fn.toBytes(number);
      expect(publicKeyOf(privateKey)).toEqual(secp256k1.getPublicKey(privateKey, true));
    }
  });
});

describe('deriveKey where Node comes without the curve', () => {
  it('gives the same', async () => {
    vi.resetModules();
    const createECDH = vi.fn(() => {
      throw new Error('Invalid EC curve name');
    });
    vi.doMock('node:crypto', async (original) => ({
      ...(await original<typeof import('node:crypto')>()),
      createECDH,
    }));
    const without = await import('./extendedKey.ts');
    vi.doUnmock('node:crypto');
    expect(createECDH).toHaveBeenCalledOnce();
    const root = extendedKeyOfSeed(new Uint8Array(32).fill(2));
    expect(without.extendedKeyOfSeed(new Uint8Array(32).fill(2))).toEqual(root);
    expect(without.deriveKey(root, [HARDENED, 5])).toEqual(deriveKey(root, [HARDENED, 5]));
    expect(createECDH).toHaveBeenCalledOnce();
  });
});

describe('masterOfSeed', () => {
  it('keeps the private key of the root as makeStoredKey does', () => {
    const { node, held } = masterOfSeed(new Uint8Array(32).fill(2), null);
    const { der, checksum } = makeStoredKey({ privateKey: node.privateKey, compressed: true });
    expect(held).toEqual({ der, checksum });
  });
});
