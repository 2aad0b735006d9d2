/** The root of a seed's key tree, with its private key in the form in which the wallet will keep it. */
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import type { ExtendedPrivateKey } from '../key/extendedKey.ts';
import { derForms, keyChecksum } from '../key/privateKey.ts';
import { quickRoot } from '../key/quickDerive.ts';
import { type HeldKey, holdKey } from '../legacy/heldKeys.ts';

export interface MasterKey {
  node: ExtendedPrivateKey;
  held: HeldKey;
}

/** `masterKey` is the one of the wallet's encryption, null where it has none. */
export function masterOfSeed(seed: Uint8Array, masterKey: Uint8Array | null): MasterKey {
  const node = quickRoot(seed);
  const { privateKey, publicKey } = node;
  const der = concatBytes(derForms.compressed.start, privateKey, DER_CURVE, publicKey);
  const stored = { publicKey, der, checksum: keyChecksum(publicKey, der) };
  return { node, held: holdKey(privateKey, stored, masterKey) };
}

/** What stands between the two keys in `writeDer`: the same for every compressed key. */
const DER_CURVE = hexToBytes(
  'a08185308182020101302c06072a8648ce3d0101022100fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f' +
    '300604010004010704210279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798022100ffffffffffffffff' +
    'fffffffffffffffebaaedce6af48a03bbfd25e8cd0364141020101a124032200',
);
