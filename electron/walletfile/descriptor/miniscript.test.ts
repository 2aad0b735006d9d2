import { secp256k1 } from '@noble/curves/secp256k1.js';
import { numberToBytesBE } from '@noble/curves/utils.js';
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { orNull } from '../bytes/once.ts';
import { coreMiniscripts } from '../testing/vectors.ts';
import { type DescriptorKey, descriptorError } from './descriptor.ts';
import { publicKeyDeriver } from './descriptorExpand.ts';
import { readKey } from './descriptorKey.ts';
import { parseDescriptor } from './descriptorParse.ts';
import { miniscriptScript } from './makeScripts.ts';
import { readMiniscript, writeMiniscript } from './miniscript.ts';
import { measure } from './miniscriptLimits.ts';
import { has } from './miniscriptTypes.ts';

function read(text: string, tapscript: boolean) {
  const context = {
    network: 'main',
    uncompressed: false,
    xOnly: tapscript,
    where: () => ({ function: '', key: null }),
  } as const;
  const node = readMiniscript(text, {
    tapscript,
    readKey: (key) => readKey(key, { ...context, privateKeys: new Map() }),
    fault: () => descriptorError({ code: 'descriptor_too_long' }),
  });
  return { node, ...measure(node, tapscript) };
}

const keyBytes = (tapscript: boolean) => (key: DescriptorKey) =>
  publicKeyDeriver(key, {})(0).subarray(tapscript ? 1 : 0);

describe.each([
  ['wsh', false],
  ['leaf', true],
] as const)('Miniscripts of Bitcoin Core in %s', (_, tapscript) => {
  it.each(coreMiniscripts)('$text', ({ text, witness, leaf, sound }) => {
    const expected = tapscript ? leaf : witness;
    const found = orNull(() => read(text, tapscript));
    const valid = found !== null && has(found.type, 'B') ? found : null;
    expect(valid !== null).toBe(expected !== null);
    if (valid === null) return;
    expect(has(valid.type, 'msk')).toBe(sound);
    const parts = miniscriptScript(valid.node, keyBytes(tapscript));
    const script = concatBytes(
      ...parts.map((part) => (typeof part === 'number' ? Uint8Array.of(part) : part)),
    );
    if (expected !== '') expect(bytesToHex(script)).toBe(expected);
    const written = writeMiniscript(valid.node, (key) => bytesToHex(keyBytes(false)(key)));
    expect(read(written, tapscript).node).toEqual(valid.node);
  });
});

const refused = expect.objectContaining({
  finding: {
    code: 'descriptor_wrong',
    function: expect.any(String),
    key: null,
    fault: { code: 'miniscript_refused' },
  },
});

describe('limits of Bitcoin Core', () => {
  const keys = Array.from({ length: 1000 }, (_, at) => {
    const secret = numberToBytesBE(at + 1, 32);
    return bytesToHex(secp256k1.getPublicKey(secret));
  });
  const all = (count: number) => {
    const chained = keys.slice(1, count).map((key) => `and_b(pk(${key}),a:`);
    return `${chained.join('')}pk(${keys[0]})${')'.repeat(chained.length)}`;
  };
  const locked = (count: number) => `${'and_b(older(1),a:'.repeat(count)}pk(${keys[0]})${')'.repeat(count)}`;
  const wsh = (body: string) => parseDescriptor(`wsh(${body})`, { network: 'main' });
  const tr = (body: string) => parseDescriptor(`tr(${keys[999]},${body})`, { network: 'main' });

  it('are 201 operations and 3,600 bytes in a witness script', () => {
    // Each key takes an operation, and each of the pairs three.
    expect(() => wsh(all(51))).not.toThrow();
    expect(() => wsh(all(52))).toThrow(refused);
    const hashes = (count: number) => `and_v(v:sha256(${'00'.repeat(32)}),`.repeat(count);
    expect(() => wsh(`${hashes(40)}pk(${keys[0]})${')'.repeat(40)}`)).not.toThrow();
    expect(() => wsh(`${hashes(51)}pk(${keys[0]})${')'.repeat(51)}`)).toThrow(refused);
  });

  it('are 1,000 places on the stack in a leaf', () => {
    expect(() => tr(all(200))).not.toThrow();
    expect(() => tr(locked(998))).not.toThrow();
    expect(() => tr(locked(999))).toThrow(refused);
    expect(() => tr(locked(100_000))).toThrow(refused);
  });

  it('do not count how deep it is nested', () => {
    const deep = locked(10_000);
    const { node } = read(deep, true);
    expect(writeMiniscript(node, (key) => bytesToHex(keyBytes(false)(key)))).toBe(deep);
    expect(miniscriptScript(node, keyBytes(true))).toHaveLength(5 * 10_000 + 2);
  });

  it('are each key once', () => {
    expect(() => wsh(`or_b(pk(${keys[0]}),a:pkh(${keys[1]}))`)).not.toThrow();
    expect(() => wsh(`or_b(pk(${keys[0]}),a:pkh(${keys[0]}))`)).toThrow(refused);
    expect(() => tr(`multi_a(1,${keys[0]},${keys[0]})`)).not.toThrow();
  });
});
