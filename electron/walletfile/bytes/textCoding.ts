/** Conversions between bytes and strings: one character per byte, for look-ups, and UTF-8, for the text in wallet files. */
import { isUtf8 } from 'node:buffer';

/** One character up to U+00FF for each byte, so that bytes can be keys of a Map. */
export function toLatin1(bytes: Uint8Array): string {
  if (bytes.length <= FEW) return Reflect.apply(String.fromCharCode, undefined, bytes);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** Bytes. Up to this length, passing them as arguments is faster. */
const FEW = 256;

/** The reverse of `toLatin1`. */
export function fromLatin1(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  if (text.length > FEW) bytes.set(Buffer.from(text, 'latin1'));
  else for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/**
 * The bytes of a wallet file's text, which is UTF-8. Bytes that are not valid UTF-8 are unpaired surrogates U+DC80 to U+DCFF
 * in the string (as in Python's PEP 383), so that every text is written back unchanged.
 */
export function encodeUtf8(value: string): Uint8Array {
  if (!LONE_SURROGATE.test(value)) return encoder.encode(value);
  const bytes: number[] = [];
  // Iterating yields surrogate pairs as one character, so a surrogate here is unpaired.
  for (const character of value) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= SURROGATE + 0x80 && code <= SURROGATE + 0xff) bytes.push(code - SURROGATE);
    else bytes.push(...encoder.encode(character));
  }
  return Uint8Array.from(bytes);
}

/** The reverse of `encodeUtf8`. */
export function decodeUtf8(bytes: Uint8Array): string {
  const ascii = toLatin1(bytes);
  if (!BEYOND_ASCII.test(ascii)) return ascii;
  if (isUtf8(bytes)) return decoder.decode(bytes);
  // No text has more UTF-16 code units than bytes. Joining a string for each byte would take a second for a text of 1 MB.
  const units = new Uint16Array(bytes.length);
  let count = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = lengthOfCharacter(bytes, at);
    const first = bytes[at] ?? 0;
    let code = length === 0 ? SURROGATE + first : length === 1 ? first : first & (0xff >> (length + 1));
    for (let next = 1; next < length; next += 1) code = (code << 6) | ((bytes[at + next] ?? 0) & 0x3f);
    if (code > 0xffff) units[count++] = 0xd7c0 + (code >> 10);
    units[count++] = code > 0xffff ? SURROGATE + (code & 0x3ff) : code;
    at += length || 1;
  }
  return Buffer.from(units.buffer, 0, 2 * count).toString('utf16le');
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();
const SURROGATE = 0xdc00;
/** Most texts are ASCII, and a wallet can have a million of them. */
const BEYOND_ASCII = /[\u0080-\u00ff]/;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** The length in bytes of the character at an offset; 0 if invalid. Source: table 3-7 of Unicode (well-formed UTF-8). */
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
