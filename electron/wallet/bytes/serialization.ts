/** Bitcoin's own serialization as coders: compact sizes, byte strings, texts and hashes (`serialize.h`). */
import * as P from 'micro-packed';

/** The largest size Bitcoin Core takes from a compact size (`MAX_SIZE`), so that no length asks for more. */
const MAX_SIZE = 0x02000000;

/** A length or a count in 1, 3, 5 or 9 bytes, always the fewest that hold it. */
export const compactSize: P.CoderType<number> = P.wrap({
  encodeStream(writer, size: number) {
    if (size < 0xfd) return writer.byte(size);
    if (size > MAX_SIZE) throw writer.err('size too large');
    const [mark, coder] = size <= 0xffff ? [0xfd, P.U16LE] : [0xfe, P.U32LE];
    writer.byte(mark);
    coder.encodeStream(writer, size);
  },
  decodeStream(reader) {
    const first = reader.byte();
    if (first < 0xfd) return first;
    if (first === 0xff) throw reader.err('size too large');
    const size = first === 0xfd ? P.U16LE.decodeStream(reader) : P.U32LE.decodeStream(reader);
    if (size < (first === 0xfd ? 0xfd : 0x10000)) throw reader.err('size longer than needed');
    if (size > MAX_SIZE) throw reader.err('size too large');
    return size;
  },
});

/** Bytes after their number. Decoding gives a view. */
export const bytesWithSize: P.CoderType<Uint8Array> = P.bytes(compactSize);

/** Items after their number, which is refused where it is over `most`. */
export function list<T>(item: P.CoderType<T>, most = MAX_SIZE): P.CoderType<T[]> {
  const count = P.validate(compactSize, (size) => {
    if (size > most) throw new RangeError('too many items');
    return size;
  });
  return P.array(count, item);
}

/** A hash as it is shown: hexadecimal, the last byte first. */
export const hash: P.CoderType<string> = P.hex(32, { isLE: true, with0x: false });

/** Seconds since 1970 in eight bytes. 0 and 1 mean "not known". */
export const seconds: P.CoderType<number> = P.apply(P.I64LE, P.coders.numberBigint);

/**
 * A text after its length in bytes. Wallets of the field hold bytes that are no UTF-8; each such byte becomes a
 * lone surrogate U+DC80 to U+DCFF (as in Python's PEP 383), so that every text is written back as it was read.
 */
export const text: P.CoderType<string> = P.apply(bytesWithSize, {
  encode: textOfBytes,
  decode: bytesOfText,
});

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();
const SURROGATE = 0xdc00;
const LONE_SURROGATE = /\p{Surrogate}/u;

export function textOfBytes(bytes: Uint8Array): string {
  const whole = decoded(bytes);
  if (whole !== null) return whole;
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = lengthOfCharacter(bytes, at);
    if (length === 0) {
      parts.push(decoded(bytes.subarray(from, at)) ?? '', String.fromCharCode(SURROGATE + (bytes[at] ?? 0)));
      from = at + 1;
    }
    at += length || 1;
  }
  return parts.join('') + (decoded(bytes.subarray(from)) ?? '');
}

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

function decoded(bytes: Uint8Array): string | null {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return null;
  }
}
