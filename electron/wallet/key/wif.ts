/** The wallet import format: the text form of one private key. */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { createBase58check } from '@scure/base';
import type { Network } from '../../../shared/network.ts';
import type { PrivateKey } from './privateKey.ts';

/** The key of a text, or null when the text is not the import format of a key of this network. */
export function readWif(text: string, network: Network): PrivateKey | null {
  if (text.length > MAX_LENGTH) return null;
  const data = decode(text);
  if (!data || data[0] !== versionOf(network)) return null;
  const compressed = data.length === 34 && data[33] === 1;
  if (!compressed && data.length !== 33) return null;
  const privateKey = data.slice(1, 33);
  return secp256k1.utils.isValidSecretKey(privateKey) ? { privateKey, compressed } : null;
}

/** The import format of a private key of 32 bytes. What comes out is a secret. */
export function writeWif({ privateKey, compressed }: PrivateKey, network: Network): string {
  const mark = compressed ? Uint8Array.of(1) : new Uint8Array();
  return base58check.encode(concatBytes(Uint8Array.of(versionOf(network)), privateKey, mark));
}

const base58check = createBase58check(sha256);
const MAX_LENGTH = 60;

function versionOf(network: Network): number {
  return network === 'main' ? 128 : 239;
}

function decode(text: string): Uint8Array | null {
  try {
    return base58check.decode(text);
  } catch {
    return null;
  }
}
