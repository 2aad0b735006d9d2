import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { networks } from '../../../shared/model/network.ts';
import { addresses, privateKeys, wrongTexts } from '../testing/vectors.ts';
import { readWif, writeWif } from './privateKey.ts';

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
