import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader, encode } from '../bytes/serialization.ts';
import { type MerkleTransaction, stateOf, timeOf } from '../records/walletTransaction.ts';
import { decode } from '../testing/decode.ts';
import { idOfBytes, isCoinbase, readTransaction, transaction, transactionId } from './transaction.ts';

/** The coinbase of block 0 of the main network. */
const genesis =
  '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000';

/** BIP 143, native P2WPKH: an input with a signature, one with a witness. */
const mixed =
  '01000000000102fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f00000000494830450221008b9d1dc26ba6a9cb62127b02742fa9d754cd3bebf337f7a55d114c8e5cdd30be022040529b194ba3f9281a99f2b1c0a19c0489bc22ede944ccf4ecbab4cc618ef3ed01eeffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac000247304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a0220573a954c4518331561406f90300e8f3358f51928d43c212a8caed02de67eebee0121025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee635711000000';

describe('transactions', () => {
  it('reads and writes transactions without witnesses', () => {
    const value = decode(transaction, hexToBytes(genesis));
    expect(value.outputs.map((output) => output.value)).toEqual([5_000_000_000n]);
    expect(isCoinbase(value)).toBe(true);
    expect(transactionId(value)).toBe('4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b');
    expect(bytesToHex(encode(transaction, value))).toBe(genesis);
  });

  it('reads and writes witnesses, which an id does not cover', () => {
    const value = decode(transaction, hexToBytes(mixed));
    expect(value.inputs.map(({ witness }) => witness.map(({ length }) => length))).toEqual([[], [71, 33]]);
    expect(value.lockTime).toBe(17);
    expect(isCoinbase(value)).toBe(false);
    expect(bytesToHex(encode(transaction, value))).toBe(mixed);
    const bare = { ...value, inputs: value.inputs.map((input) => ({ ...input, witness: [] })) };
    expect(transactionId(bare)).toBe(transactionId(value));
  });

  it.each([genesis, mixed])('pass on their outputs one by one, with the bytes of their id', (hex) => {
    const value = decode(transaction, hexToBytes(hex));
    const outputs: unknown[] = [];
    const { identified, ...rest } = readTransaction(new ByteReader(hexToBytes(hex)), (output, index) => {
      outputs[index] = output;
    });
    expect({ ...rest, outputs }).toEqual(value);
    expect(idOfBytes(identified)).toBe(transactionId(value));
  });

  it.each([
    ['an unknown kind', '01000000000200000000000000'],
    ['witnesses of which none is there', `0100000000010100${'00'.repeat(35)}ffffffff00${'00'}00000000`],
    ['bytes after its end', `${genesis}00`],
    ['an end before its time', genesis.slice(0, -2)],
  ])('are not read with %s', (_, bytes) => {
    expect(() => decode(transaction, hexToBytes(bytes))).toThrow();
  });

  it('that pay out of nothing are not written', () => {
    const value = decode(transaction, hexToBytes(genesis));
    expect(() => encode(transaction, { ...value, inputs: [] })).toThrow();
  });

  it('come back as they were', () => {
    const script = fc.uint8Array({ maxLength: 40 });
    const number = fc.nat(0xffffffff);
    const txid = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(bytesToHex);
    const input = fc.record({
      txid,
      index: number,
      scriptSig: script,
      sequence: number,
      witness: fc.array(script, { maxLength: 3 }),
    });
    const output = fc.record({ value: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), scriptPubKey: script });
    const any = fc.record({
      version: number,
      inputs: fc.array(input, { minLength: 1, maxLength: 4 }),
      outputs: fc.array(output, { maxLength: 4 }),
      lockTime: number,
    });
    fc.assert(
      fc.property(any, (value) => {
        expect(decode(transaction, encode(transaction, value))).toEqual(value);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a stored transaction', () => {
  const zero = '0'.repeat(64);
  const one = `${'0'.repeat(63)}1`;
  const block = 'ab'.repeat(32);
  const kept = (blockHash: string, index: number): MerkleTransaction => ({
    transaction: decode(transaction, hexToBytes(genesis)),
    blockHash,
    merkleBranch: [],
    index,
  });

  it.each([
    [zero, 0, 'inactive'],
    [one, -1, 'abandoned'],
    [block, 3, 'confirmed'],
    [block, -1, 'conflicted'],
    [zero, 7, 'unrecognised'],
    [one, 0, 'unrecognised'],
    [block, -2, 'unrecognised'],
  ])('block %s at %i: %s', (blockHash, index, state) => {
    expect(stateOf(kept(blockHash, index)).state).toBe(state);
  });

  it('its time is the noted one, else when it was received', () => {
    const received = {
      ...kept(zero, 0),
      previous: [],
      mapValue: [],
      orderForm: [],
      timeReceivedIsTxTime: 0,
      timeReceived: 5,
      fromMe: false,
      spent: false,
    };
    expect(timeOf(received)).toBe(5);
    expect(timeOf({ ...received, mapValue: [{ name: 'timesmart', value: '9' }] })).toBe(9);
    expect(timeOf({ ...received, mapValue: [{ name: 'timesmart', value: 'soon' }] })).toBe(5);
  });
});
