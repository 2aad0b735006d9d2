import { hexToBytes } from '@noble/hashes/utils.js';
import { HDKey } from '@scure/bip32';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { masterKeyOfSeed } from '../migrate/chainDescriptors.ts';
import {
  deriveKey,
  extendedKeyOfSeed,
  HARDENED,
  privateChildren,
  publicChildren,
  withoutPrivateKey,
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
});

describe('publicChildren', () => {
  const root = extendedKeyOfSeed(hexToBytes('000102030405060708090a0b0c0d0e0f'));
  const at = publicChildren(withoutPrivateKey(root));

  it('gives the keys that private keys give, in whatever order they are asked for', () => {
    for (const child of [0, 1, 2, HARDENED - 2, HARDENED - 1, 7, 1, 69])
      expect(at(child), String(child)).toEqual(deriveKey(root, [child]).publicKey);
    fc.assert(
      fc.property(fc.nat(HARDENED - 1), (child) => {
        expect(at(child)).toEqual(deriveKey(root, [child]).publicKey);
      }),
      { numRuns: 20 },
    );
  });
});

describe('masterOfSeed', () => {
  it('keeps the private key of the root as makeStoredKey does', () => {
    const { node, held } = masterKeyOfSeed(new Uint8Array(32).fill(2), null);
    const { der, checksum } = makeStoredKey({ privateKey: node.privateKey, compressed: true });
    expect(held).toEqual({ der, checksum });
  });
});
