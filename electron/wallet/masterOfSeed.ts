/** The root of a seed's key tree, with its private key in the form in which the wallet will keep it. */
import { type ExtendedPrivateKey, extendedKeyOfSeed } from './extendedKey.ts';
import { type HeldKey, holdKey } from './ownKeys.ts';
import { makeStoredKey } from './privateKey.ts';

export interface MasterKey {
  node: ExtendedPrivateKey;
  held: HeldKey;
}

/** `masterKey` is the one of the wallet's encryption, null where it has none. */
export function masterOfSeed(seed: Uint8Array, masterKey: Uint8Array | null): MasterKey {
  const node = extendedKeyOfSeed(seed);
  const stored = makeStoredKey({ privateKey: node.privateKey, compressed: true });
  return { node, held: holdKey(node.privateKey, stored, masterKey) };
}
