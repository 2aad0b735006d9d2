/**
 * The hash that an address stands for, without proof of the address's checksum: for finding out quickly whether the
 * wallet knows that hash. Whoever does not find it asks `scriptOfAddress`.
 */
import { type Network, networks } from '../../../shared/network.ts';
import { bytesOf, byteText } from '../bytes/byteText.ts';
import { addressPrefixes } from './address.ts';

interface AddressHash {
  kind: 'p2pkh' | 'p2sh' | 'p2wpkh';
  /** The `byteText` of 20 bytes. */
  hash: string;
}

/** `address` is in bytes of ASCII. Null for all but those three kinds of the network. */
export function quickAddress(address: Uint8Array, network: Network): AddressHash | null {
  return readSegwit(address, network) ?? readBase58(address, network);
}

const NOT_IN_ALPHABET = 0xff;
/** How p2wpkh addresses start: witness version 0 is written `q`. */
const segwitStarts = new Map(
  networks.map((network) => [network, bytesOf(`${addressPrefixes[network].hrp}1q`)]),
);

const BECH32 = values('qpzry9x8gf2tvdw0s3jn54khce6mua7l');
const BASE58 = values('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz');
/** Characters read at a time, and bits of a limb: so few that all products stay below 2^53. */
const GROUP = 4;
const LIMB_BITS = 24;
const LIMB = 2 ** LIMB_BITS;
/** Limbs of version byte, hash and checksum: 25 bytes, the first in a limb of its own. */
const LIMBS = 9;

function readSegwit(address: Uint8Array, network: Network): AddressHash | null {
  const start = segwitStarts.get(network) ?? new Uint8Array();
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
  return { kind: 'p2wpkh', hash: byteText(hash) };
}

function readBase58(address: Uint8Array, network: Network): AddressHash | null {
  if (address.length < 26 || address.length > 35) return null;
  // The lowest first.
  const limbs = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  let used = 0;
  for (let at = 0; at < address.length; ) {
    let factor = 1;
    let carry = 0;
    for (const end = Math.min(at + GROUP, address.length); at < end; at += 1) {
      const value = BASE58[address[at] ?? 0] ?? NOT_IN_ALPHABET;
      if (value === NOT_IN_ALPHABET) return null;
      factor *= 58;
      carry = carry * 58 + value;
    }
    for (let limb = 0; limb < used; limb += 1) {
      const product = (limbs[limb] ?? 0) * factor + carry;
      carry = Math.floor(product / LIMB);
      limbs[limb] = product - carry * LIMB;
    }
    for (; carry > 0; used += 1) {
      if (used === LIMBS) return null;
      limbs[used] = carry % LIMB;
      carry = Math.floor(carry / LIMB);
    }
  }
  const version = limbs[LIMBS - 1] ?? 0;
  const { p2pkh, p2sh } = addressPrefixes[network];
  if (version !== p2pkh && version !== p2sh) return null;
  // The lowest four bytes are the checksum.
  let hash = '';
  for (let byte = 4; byte < 24; byte += 1) {
    const limb = limbs[Math.floor(byte / 3)] ?? 0;
    hash = String.fromCharCode((limb >> ((byte % 3) * 8)) & 0xff) + hash;
  }
  return { kind: version === p2pkh ? 'p2pkh' : 'p2sh', hash };
}

/** The place of each character in an alphabet, by its code. */
function values(alphabet: string): Uint8Array {
  const found = new Uint8Array(256).fill(NOT_IN_ALPHABET);
  for (const [place, character] of [...alphabet].entries()) found[character.charCodeAt(0)] = place;
  return found;
}
