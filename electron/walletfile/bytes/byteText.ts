/** Bytes as texts: one character a byte for look-ups, and UTF-8 as wallet files hold it. */
import { isUtf8 } from 'node:buffer';

/** As long as the bytes, of characters up to U+00FF. Two are equal exactly when their bytes are. */
export function byteText(bytes: Uint8Array): string {
  if (bytes.length <= FEW) return Reflect.apply(String.fromCharCode, undefined, bytes);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** So few that they can be the arguments of a call, which is the faster way. */
const FEW = 256;

/** The bytes of a text that `byteText` gave. */
export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'latin1'));
}

/**
 * The bytes of a wallet file's text, which is UTF-8. Some wallets hold bytes that are not UTF-8. Each such byte becomes an
 * unpaired surrogate U+DC80 to U+DCFF (as in Python's PEP 383), so that every text is written back as it was read.
 */
export function bytesOfText(value: string): Uint8Array {
  if (!LONE_SURROGATE.test(value)) return encoder.encode(value);
  const bytes: number[] = [];
  // Iterating gives whole characters, so a surrogate met here is a lone one.
  for (const character of value) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= SURROGATE + 0x80 && code <= SURROGATE + 0xff) bytes.push(code - SURROGATE);
    else bytes.push(...encoder.encode(character));
  }
  return Uint8Array.from(bytes);
}

export function textOfBytes(bytes: Uint8Array): string {
  const ascii = byteText(bytes);
  if (!BEYOND_ASCII.test(ascii)) return ascii;
  if (isUtf8(bytes)) return decoder.decode(bytes);
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = lengthOfCharacter(bytes, at);
    if (length === 0) {
      parts.push(decoder.decode(bytes.subarray(from, at)), String.fromCharCode(SURROGATE + (bytes[at] ?? 0)));
      from = at + 1;
    }
    at += length || 1;
  }
  return parts.join('') + decoder.decode(bytes.subarray(from));
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();
const SURROGATE = 0xdc00;
/** Most texts have none, and a wallet can have a million of them. */
const BEYOND_ASCII = /[\u0080-\u00ff]/;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Bytes of the character at a place; 0 where there is none. By the table of well-formed UTF-8 in chapter 3 of Unicode. */
function lengthOfCharacter(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const lowest = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const highest = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  const second = bytes[at + 1] ?? 0;
  if (second < lowest || second > highest) return 0;
  for (let next = at + 2; next < at + length; next += 1) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}
