import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { networks } from '../../../shared/model/network.ts';
import { addresses, privateKeys, wrongTexts } from '../testing/vectors.ts';
import { entriesOf, knownRecords } from '../testing/wallets.ts';
import {
  makeStoredKey,
  readDer,
  readStoredKey,
  readWif,
  type StoredKey,
  writeWif,
  yieldsPublicKey,
} from './privateKey.ts';

async function storedKeys(wallet: string): Promise<StoredKey[]> {
  const records = knownRecords(await entriesOf(wallet));
  return records.filter((record) => record.type === 'key' || record.type === 'walletdescriptorkey');
}
const plainWallets = ['legacy-hd', 'legacy-imported', 'legacy-solvable', 'legacy-watchonly', 'descriptor-hd'];

describe('the private keys of recorded wallets', () => {
  it.each(plainWallets)(
    '%s: each is proved by its checksum, and is written as it was read',
    async (wallet) => {
      const keys = await storedKeys(wallet);
      expect(keys.length).toBeGreaterThan(6);
      for (const stored of keys) {
        const key = readStoredKey(stored);
        expect(key?.compressed).toBe(stored.publicKey.length === 33);
        expect(key && makeStoredKey(key)).toEqual({
          publicKey: stored.publicKey,
          der: stored.der,
          checksum: stored.checksum,
        });
      }
    },
  );
});

describe('a stored private key', () => {
  const one = hexToBytes('01'.padStart(64, '0'));

  it.each([
    [true, 214, '30 81d3'],
    [false, 279, '30 820113'],
  ])('compressed %s has %i bytes', (compressed, length, start) => {
    const { der } = makeStoredKey({ privateKey: one, compressed });
    expect(der).toHaveLength(length);
    expect(bytesToHex(der)).toMatch(new RegExp(`^${start.replace(' ', '')}020101042000`));
    expect(readDer(der)).toEqual(one);
  });

  it('proves a key without a checksum by deriving its public key', () => {
    const { checksum, ...stored } = makeStoredKey({ privateKey: one, compressed: false });
    expect(readStoredKey({ ...stored, checksum: null })).toEqual({ privateKey: one, compressed: false });
    expect(readStoredKey({ ...stored, checksum: new Uint8Array(32) })).not.toBeNull();
    const other = secp256k1.getPublicKey(hexToBytes('02'.padStart(64, '0')), false);
    expect(readStoredKey({ ...stored, publicKey: other, checksum: null })).toBeNull();
  });

  it('is refused when a byte of it changed', () => {
    const stored = makeStoredKey({ privateKey: hexToBytes('5a'.repeat(32)), compressed: true });
    for (const field of ['publicKey', 'der', 'checksum'] as const) {
      for (const at of [0, 12, 31]) {
        const changed = Uint8Array.from(stored[field]);
        changed[at] = (changed[at] ?? 0) ^ 1;
        expect(readStoredKey({ ...stored, [field]: changed })).toBeNull();
      }
    }
  });

  it('may be shorter than 32 bytes and have anything after it', () => {
    expect(readDer(hexToBytes('30810802010104010700ff'))).toEqual(hexToBytes('07'.padStart(64, '0')));
  });

  it.each([
    ['nothing', ''],
    ['no sequence', '31810702010104010 7'],
    ['a length in one byte', '3007020101040107'],
    ['a length behind the end', '3081ff020101040107'],
    ['another version', '308106020102040107'],
    ['33 bytes', `30812602010104${'21'}${'01'.repeat(33)}`],
    ['fewer bytes than it says', '30810502010104'.concat('0a', '01')],
    ['zero', `30812502010104${'20'}${'00'.repeat(32)}`],
    ['a number of no key', `30812502010104${'20'}${'ff'.repeat(32)}`],
  ])('is none of %s', (_, der) => {
    expect(readDer(hexToBytes(der.replaceAll(' ', '')))).toBeNull();
  });

  it('does not belong to an invalid public key', () => {
    expect(yieldsPublicKey(one, new Uint8Array(33))).toBe(false);
    expect(yieldsPublicKey(new Uint8Array(32), new Uint8Array(33))).toBe(false);
    expect(yieldsPublicKey(new Uint8Array(5), new Uint8Array(0))).toBe(false);
  });

  it('of any bytes is an answer', () => {
    const bytes = fc.uint8Array({ maxLength: 80 });
    const likely = fc.tuple(fc.constantFrom('3081', '3082', '308125020101042'), bytes);
    fc.assert(
      fc.property(
        fc.oneof(
          bytes,
          likely.map(([start, rest]) => Uint8Array.of(...hexToBytes(start.slice(0, 4)), ...rest)),
        ),
        (der) => {
          const key = readDer(der);
          expect(key === null || key.length === 32).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('the import format of private keys', () => {
  it.each(privateKeys)('%s', (text, key, network, compressed) => {
    const read = readWif(text, network);
    expect(read && bytesToHex(read.privateKey)).toBe(key);
    expect(read?.compressed).toBe(compressed);
    expect(writeWif({ privateKey: hexToBytes(key), compressed }, network)).toBe(text);
    expect(readWif(text, network === 'main' ? 'regtest' : 'main')).toBeNull();
  });

  it.each([...wrongTexts, ...addresses.map(([address]) => address)])('%j is none', (text) => {
    for (const network of networks) expect(readWif(text, network)).toBeNull();
  });

  it('is refused for numbers that are no key', () => {
    const zero = writeWif({ privateKey: new Uint8Array(32), compressed: true }, 'main');
    const tooLarge = writeWif({ privateKey: new Uint8Array(32).fill(255), compressed: true }, 'main');
    expect(readWif(zero, 'main')).toBeNull();
    expect(readWif(tooLarge, 'main')).toBeNull();
  });
});
