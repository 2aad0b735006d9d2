import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { bech32 } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/model/errors.ts';
import { type Network, networks } from '../../../shared/model/network.ts';
import { byteText } from '../bytes/byteText.ts';
import { addresses, wrongTexts } from '../testing/vectors.ts';
import { addressOf, hashInAddress, scriptOfAddress } from './address.ts';
import { makeOutputScript, type OutputScript } from './script.ts';

describe('addresses of Bitcoin Core', () => {
  it.each(addresses)('%s', (address, script, network) => {
    expect(bytesToHex(scriptOfAddress(address, network))).toBe(script);
    expect(addressOf(hexToBytes(script), network)).toBe(address);
  });

  it.each(addresses.filter(([, , , anyCase]) => anyCase))(
    '%s in the other case',
    (address, script, network) => {
      expect(bytesToHex(scriptOfAddress(address.toUpperCase(), network))).toBe(script);
    },
  );

  it.each(wrongTexts)('%j is none on any network', (text) => {
    for (const network of networks) expect(() => scriptOfAddress(text, network)).toThrow(AppError);
  });
});

// BIP 350; BC1SW50QGDZ25J has a version without rules.
describe('segwit addresses', () => {
  const valid: [address: string, script: string, network: Network][] = [
    ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', '0014751e76e8199196d454941c45d1b3a323f1433bd6', 'main'],
    [
      'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
      '00201863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262',
      'signet',
    ],
    [
      'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
      '5128751e76e8199196d454941c45d1b3a323f1433bd6751e76e8199196d454941c45d1b3a323f1433bd6',
      'main',
    ],
    ['BC1SW50QGDZ25J', '6002751e', 'main'],
    ['bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs', '5210751e76e8199196d454941c45d1b3a323', 'main'],
    [
      'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy',
      '0020000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433',
      'testnet4',
    ],
    [
      'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c',
      '5120000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433',
      'testnet3',
    ],
    [
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
      '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
      'main',
    ],
    ['bc1pfeessrawgf', '51024e73', 'main'],
  ];

  it.each(valid)('%s', (address, script, network) => {
    expect(bytesToHex(scriptOfAddress(address, network))).toBe(script);
    expect(addressOf(hexToBytes(script), network)).toBe(address.toLowerCase());
  });

  it.each([
    'tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
    'tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf',
    'BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh',
    'tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47',
    'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4',
    'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R',
    'bc1pw5dgrnzv',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav',
    'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P',
    'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf',
    'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j',
    'bc1gmk9yu',
    // BIP 173: right before version 1 and later got a checksum of their own.
    'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7k7grplx',
    'BC1SW50QA3JX3S',
    'bc1zw508d6qejxtdg4y5r3zarvaryvg6kdaj',
    'tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
    'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sL5k7',
  ])('%s is wrong', (address) => {
    for (const network of networks) expect(() => scriptOfAddress(address, network)).toThrow(AppError);
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

  it('is none with a prefix that only begins as one of a network', () => {
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
