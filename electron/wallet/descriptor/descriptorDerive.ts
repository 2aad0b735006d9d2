/** The public keys that a key expression stands for, out of private keys, a wallet file's cache or neither. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { say } from '../../../shared/text/say.ts';
import { once } from '../bytes/once.ts';
import {
  deriveKey,
  type ExtendedPrivateKey,
  type ExtendedPublicKey,
  HARDENED,
  withoutPrivateKey,
  withPrivateKey,
} from '../key/extendedKey.ts';
import { publicChildren } from '../key/publicChildren.ts';
import type { KeyExpression, KeySources, PrivateKeys, SingleKey, TreeKey } from './descriptor.ts';
import { descriptorError } from './descriptorError.ts';

/**
 * A function that gives the public key (33 or 65 bytes) at an index. What all indexes share is derived once, at
 * the first call. `place` is the key's number in its descriptor. The function throws AppError `bad_input`
 * when a hardened step needs a private key that is not there.
 */
export function publicKeyAt(
  { key }: KeyExpression,
  place: number,
  { privateKeys, cache }: KeySources,
): (index: number) => Uint8Array {
  if (key.kind === 'single') return () => key.publicKey;
  if (key.children === 'hardened') {
    const remembered = cache?.children.get(place);
    const parent = once(() => privateNode(key, key.path.length, privateKeys));
    return (index) => remembered?.get(index)?.publicKey ?? deriveKey(parent(), [index + HARDENED]).publicKey;
  }
  const parent = () => cache?.parents.get(place) ?? treeNode(key, key.path.length, privateKeys);
  if (key.children === 'none') {
    const end = once(() => parent().publicKey);
    return () => end();
  }
  const child = once(() => publicChildren(parent()));
  return (index) => child()(index);
}

/** The node after the first steps of a tree key's path. Throws as `publicKeyAt`'s function does. */
export function treeNode(key: TreeKey, steps: number, privateKeys?: PrivateKeys): ExtendedPublicKey {
  const path = key.path.slice(0, steps);
  if (path.every((child) => child < HARDENED)) return deriveKey(key.root, path);
  return withoutPrivateKey(privateNode(key, steps, privateKeys));
}

/** The private key of a key expression, of a tree key's root; undefined when it is not among them. */
export function privateKeyOf(key: SingleKey | TreeKey, privateKeys: PrivateKeys): Uint8Array | undefined {
  if (key.kind === 'tree') return privateKeys.get(bytesToHex(key.root.publicKey));
  const found = privateKeys.get(bytesToHex(key.publicKey));
  if (found || !key.xOnly) return found;
  // 32 bytes do not tell which of two points was meant, and both have the same use in taproot.
  return privateKeys.get(`03${bytesToHex(key.publicKey.subarray(1))}`);
}

function privateNode(key: TreeKey, steps: number, privateKeys?: PrivateKeys): ExtendedPrivateKey {
  const privateKey = privateKeys && privateKeyOf(key, privateKeys);
  if (!privateKey) {
    throw descriptorError(
      say('A hardened step of this descriptor needs its private key.'),
      say('Nothing was changed. If the wallet is encrypted, its passphrase is needed for this.'),
    );
  }
  return deriveKey(withPrivateKey(key.root, privateKey), key.path.slice(0, steps));
}
