import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { bech32 } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/model/errors.ts';
import { networks } from '../../../shared/model/network.ts';
import { toLatin1 } from '../bytes/textCoding.ts';
import { addresses, segwitAddresses, wrongSegwitAddresses, wrongTexts } from '../testing/vectors.ts';
import { addressOf, hashInAddress, scriptIfAddress, scriptOfAddress } from './address.ts';
import { makeOutputScript, type OutputScript } from './script.ts';

const all = [...addresses, ...segwitAddresses];

describe('addresses of Bitcoin Core and BIP 350', () => {
  it.each(all)('%s', (address, script, network) => {
    expect(bytesToHex(scriptOfAddress(address, network))).toBe(script);
    expect(addressOf(hexToBytes(script), network)).toBe(address);
  });

  it.each(all.filter(([, , , anyCase]) => anyCase))('%s in the other case', (address, script, network) => {
    expect(bytesToHex(scriptOfAddress(address.toUpperCase(), network))).toBe(script);
  });

  it.each([...wrongTexts, ...wrongSegwitAddresses])('%j is none on any network', (text) => {
    for (const network of networks) expect(() => scriptOfAddress(text, network)).toThrow(AppError);
  });
});

describe('any address', () => {
  const bytes = (size: number) => fc.uint8Array({ minLength: size, maxLength: size });
  const output: fc.Arbitrary<OutputScript> = fc.oneof(
    bytes(20).map((keyHash) => ({ kind: 'p2pkh' as const, keyHash })),
    bytes(20).map((scriptHash) => ({ kind: 'p2sh' as const, scriptHash })),
    bytes(20).map((keyHash) => ({ kind: 'p2wpkh' as const, keyHash })),
    bytes(32).map((scriptHash) => ({ kind: 'p2wsh' as const, scriptHash })),
    fc
      .tuple(fc.integer({ min: 1, max: 16 }), fc.uint8Array({ minLength: 2, maxLength: 40 }))
      .map(([version, program]) => ({ kind: 'witness-unknown' as const, version, program })),
  );

  it('leads back to its script', () => {
    fc.assert(
      fc.property(output, fc.constantFrom(...networks), (parts, network) => {
        const script = makeOutputScript(parts);
        const address = addressOf(script, network);
        expect(address && scriptOfAddress(address, network)).toEqual(script);
      }),
    );
  });

  it('reports an address of another network', () => {
    expect(() => scriptOfAddress('2N25SRa28Yk1j9XuvDPHbukT1oPv4jCw1oC', 'main')).toThrow(
      expect.objectContaining({ finding: { code: 'not_address_of_network', network: 'main' } }),
    );
    expect(() => scriptOfAddress('nonsense', 'main')).toThrow(
      expect.objectContaining({ finding: { code: 'not_address' } }),
    );
  });

  it('rejects a prefix that only starts like a network’s', () => {
    const words = [0, ...bech32.toWords(new Uint8Array(20))];
    expect(scriptOfAddress(bech32.encode('bc', words), 'main')).toHaveLength(22);
    expect(() => scriptOfAddress(bech32.encode('bc1q', words), 'main')).toThrow(
      expect.objectContaining({ finding: { code: 'not_address' } }),
    );
  });

  it('is refused with an error of ours, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.constantFrom(...networks), (text, network) => {
        expect(() => scriptOfAddress(text, network)).toThrow(AppError);
      }),
    );
  });

  it('is none for scripts without one', () => {
    expect(addressOf(hexToBytes('6a04deadbeef'), 'main')).toBeNull();
    expect(addressOf(new Uint8Array(), 'main')).toBeNull();
  });
});

const hash = fc.uint8Array({ minLength: 20, maxLength: 20 });
const network = fc.constantFrom(...networks);
const address = (output: OutputScript, network: (typeof networks)[number]) =>
  addressOf(makeOutputScript(output), network) ?? '';

describe('hashInAddress', () => {
  it('finds the hash in every p2pkh, p2sh and p2wpkh address', () => {
    fc.assert(
      fc.property(hash, network, (hash, network) => {
        const found = toLatin1(hash);
        const outputs: OutputScript[] = [
          { kind: 'p2pkh', keyHash: hash },
          { kind: 'p2sh', scriptHash: hash },
          { kind: 'p2wpkh', keyHash: hash },
        ];
        for (const output of outputs) {
          for (const checksum of ['required', 'ignored'] as const) {
            expect(hashInAddress(address(output, network), network, checksum)).toEqual({
              kind: output.kind,
              hash: found,
            });
          }
        }
      }),
    );
  });

  it('refuses a wrong base58 checksum if asked to', () => {
    const text = address({ kind: 'p2pkh', keyHash: new Uint8Array(20).fill(7) }, 'main');
    const wrong = `${text.slice(0, -1)}${text.endsWith('2') ? '3' : '2'}`;
    expect(scriptIfAddress(wrong, 'main')).toBeNull();
    expect(hashInAddress(wrong, 'main', 'required')).toBeNull();
    expect(hashInAddress(wrong, 'main', 'ignored')?.hash).toBe(hashInAddress(text, 'main', 'required')?.hash);
  });

  it.each(['00'.repeat(20), `00${'ff'.repeat(19)}`, 'ff'.repeat(20)])('copes with the hash %s', (hex) => {
    const keyHash = hexToBytes(hex);
    const text = address({ kind: 'p2pkh', keyHash }, 'main');
    expect(hashInAddress(text, 'main', 'required')?.hash).toBe(toLatin1(keyHash));
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
    expect(hashInAddress(text, network, 'ignored')).toBeNull();
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100, unit: 'binary' }), network, (text, network) => {
        expect(() => hashInAddress(text, network, 'required')).not.toThrow();
      }),
    );
  });
});
