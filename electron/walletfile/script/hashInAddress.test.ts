/** The quick look at an address. */
import { hexToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { networks } from '../../../shared/model/network.ts';
import { byteText } from '../bytes/byteText.ts';
import { addressOf, hashInAddress } from './address.ts';
import { makeOutputScript, type OutputScript } from './script.ts';

const hash = fc.uint8Array({ minLength: 20, maxLength: 20 });
const network = fc.constantFrom(...networks);
const address = (output: OutputScript, network: (typeof networks)[number]) =>
  addressOf(makeOutputScript(output), network) ?? '';

describe('hashInAddress', () => {
  it('finds the hash in every p2pkh, p2sh and p2wpkh address', () => {
    fc.assert(
      fc.property(hash, network, (hash, network) => {
        const found = byteText(hash);
        const outputs: OutputScript[] = [
          { kind: 'p2pkh', keyHash: hash },
          { kind: 'p2sh', scriptHash: hash },
          { kind: 'p2wpkh', keyHash: hash },
        ];
        for (const output of outputs) {
          expect(hashInAddress(address(output, network), network)).toEqual({
            kind: output.kind,
            hash: found,
          });
        }
      }),
    );
  });

  it.each(['00'.repeat(20), `00${'ff'.repeat(19)}`, 'ff'.repeat(20)])('copes with the hash %s', (hex) => {
    const keyHash = hexToBytes(hex);
    expect(hashInAddress(address({ kind: 'p2pkh', keyHash }, 'main'), 'main')?.hash).toBe(byteText(keyHash));
  });

  it.each([
    ['another network', address({ kind: 'p2pkh', keyHash: new Uint8Array(20) }, 'main'), 'regtest'],
    ['another test network', address({ kind: 'p2wpkh', keyHash: new Uint8Array(20) }, 'signet'), 'regtest'],
    ['a p2wsh address', address({ kind: 'p2wsh', scriptHash: new Uint8Array(32) }, 'regtest'), 'regtest'],
    ['a taproot address', address({ kind: 'p2tr', outputKey: new Uint8Array(32) }, 'main'), 'main'],
    ['a letter that no address has', '1AGNa15ZQXAZUgFiqJ2i7Z2DPU2J6hW6l0', 'main'],
    ['a number that is too large', 'z'.repeat(35), 'main'],
    ['what is too short', '1111', 'main'],
    ['nothing', '', 'main'],
  ] as const)('does not know %s', (_, text, network) => {
    expect(hashInAddress(text, network)).toBeNull();
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100, unit: 'binary' }), network, (text, network) => {
        expect(() => hashInAddress(text, network)).not.toThrow();
      }),
    );
  });
});
