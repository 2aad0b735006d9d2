/**
 * Reads the hash in an address much faster than a general decoder, to look up the addresses of an address book: a wallet can have
 * hundreds of thousands.
 */

/** The version and the hash in a base58 address, 21 bytes. It skips the checksum. Null for other texts. */
export function hashInBase58(text: string): Uint8Array | null {
  if (text.length > LONGEST_BASE58) return null;
  // Digits of 24 bits, the lowest first. A digit times four characters is still an exact number.
  const digits = new Array<number>(DIGITS).fill(0);
  for (let from = 0; from < text.length; from += 4) {
    let [factor, value] = [1, 0];
    for (let at = from; at < Math.min(from + 4, text.length); at += 1) {
      const place = PLACES58[text.charCodeAt(at)] ?? NONE;
      if (place === NONE) return null;
      factor *= 58;
      value = value * 58 + place;
    }
    for (let digit = 0; digit < DIGITS; digit += 1) {
      value += (digits[digit] ?? 0) * factor;
      digits[digit] = value % DIGIT;
      value = Math.floor(value / DIGIT);
    }
    if (value > 0) return null;
  }
  const bytes = new Uint8Array(3 * DIGITS);
  for (const [digit, value] of digits.entries()) {
    const at = bytes.length - 3 * digit;
    bytes[at - 1] = value;
    bytes[at - 2] = value >> 8;
    bytes[at - 3] = value >> 16;
  }
  // Each leading 1 is a zero byte.
  let zeros = 0;
  while (text[zeros] === '1') zeros += 1;
  const first = bytes.findIndex((byte) => byte !== 0);
  const start = bytes.length - WITH_CHECKSUM;
  return first === start + zeros ? bytes.subarray(start, start + 21) : null;
}

/** The version, the hash and four bytes of checksum. */
const WITH_CHECKSUM = 25;
const DIGITS = 9;
const DIGIT = 2 ** 24;
const LONGEST_BASE58 = 35;
const NONE = 0xff;

/** The 20 bytes in a p2wpkh address in lower case (BIP 173). Null for other texts. */
export function hashInP2wpkh(text: string, hrp: string): Uint8Array | null {
  const first = hrp.length + 1;
  if (text.length !== first + 39 || !text.startsWith(`${hrp}1q`)) return null;
  let sum = 1;
  for (let at = 0; at < hrp.length; at += 1) sum = step(sum) ^ (hrp.charCodeAt(at) >> 5);
  sum = step(sum);
  for (let at = 0; at < hrp.length; at += 1) sum = step(sum) ^ (hrp.charCodeAt(at) & 31);
  const hash = new Uint8Array(20);
  let [bits, kept, end] = [0, 0, 0];
  for (let at = first; at < text.length; at += 1) {
    const place = PLACES32[text.charCodeAt(at)] ?? NONE;
    if (place === NONE) return null;
    sum = step(sum) ^ place;
    // The version comes first, and the checksum last.
    if (at === first || end === hash.length) continue;
    bits = ((bits << 5) | place) & 0xfff;
    kept += 5;
    if (kept < 8) continue;
    kept -= 8;
    hash[end] = bits >> kept;
    end += 1;
  }
  return sum === 1 ? hash : null;
}

/** The checksum of BIP 173 with one more symbol, which is to be added by exclusive or. */
function step(sum: number): number {
  const top = sum >>> 25;
  let next = (sum & 0x1ffffff) << 5;
  for (let bit = 0; bit < 5; bit += 1) if ((top >> bit) & 1) next ^= GENERATOR[bit] ?? 0;
  return next;
}

const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

function placesOf(characters: string): Uint8Array {
  const places = new Uint8Array(128).fill(NONE);
  for (const [place, character] of [...characters].entries()) places[character.charCodeAt(0)] = place;
  return places;
}

const PLACES58 = placesOf('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz');
const PLACES32 = placesOf('qpzry9x8gf2tvdw0s3jn54khce6mua7l');
