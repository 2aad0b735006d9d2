import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quickHash160 } from '../bytes/quickHash.ts';
import { makeOutputScript } from '../script/script.ts';
import { hexes, multisigOf, p2shOf, sampleKey, scriptsOfWallet } from '../testing/sampleWallet.ts';

const own = sampleKey(1);
const other = sampleKey(2);
const foreign = sampleKey(9);
const old = sampleKey(3, false);
const p2wshOf = (script: Uint8Array) => makeOutputScript({ kind: 'p2wsh', scriptHash: sha256(script) });

/** What a wallet with the keys `own` and `other` and what else is given calls its own, and what it can help to sign. */
function scriptsOf(holdings: Partial<Parameters<typeof scriptsOfWallet>[0]>) {
  const ownKeys = [own.publicKey, other.publicKey];
  const { mine, solvable, notMine } = scriptsOfWallet({ ownKeys, scripts: [], watched: [], ...holdings });
  const ofKeys = new Set(hexes(ownKeys.flatMap(() => [own, other]).flatMap(formsOf)));
  return {
    mine: hexes(mine.values()).filter((hex) => !ofKeys.has(hex)),
    solvable: hexes(solvable.values()),
    notMine: hexes(notMine.values()),
  };
}

const formsOf = ({ p2pk, p2pkh, p2wpkh, nested }: typeof own) => [p2pk, p2pkh, p2wpkh, nested];

describe('legacyScripts', () => {
  it('owns four scripts of a compressed key, and two of an uncompressed one', () => {
    const holdings = { scripts: [], watched: [] };
    const ofOne = scriptsOfWallet({ ownKeys: [own.publicKey], ...holdings });
    expect(hexes(ofOne.mine.values())).toEqual(hexes(formsOf(own)));
    expect(ofOne.scripts.get(quickHash160(own.p2wpkh))).toEqual(own.p2wpkh);
    const ofOld = scriptsOfWallet({ ownKeys: [old.publicKey], ...holdings });
    expect(hexes(ofOld.mine.values())).toEqual(hexes([old.p2pk, old.p2pkh]));
    expect([...ofOld.solvable, ...ofOld.notMine]).toEqual([]);
  });

  it('never owns segwit scripts of an uncompressed key, even if it stores them', () => {
    const found = scriptsOf({ ownKeys: [old.publicKey], scripts: [old.p2wpkh], watched: [old.p2wpkh] });
    expect(found.mine).toEqual(hexes([old.p2pk, old.p2pkh]));
    expect(found.notMine).toEqual(hexes([old.p2wpkh]));
  });

  it('owns multisig in p2sh with all keys, and helps to sign with some', () => {
    const whole = multisigOf(2, own, other);
    const part = multisigOf(1, own, foreign);
    expect(scriptsOf({ scripts: [whole, part] })).toEqual({
      mine: hexes([p2shOf(whole)]),
      // A key of it is enough for a bare p2wsh, while p2sh asks for the script alone.
      solvable: hexes([p2shOf(part), p2wshOf(whole), p2wshOf(part)]),
      notMine: [],
    });
  });

  it('owns p2wsh only if it knows its p2sh form too', () => {
    const whole = multisigOf(2, own, other);
    const program = p2wshOf(whole);
    expect(scriptsOf({ scripts: [whole, program] }).mine).toEqual(
      hexes([p2shOf(whole), program, p2shOf(program)]),
    );
  });

  it('leaves out what no one can spend', () => {
    const uncompressed = multisigOf(1, own, old);
    const program = p2wshOf(uncompressed);
    const found = scriptsOf({
      ownKeys: [own.publicKey, other.publicKey, old.publicKey],
      scripts: [uncompressed, program],
      watched: [program, p2shOf(program), p2shOf(p2shOf(own.p2pkh))],
    });
    expect(found.mine).toEqual(hexes([old.p2pk, old.p2pkh, p2shOf(uncompressed), p2shOf(p2shOf(own.p2pkh))]));
    expect(found.notMine).toEqual(hexes([program, p2shOf(program)]));
  });

  it('owns bare multisig only if it is watched', () => {
    const bare = multisigOf(1, own, other);
    expect(scriptsOf({ scripts: [bare] }).mine).toEqual(hexes([p2shOf(bare)]));
    expect(scriptsOf({ watched: [bare] }).mine).toEqual(hexes([bare]));
  });

  it('owns watched scripts of any kind, and learns the key of a watched p2pk', () => {
    const data = Uint8Array.of(0x6a, 1, 7);
    const found = scriptsOf({ watched: [foreign.p2pk, data] });
    expect(found.mine).toEqual(hexes([foreign.p2pk, data]));
    // The segwit script that the key implies is known from then on, but not watched.
    expect(found.solvable).toEqual(hexes([foreign.nested]));
    const { publicKeys } = scriptsOfWallet({ ownKeys: [], scripts: [], watched: [foreign.p2pk] });
    expect(publicKeys.get(quickHash160(foreign.publicKey))).toEqual(foreign.publicKey);
  });

  it('learns nothing from a watched p2pk whose key is not on the curve', () => {
    const publicKey = concatBytes(Uint8Array.of(2), new Uint8Array(32).fill(0xff));
    const script = makeOutputScript({ kind: 'p2pk', publicKey });
    const found = scriptsOfWallet({ ownKeys: [], scripts: [], watched: [script] });
    expect(hexes(found.mine.values())).toEqual(hexes([script]));
    expect([found.publicKeys.get(quickHash160(publicKey)), ...found.solvable]).toEqual([undefined]);
  });

  it('ignores a redeem script that is too long to be spent', () => {
    const long = new Uint8Array(521).fill(0x51);
    expect(scriptsOf({ scripts: [long] })).toEqual({ mine: [], solvable: [], notMine: [] });
    expect(scriptsOf({ scripts: [long.subarray(1)] }).solvable).toEqual(hexes([p2shOf(long.subarray(1))]));
  });

  it('finds the same whether or not the scripts that keys imply are stored or watched too', () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 4 });
    fc.assert(
      fc.property(numbers, numbers, numbers, (keys, stored, watched) => {
        const pairs = keys.map((number) => sampleKey(number));
        const ownKeys = pairs.map(({ publicKey }) => publicKey);
        const extra = multisigOf(1, own, foreign);
        const plain = scriptsOfWallet({ ownKeys, scripts: [extra], watched: [extra] });
        const scripts = [extra, ...pairs.filter((_, at) => stored.includes(at)).map(({ p2wpkh }) => p2wpkh)];
        const more = pairs.filter((_, at) => watched.includes(at)).flatMap(formsOf);
        const full = scriptsOfWallet({ ownKeys, scripts, watched: [extra, ...more] });
        expect(hexes(full.mine.values())).toEqual(hexes(plain.mine.values()));
        expect([...full.notMine.values()].map(bytesToHex)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});
