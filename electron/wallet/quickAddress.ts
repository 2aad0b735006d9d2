/**
 * The hash that an address stands for, without proof of the address's checksum: for finding out quickly whether the
 * wallet knows that hash. Whoever does not find it asks `scriptOfAddress`.
 */
import type { Network } from '../../shared/model.ts';

export interface AddressHash {
  kind: 'p2pkh' | 'p2sh' | 'p2wpkh';
  /** 20 bytes. */
  hash: Uint8Array;
}

/** `address` is in bytes of ASCII. Null for all but those three kinds of the network. */
export function quickAddress(address: Uint8Array, network: Network): AddressHash | null {
  return readSegwit(address, network) ?? readBase58(address, network);
}

const NOT_IN_ALPHABET = 0xff;
const testPrefixes = { p2pkh: 111, p2sh: 196 };

const prefixes: Record<Network, { p2pkh: number; p2sh: number; start: Uint8Array }> = {
  main: { p2pkh: 0, p2sh: 5, start: ascii('bc1q') },
  testnet3: { ...testPrefixes, start: ascii('tb1q') },
  testnet4: { ...testPrefixes, start: ascii('tb1q') },
  signet: { ...testPrefixes, start: ascii('tb1q') },
  regtest: { ...testPrefixes, start: ascii('bcrt1q') },
};

const BECH32 = values('qpzry9x8gf2tvdw0s3jn54khce6mua7l');
const BASE58 = values('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz');
/** Version byte, hash and checksum. */
const BASE58_BYTES = 25;
/** Characters read at a time, so that all products stay below 2^53. */
const BASE58_GROUP = 5;

function readSegwit(address: Uint8Array, network: Network): AddressHash | null {
  const { start } = prefixes[network];
  // 32 characters of five bits and six of checksum.
  if (address.length !== start.length + 38) return null;
  for (let at = 0; at < start.length; at += 1) if (address[at] !== start[at]) return null;
  const hash = new Uint8Array(20);
  let bits = 0;
  let count = 0;
  let filled = 0;
  for (let at = start.length; at < start.length + 32; at += 1) {
    const value = BECH32[address[at] ?? 0] ?? NOT_IN_ALPHABET;
    if (value === NOT_IN_ALPHABET) return null;
    bits = ((bits << 5) | value) & 0xfff;
    count += 5;
    if (count < 8) continue;
    count -= 8;
    hash[filled] = bits >> count;
    filled += 1;
  }
  return { kind: 'p2wpkh', hash };
}

function readBase58(address: Uint8Array, network: Network): AddressHash | null {
  if (address.length < 26 || address.length > 35) return null;
  // Limbs of 16 bits, the lowest first.
  const limbs = new Float64Array(Math.ceil(BASE58_BYTES / 2));
  for (let start = 0; start < address.length; start += BASE58_GROUP) {
    let factor = 1;
    let carry = 0;
    for (let at = start; at < Math.min(start + BASE58_GROUP, address.length); at += 1) {
      const value = BASE58[address[at] ?? 0] ?? NOT_IN_ALPHABET;
      if (value === NOT_IN_ALPHABET) return null;
      factor *= 58;
      carry = carry * 58 + value;
    }
    for (let limb = 0; limb < limbs.length; limb += 1) {
      const product = (limbs[limb] ?? 0) * factor + carry;
      carry = Math.floor(product / 0x10000);
      limbs[limb] = product - carry * 0x10000;
    }
    if (carry > 0) return null;
  }
  const version = limbs[12] ?? 0;
  const { p2pkh, p2sh } = prefixes[network];
  if (version !== p2pkh && version !== p2sh) return null;
  const hash = new Uint8Array(20);
  // The lowest two limbs are the checksum.
  for (let limb = 2; limb < 12; limb += 1) {
    const value = limbs[limb] ?? 0;
    hash[23 - limb * 2] = value & 0xff;
    hash[22 - limb * 2] = value >> 8;
  }
  return { kind: version === p2pkh ? 'p2pkh' : 'p2sh', hash };
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** The place of each character in an alphabet, by its code. */
function values(alphabet: string): Uint8Array {
  const found = new Uint8Array(256).fill(NOT_IN_ALPHABET);
  for (const [place, character] of [...alphabet].entries()) found[character.charCodeAt(0)] = place;
  return found;
}
