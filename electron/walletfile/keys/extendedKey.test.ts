import { hexToBytes } from '@noble/hashes/utils.js';
import { HDKey } from '@scure/bip32';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/model/errors.ts';
import { networks } from '../../../shared/model/network.ts';
import { chainRootOfSeed } from '../migrate/plannedDescriptor.ts';
import { invalidExtendedKeys, trees } from '../testing/vectors.ts';
import {
  deriveChild,
  extendedKeyOfSeed,
  extendedPublicKeyRecord,
  fingerprintOf,
  HARDENED,
  privateChildDeriver,
  publicChildDeriver,
  readExtendedKey,
  readExtendedPublicKeyRecord,
  readPath,
  withoutPrivateKey,
  writeExtendedPrivateKey,
  writeExtendedPublicKey,
  writePath,
} from './extendedKey.ts';
import { makeStoredKey } from './privateKey.ts';

const root = extendedKeyOfSeed(hexToBytes('000102030405060708090a0b0c0d0e0f'));

describe('key trees of BIP 32', () => {
  it.each(trees)('$seed $path', ({ seed, path, xpub, xprv }) => {
    const key = deriveChild(extendedKeyOfSeed(hexToBytes(seed)), readPath(path) ?? [NaN]);
    expect(writeExtendedPublicKey(key, 'main')).toBe(xpub);
    expect(writeExtendedPrivateKey(key, 'main')).toBe(xprv);
    expect(readExtendedKey(xprv, 'main')).toEqual(key);
    expect(readExtendedKey(xpub, 'main')).toEqual(withoutPrivateKey(key));
    expect(readExtendedKey(xpub, 'regtest')).toBeNull();
  });

  it.each(invalidExtendedKeys)('%s is refused', (text) => {
    for (const network of networks) expect(readExtendedKey(text, network)).toBeNull();
  });

  it('has the texts of test networks too', () => {
    expect(writeExtendedPublicKey(root, 'signet')).toMatch(/^tpub/);
    expect(writeExtendedPrivateKey(root, 'regtest')).toMatch(/^tprv/);
    expect(readExtendedKey(writeExtendedPrivateKey(root, 'regtest'), 'testnet4')).toEqual(root);
  });
});

describe('derivation', () => {
  it('needs the private key for hardened steps', () => {
    const derive = () => deriveChild(withoutPrivateKey(root), [0, HARDENED]);
    expect(derive).toThrow(AppError);
    expect(derive).toThrow(expect.objectContaining({ finding: { code: 'private_key_needed' } }));
  });

  it('ends at depth 255', () => {
    const deep = deriveChild(root, Array(255).fill(0));
    expect(deep.depth).toBe(255);
    expect(() => deriveChild(deep, [0])).toThrow(
      expect.objectContaining({ finding: { code: 'key_path_too_long' } }),
    );
  });

  it('names keys by their fingerprint', () => {
    expect(fingerprintOf(root.publicKey)).toBe('3442193e');
    expect(deriveChild(root, [HARDENED]).parentFingerprint).toBe(0x3442193e);
  });
});

describe('the record of a public key', () => {
  it('leads back to the key', () => {
    const key = withoutPrivateKey(deriveChild(root, [HARDENED + 5, 7]));
    expect(extendedPublicKeyRecord(key)).toHaveLength(74);
    expect(readExtendedPublicKeyRecord(extendedPublicKeyRecord(key))).toEqual(key);
  });

  it('is refused of a root that has a parent or a number', () => {
    const bytes = extendedPublicKeyRecord(root);
    expect(readExtendedPublicKeyRecord(bytes)).toEqual(withoutPrivateKey(root));
    expect(readExtendedPublicKeyRecord(bytes.with(4, 1))).toBeNull();
    expect(readExtendedPublicKeyRecord(bytes.with(8, 1))).toBeNull();
    expect(readExtendedPublicKeyRecord(bytes.with(0, 1).with(4, 1))).not.toBeNull();
  });

  it('is refused when it is cut, or holds no public key', () => {
    const bytes = extendedPublicKeyRecord(root);
    expect(readExtendedPublicKeyRecord(bytes.subarray(1))).toBeNull();
    expect(readExtendedPublicKeyRecord(bytes.with(41, 0))).toBeNull();
    expect(readExtendedPublicKeyRecord(bytes.with(41, 4))).toBeNull();
    expect(readExtendedPublicKeyRecord(bytes.fill(255, 42))).toBeNull();
  });
});

describe('paths', () => {
  it.each([
    ["m/84h/1'/0H/0/7", [HARDENED + 84, HARDENED + 1, HARDENED, 0, 7]],
    ['/1/2h', [1, HARDENED + 2]],
    ['0', [0]],
    ['m', []],
    ['', []],
    ['m/2147483647h', [2 ** 32 - 1]],
  ])('%s', (text, path) => {
    expect(readPath(text)).toEqual(path);
    expect(readPath(writePath(path))).toEqual(path);
  });

  it.each(['m/', '/', 'm/2147483648', 'm/1hh', 'm/-1', 'm/+1', 'm/1 ', 'x/1', 'm/m', 'm//1', 'm/1e3', "m/'"])(
    '%j is none',
    (text) => {
      expect(readPath(text)).toBeNull();
    },
  );

  it('are written with the given mark', () => {
    expect(writePath([HARDENED + 84, 1])).toBe('/84h/1');
    expect(writePath([HARDENED + 84, 1], "'")).toBe("/84'/1");
  });
});

const seed = fc.uint8Array({ minLength: 32, maxLength: 32 });
const step = fc.integer({ min: 0, max: 2 ** 32 - 1 });

describe('deriveChild', () => {
  it('gives the keys that @scure/bip32 gives, with and without private keys', () => {
    fc.assert(
      fc.property(seed, fc.array(step, { maxLength: 3 }), (seed, path) => {
        const end = path.reduce((node, child) => node.deriveChild(child), HDKey.fromMasterSeed(seed));
        const found = deriveChild(extendedKeyOfSeed(seed), path);
        expect(writeExtendedPrivateKey(found, 'main')).toBe(end.privateExtendedKey);
        expect(found.publicKey).toEqual(end.publicKey);
        expect(readExtendedKey(end.privateExtendedKey, 'main')).toEqual(found);
        const below = path.map((child) => child % HARDENED);
        const publicEnd = below.reduce(
          (node, child) => node.deriveChild(child),
          HDKey.fromExtendedKey(end.publicExtendedKey),
        );
        const publicFound = deriveChild(withoutPrivateKey(found), below);
        expect(writeExtendedPublicKey(publicFound, 'main')).toBe(publicEnd.publicExtendedKey);
      }),
      { numRuns: 10 },
    );
  });

  it('gives children without public keys one after the other', () => {
    const root = extendedKeyOfSeed(new Uint8Array(32).fill(1));
    const child = privateChildDeriver(root);
    for (const number of [HARDENED, 0, HARDENED + 7, 1]) {
      const { privateKey, chainCode } = deriveChild(root, [number]);
      expect(child(number)).toEqual({ privateKey, chainCode });
    }
  });
});

describe('publicChildDeriver', () => {
  const root = extendedKeyOfSeed(hexToBytes('000102030405060708090a0b0c0d0e0f'));
  const at = publicChildDeriver(withoutPrivateKey(root));

  it('derives the same keys as from private keys, in any order', () => {
    for (const child of [0, 1, 2, HARDENED - 2, HARDENED - 1, 7, 1, 69])
      expect(at(child), String(child)).toEqual(deriveChild(root, [child]).publicKey);
    fc.assert(
      fc.property(fc.nat(HARDENED - 1), (child) => {
        expect(at(child)).toEqual(deriveChild(root, [child]).publicKey);
      }),
      { numRuns: 20 },
    );
  });

  it('gives the same keys again, of more parents and children than it remembers', () => {
    const parents = Array.from({ length: 45 }, (_, at) => deriveChild(root, [at]));
    const children = [0, 1, 2500];
    const [first, again] = [1, 2].map(() =>
      parents.map((parent) => children.map(publicChildDeriver(withoutPrivateKey(parent)))),
    );
    expect(again).toEqual(first);
    expect(first).toEqual(
      parents.map((parent) => children.map((child) => deriveChild(parent, [child]).publicKey)),
    );
  });
});

describe('chainRootOfSeed', () => {
  it('keeps the private key of the root as makeStoredKey does', () => {
    const { node, secret } = chainRootOfSeed(new Uint8Array(32).fill(2), null);
    const { der, checksum } = makeStoredKey({ privateKey: node.privateKey, compressed: true });
    expect(secret).toEqual({ der, checksum });
  });
});
