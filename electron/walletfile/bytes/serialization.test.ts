import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode } from '../testing/decode.ts';
import { type Coder, encode, text } from './serialization.ts';
import { decodeUtf8, encodeUtf8 } from './textCoding.ts';

const compactSize: Coder<number> = { read: (from) => from.size(), write: (to, size) => to.writeSize(size) };

describe('compact sizes', () => {
  it.each([
    [0, '00'],
    [252, 'fc'],
    [253, 'fdfd00'],
    [65535, 'fdffff'],
    [65536, 'fe00000100'],
    [0x02000000, 'fe00000002'],
  ])('%i', (size, bytes) => {
    expect(bytesToHex(encode(compactSize, size))).toBe(bytes);
    expect(decode(compactSize, hexToBytes(bytes))).toBe(size);
  });

  it.each(['fdfc00', 'feffff0000', 'fe01000002', 'ff0000000001000000', 'fd00', ''])('%j is none', (bytes) => {
    expect(() => decode(compactSize, hexToBytes(bytes))).toThrow();
  });

  it('above 32 MiB are not written', () => {
    expect(() => encode(compactSize, 0x02000001)).toThrow();
  });
});

describe('texts', () => {
  it('are UTF-8 after their length', () => {
    expect(bytesToHex(encode(text, 'café'))).toBe('05636166c3a9');
    expect(decode(text, hexToBytes('08e2989520f09f9088'))).toBe('☕ 🐈');
  });

  it('keep a byte order mark', () => {
    expect(decodeUtf8(hexToBytes('efbbbf41'))).toBe('\ufeffA');
  });

  it('keep bytes that are not UTF-8', () => {
    expect(decodeUtf8(hexToBytes('41ffc3a9c328e282acf09f9880'))).toBe('A\udcffé\udcc3(€😀');
  });

  it('come back as the same bytes whatever those are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        expect(encodeUtf8(decodeUtf8(bytes))).toEqual(bytes);
      }),
      { numRuns: 500 },
    );
  });
});
