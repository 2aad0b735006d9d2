import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hash160, makeOutputScript, pushData, pushNumber, readOutputScript } from './script.ts';

const keys = [1, 2, 3].map((n) => secp256k1.getPublicKey(new Uint8Array(32).fill(n)));
const uncompressed = secp256k1.getPublicKey(new Uint8Array(32).fill(1), false);
const [key = new Uint8Array()] = keys;
const hash20 = 'ab'.repeat(20);
const hash32 = 'cd'.repeat(32);

describe('output scripts', () => {
  it.each([
    [`21${bytesToHex(key)}ac`, { kind: 'p2pk', publicKey: key }],
    [`41${bytesToHex(uncompressed)}ac`, { kind: 'p2pk', publicKey: uncompressed }],
    [`76a914${hash20}88ac`, { kind: 'p2pkh', keyHash: hexToBytes(hash20) }],
    [`a914${hash20}87`, { kind: 'p2sh', scriptHash: hexToBytes(hash20) }],
    [`0014${hash20}`, { kind: 'p2wpkh', keyHash: hexToBytes(hash20) }],
    [`0020${hash32}`, { kind: 'p2wsh', scriptHash: hexToBytes(hash32) }],
    [`5120${hash32}`, { kind: 'p2tr', outputKey: hexToBytes(hash32) }],
    ['51024e73', { kind: 'anchor' }],
    [`5220${hash32}`, { kind: 'witness-unknown', version: 2, program: hexToBytes(hash32) }],
    [`5114${hash20}`, { kind: 'witness-unknown', version: 1, program: hexToBytes(hash20) }],
  ])('%s', (hex, parts) => {
    expect(readOutputScript(hexToBytes(hex))).toEqual(parts);
    expect(bytesToHex(makeOutputScript(readOutputScript(hexToBytes(hex))))).toBe(hex);
  });

  it('recognise bare multisig with up to 20 keys', () => {
    const publicKeys = Array.from({ length: 20 }, (_, i) => keys[i % 3] ?? key);
    for (const count of [1, 3, 16, 17, 20]) {
      for (const required of [1, count]) {
        const parts = { kind: 'multisig', required, publicKeys: publicKeys.slice(0, count) } as const;
        expect(readOutputScript(makeOutputScript({ ...parts, publicKeys: [...parts.publicKeys] }))).toEqual(
          parts,
        );
      }
    }
    expect(
      readOutputScript(makeOutputScript({ kind: 'multisig', required: 1, publicKeys: [uncompressed, key] })),
    ).toEqual({ kind: 'multisig', required: 1, publicKeys: [uncompressed, key] });
  });

  // Bitcoin Core's script_standard_tests and descriptor_tests.
  const two = concatBytes(...keys.slice(0, 2).map(pushData));
  const ends = (start: number[], end: number[]) =>
    concatBytes(Uint8Array.from(start), two, Uint8Array.from(end));
  it.each([
    ['no key needed', ends([0x00], [0x52, 0xae])],
    ['more keys needed than there are', ends([0x53], [0x52, 0xae])],
    ['a count that is not the one of the keys', ends([0x51], [0x53, 0xae])],
    ['a first number pushed as data', ends([0x01, 0x02], [0x52, 0xae])],
    ['a last number pushed as data', ends([0x51], [0x01, 0x02, 0xae])],
    ['a negative number', ends([0x4f], [0x52, 0xae])],
    ['nothing but the end', Uint8Array.of(0xae)],
    ['no keys', Uint8Array.of(0x51, 0x51, 0xae)],
    ['more after the end', concatBytes(ends([0x51], [0x52, 0xae]), Uint8Array.of(0xae))],
    [
      'a key pushed in an unusual way',
      concatBytes(Uint8Array.of(0x51, 0x4c, 33), key, Uint8Array.of(0x51, 0xae)),
    ],
    [
      'a key of a wrong length',
      concatBytes(Uint8Array.of(0x51, 32), key.subarray(1), Uint8Array.of(0x51, 0xae)),
    ],
    ['a key cut off', concatBytes(Uint8Array.of(33), key.subarray(0, 20))],
    [
      'a key with a wrong first byte',
      concatBytes(Uint8Array.of(33, 5), key.subarray(1), Uint8Array.of(0xac)),
    ],
    ['a segwit script of 21 bytes', concatBytes(Uint8Array.of(0, 21), new Uint8Array(21))],
    ['data after OP_RETURN that is cut', hexToBytes('6a05dead')],
    ['an opcode after OP_RETURN', hexToBytes('6aac')],
    ['nothing', new Uint8Array()],
  ])('with %s are nonstandard', (_, script) => {
    expect(readOutputScript(script)).toEqual({ kind: 'nonstandard', script });
  });

  it.each(['6a', '6a04deadbeef', '6a4c01ff5160', '6a00'])('%s carries data', (hex) => {
    expect(readOutputScript(hexToBytes(hex)).kind).toBe('null-data');
  });

  it('come back as they were, whatever they are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (script) => {
        expect(makeOutputScript(readOutputScript(script))).toEqual(script);
      }),
      { numRuns: 500 },
    );
  });
});

describe('pushes', () => {
  it.each([
    [0, '00'],
    [75, '4b'],
    [76, '4c4c'],
    [255, '4cff'],
    [256, '4d0001'],
    [520, '4d0802'],
  ])('%i bytes start with %s', (size, start) => {
    expect(bytesToHex(pushData(new Uint8Array(size)))).toBe(start + '00'.repeat(size));
  });

  it.each([
    [0, '00'],
    [1, '51'],
    [16, '60'],
    [17, '0111'],
    [20, '0114'],
  ])('the number %i is %s', (number, hex) => {
    expect(bytesToHex(pushNumber(number))).toBe(hex);
  });

  it('hash as addresses do (BIP 173: the hash of the key of 1)', () => {
    const one = secp256k1.getPublicKey(new Uint8Array(32).with(31, 1));
    expect(bytesToHex(hash160(one))).toBe('751e76e8199196d454941c45d1b3a323f1433bd6');
  });
});
