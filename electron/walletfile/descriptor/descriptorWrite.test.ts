import { bytesToHex } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { networks } from '../../../shared/model/network.ts';
import { deriveChild, extendedKeyOfSeed, HARDENED, withoutPrivateKey } from '../keys/extendedKey.ts';
import { coreDescriptors, scriptDescriptors } from '../testing/vectors.ts';
import { withChecksum } from './checksum.ts';
import { type Descriptor, isRanged, type KeyExpression, type ScriptExpression } from './descriptor.ts';
import { parseDescriptor } from './descriptorParse.ts';
import {
  descriptorId,
  writeCompatible,
  writeNormalised,
  writePrivate,
  writePublic,
} from './descriptorWrite.ts';

const parse = (text: string) => parseDescriptor(text, { network: 'main' });
const withItsChecksum = (text: string) => (text.includes('#') ? text : withChecksum(text));
const withH = (text: string) => withChecksum(text.replace(/#.*$/, '').replaceAll("'", 'h'));

describe('descriptors of Bitcoin Core', () => {
  it.each([...coreDescriptors, ...scriptDescriptors])(
    'are read and written: $withPublic',
    ({ withPrivate, withPublic, normalised, ranged, hardened, id }) => {
      const { descriptor, privateKeys } = parse(withPrivate);
      const ofPublic = parse(withPublic);
      expect(ofPublic.descriptor).toEqual(descriptor);
      expect([privateKeys.size > 0, ofPublic.privateKeys.size]).toEqual([true, 0]);
      expect(isRanged(descriptor)).toBe(ranged);
      if (id !== null) expect(bytesToHex(descriptorId(descriptor).toReversed())).toBe(id);
      expect(writePublic(descriptor)).toBe(withItsChecksum(withPublic));
      expect(writePrivate(descriptor, privateKeys)).toBe(withItsChecksum(withPrivate));
      expect(writePrivate(descriptor, new Map())).toBe(withItsChecksum(withPublic));
      expect(writeNormalised(descriptor, { privateKeys })).toBe(withItsChecksum(normalised));
      if (!hardened) expect(writeNormalised(descriptor)).toBe(withItsChecksum(normalised));
      const marked = parse(withH(withPrivate));
      expect(writePublic(marked.descriptor)).toBe(withH(withPublic));
      expect(writePrivate(marked.descriptor, marked.privateKeys)).toBe(withH(withPrivate));
      expect(writeNormalised(marked.descriptor, marked)).toBe(withItsChecksum(normalised));
      expect(writeCompatible(marked.descriptor)).toBe(writeCompatible(descriptor));
      expect(writeCompatible(marked.descriptor).replace(/#.*/, '')).not.toMatch(/[\d*]h[/\]),]/);
    },
  );
});

describe('marks of hardened steps', () => {
  const xpub =
    'xpub69H7F5d8KSRgmmdJg2KhpAK8SR3DjMwAdkxj3ZuxV27CprR9LgpeyGmXUbC6wb7ERfvrnKZjXoUmmDznezpbZb7ap6r1D3tgFxHmwMkQTPH';
  it.each([
    [`pkh([ffffffff/1'/2h]${xpub}/3)`, `pkh([ffffffff/1h/2h]${xpub}/3)`],
    [`pkh([ffffffff/1h]${xpub}/3'/*h)`, `pkh([ffffffff/1']${xpub}/3'/*')`],
    [`pkh([ffffffff/1']${xpub}/*h)`, `pkh([ffffffff/1h]${xpub}/*h)`],
    [`pkh([FFFFFFFF]${xpub}/007)`, `pkh([ffffffff]${xpub}/7)`],
  ])('%s is written %s', (text, written) => {
    expect(writePublic(parse(text).descriptor)).toBe(withChecksum(written));
  });

  it('need a private key to be normalised', () => {
    expect(() => writeNormalised(parse(`pkh(${xpub}/1h/*)`).descriptor)).toThrow(
      expect.objectContaining({ finding: { code: 'private_key_needed' } }),
    );
  });
});

describe('any descriptor', () => {
  const root = extendedKeyOfSeed(new Uint8Array(32).fill(9));
  const nodes = [0, 1, 2].map((child) => withoutPrivateKey(deriveChild(root, [child])));
  const path = fc.array(fc.nat(2 ** 32 - 1), { maxLength: 4 });
  const origin = fc.option(
    fc.record({ fingerprint: fc.nat(2 ** 32 - 1).map((n) => n.toString(16).padStart(8, '0')), path }),
  );
  const keyWith = (single: fc.Arbitrary<KeyExpression['key']>): fc.Arbitrary<KeyExpression> =>
    fc
      .record({
        origin,
        mark: fc.constantFrom('h' as const, "'" as const),
        key: fc.oneof(
          single,
          fc.record({
            kind: fc.constant('tree' as const),
            root: fc.constantFrom(...nodes),
            path,
            children: fc.constantFrom('none' as const, 'unhardened' as const, 'hardened' as const),
          }),
        ),
      })
      // A mark is read from the text, and where no step is hardened there is none.
      .map((key) => (hasHardenedStep(key) ? key : { ...key, mark: 'h' as const }));
  const publicKeys = fc.constantFrom(...nodes.map((node) => node.publicKey));
  const key = keyWith(publicKeys.map((publicKey) => ({ kind: 'single', publicKey, xOnly: false })));
  const xKey = keyWith(
    publicKeys.map((publicKey) => ({ kind: 'single', publicKey: publicKey.with(0, 2), xOnly: true })),
  );
  const multi = (most: number): fc.Arbitrary<ScriptExpression> =>
    fc
      .record({
        kind: fc.constantFrom('multi' as const, 'sortedmulti' as const),
        keys: fc.array(key, { minLength: 1, maxLength: most }),
        threshold: fc.nat(),
      })
      .map((script) => ({ ...script, threshold: (script.threshold % script.keys.length) + 1 }));
  const single = (...kinds: ('pk' | 'pkh' | 'wpkh' | 'combo')[]): fc.Arbitrary<ScriptExpression> =>
    fc.record({ kind: fc.constantFrom(...kinds), key });
  const wsh: fc.Arbitrary<ScriptExpression> = fc.record({
    kind: fc.constant('wsh' as const),
    inner: fc.oneof(single('pk', 'pkh'), multi(20)),
  });
  const script: fc.Arbitrary<ScriptExpression> = fc.oneof(
    single('pk', 'pkh', 'wpkh', 'combo'),
    multi(3),
    wsh,
    fc.record({
      kind: fc.constant('sh' as const),
      inner: fc.oneof(single('pk', 'pkh', 'wpkh'), multi(15), wsh),
    }),
    fc.record({ kind: fc.constant('tr' as const), key: xKey, tree: fc.constant(null) }),
    fc.record({ kind: fc.constant('rawtr' as const), key: xKey }),
    fc.record({
      kind: fc.constant('raw' as const),
      scriptPubKey: fc.uint8Array({ minLength: 1, maxLength: 50 }),
    }),
  );
  const descriptor: fc.Arbitrary<Descriptor> = fc.record({ network: fc.constantFrom(...networks), script });

  it('is read as it was written, and written as it was read', () => {
    fc.assert(
      fc.property(descriptor, (parsed) => {
        const text = writePublic(parsed);
        const read = parseDescriptor(text, { network: parsed.network, checksum: 'required' });
        expect(read.descriptor).toEqual(parsed);
        expect(writePublic(read.descriptor)).toBe(text);
      }),
      { numRuns: 200 },
    );
  });

  it('is read with its private keys', () => {
    const privateKeys = new Map(
      [0, 1, 2].map((child) => {
        const node = deriveChild(root, [child]);
        return [bytesToHex(node.publicKey), node.privateKey];
      }),
    );
    fc.assert(
      fc.property(descriptor, (parsed) => {
        const text = writePrivate(parsed, privateKeys);
        const read = parseDescriptor(text, { network: parsed.network, checksum: 'required' });
        expect(writePrivate(read.descriptor, read.privateKeys)).toBe(text);
        expect(writePublic(read.descriptor)).toBe(writePublic(parsed));
        for (const [publicKey, secret] of read.privateKeys)
          expect(privateKeys.get(publicKey)).toEqual(secret);
      }),
      { numRuns: 100 },
    );
  });
});

function hasHardenedStep({ origin, key }: KeyExpression): boolean {
  const steps = [...(origin?.path ?? []), ...(key.kind === 'tree' ? key.path : [])];
  return steps.some((step) => step >= HARDENED) || (key.kind === 'tree' && key.children === 'hardened');
}
