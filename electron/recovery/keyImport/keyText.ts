/** One private key in one of the forms in which people keep single ones. */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Network } from '../../../shared/model/network.ts';
import { type PrivateKey, readWif } from '../../walletfile/keys/privateKey.ts';
import { openSealedKey, readSealedKey } from './bip38.ts';

export interface KeyTextOptions {
  /** Keys of other networks are not read; those of all are where it is not known. */
  network?: Network | undefined;
  /** For keys of BIP 38. */
  passphrase?: string | undefined;
}

/** `sealed`: a key of BIP 38 without a passphrase; `wrong`: with another one's. Null for what is no key. */
export function readKeyText(text: string, options: KeyTextOptions): PrivateKey | 'sealed' | 'wrong' | null {
  for (const network of networksOf(options)) {
    const key = readWif(text, network);
    if (key) return key;
  }
  return readMiniKey(text) ?? readSealed(text, options);
}

/** Hex, as pywallet writes it. */
export function readHexKey(text: string, compressed: boolean): PrivateKey | null {
  const privateKey = /^[0-9a-f]{64}$/i.test(text) ? hexToBytes(text) : null;
  return privateKey && secp256k1.utils.isValidSecretKey(privateKey) ? { privateKey, compressed } : null;
}

function networksOf({ network }: KeyTextOptions): readonly Network[] {
  return network === undefined ? ['main', 'testnet3'] : [network];
}

/** As on coins of Casascius: 22, 26 or 30 characters, whose hash with a question mark begins with a zero. */
function readMiniKey(text: string): PrivateKey | null {
  if (!/^S[1-9A-HJ-NP-Za-km-z]{21}(?:[1-9A-HJ-NP-Za-km-z]{4}){0,2}$/.test(text)) return null;
  if (sha256(utf8ToBytes(`${text}?`))[0] !== 0) return null;
  return { privateKey: sha256(utf8ToBytes(text)), compressed: false };
}

function readSealed(text: string, options: KeyTextOptions): PrivateKey | 'sealed' | 'wrong' | null {
  const sealed = readSealedKey(text);
  if (!sealed) return null;
  if (options.passphrase === undefined) return 'sealed';
  for (const network of networksOf(options)) {
    const key = openSealedKey(sealed, options.passphrase, network);
    if (key) return key;
  }
  return 'wrong';
}
