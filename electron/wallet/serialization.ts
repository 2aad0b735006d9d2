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

/** Items after their number. */
export function list<T>(item: P.CoderType<T>): P.CoderType<T[]> {
  return P.array(compactSize, item);
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
  let result = '';
  for (let at = 0; at < bytes.length; ) {
    const length = lengthOfCharacter(bytes[at] ?? 0);
    const character = decoded(bytes.subarray(at, at + length));
    result += character ?? String.fromCharCode(SURROGATE + (bytes[at] ?? 0));
    at += character === null ? 1 : length;
  }
  return result;
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

function lengthOfCharacter(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return null;
  }
}
