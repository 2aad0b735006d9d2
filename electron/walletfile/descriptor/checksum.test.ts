import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/model/errors.ts';
import { descriptorChecksum, withChecksum, withoutChecksum } from './checksum.ts';

// BIP 380, and Bitcoin Core's descriptor_tests.
const known = [
  ['raw(deadbeef)', '89f8spxm'],
  [
    "sh(multi(2,[00000000/111'/222]xpub6ERApfZwUNrhLCkDtcHTcxd75RbzS1ed54G1LkBUHQVHQKqhMkhgbmJbZRkrgZw4koxb5JaHWkY4ALHY2grBGRjaDMzQLcgJvLJuZZvRcEL,xpub68NZiKmJWnxxS6aaHmn81bvJeTESw724CRDs6HbuccFQN9Ku14VQrADWgqbhhTHBaohPX4CjNLf9fq9MYo6oDaPPLPxSb7gwQN3ih19Zm4Y/0))",
    'tjg09x5t',
  ],
] as const;

describe('the checksum', () => {
  it.each(known)('of %s is known', (text, checksum) => {
    expect(descriptorChecksum(text)).toBe(checksum);
    expect(withoutChecksum(withChecksum(text), 'required')).toBe(text);
  });

  it('equals a plain computation with the generator', () => {
    const character = fc.constantFrom(...CHARACTERS.replace('#', ''));
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 200 }), (text) => {
        expect(descriptorChecksum(text)).toBe(plainChecksum(text));
      }),
    );
  });

  it('may be missing if it is optional', () => {
    expect(withoutChecksum('raw(deadbeef)', 'optional')).toBe('raw(deadbeef)');
    expect(() => withoutChecksum('raw(deadbeef)', 'required')).toThrow(
      expect.objectContaining({ finding: { code: 'descriptor_checksum_missing' } }),
    );
  });

  it.each([
    ['raw(deadbeef)#', 'descriptor_checksum_wrong'],
    ['raw(deadbeef)#89f8spxmx', 'descriptor_checksum_wrong'],
    ['raw(deadbeef)#89f8spx', 'descriptor_checksum_wrong'],
    ['raw(deedbeef)#89f8spxm', 'descriptor_checksum_wrong'],
    ['raw(deedbeef)##9f8spxm', 'descriptor_checksum_repeated'],
    ['raw(Ü)#00000000', 'descriptor_character_invalid'],
    ['raw(Ü)', 'descriptor_character_invalid'],
    ['raw(deadbeef)#89F8SPXM', 'descriptor_checksum_wrong'],
  ])('%s is refused', (text, code) => {
    expect(() => withoutChecksum(text, 'optional')).toThrow(AppError);
    expect(() => withoutChecksum(text, 'optional')).toThrow(expect.objectContaining({ finding: { code } }));
  });

  it('changes with any one character', () => {
    const text = known[1][0];
    for (let at = 0; at < text.length; at++) {
      const changed = `${text.slice(0, at)}${text[at] === 'z' ? 'y' : 'z'}${text.slice(at + 1)}`;
      expect(descriptorChecksum(changed)).not.toBe(known[1][1]);
    }
  });
});

const CHARACTERS =
  '0123456789()[],\'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#"\\ ';

/** As BIP 380 writes it down: one number of 40 bits, and the generator a bit at a time. */
function plainChecksum(text: string): string {
  const generator = [0xf5dee51989n, 0xa9fdca3312n, 0x1bab10e32dn, 0x3706b1677an, 0x644d626ffdn];
  const step = (state: bigint, symbol: number) =>
    generator.reduce(
      (next, term, bit) => ((state >> BigInt(35 + bit)) & 1n ? next ^ term : next),
      ((state & 0x7ffffffffn) << 5n) ^ BigInt(symbol),
    );
  const places = [...text].map((character) => CHARACTERS.indexOf(character));
  const symbols = places.flatMap((place, at) => {
    if (at % 3 !== 2 && at !== places.length - 1) return [place & 31];
    const groups = places.slice(at - (at % 3), at + 1).reduce((sum, each) => sum * 3 + (each >> 5), 0);
    return [place & 31, groups];
  });
  const state = [...symbols, 0, 0, 0, 0, 0, 0, 0, 0].reduce(step, 1n) ^ 1n;
  const letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
  return [35n, 30n, 25n, 20n, 15n, 10n, 5n, 0n]
    .map((shift) => letters.charAt(Number((state >> shift) & 31n)))
    .join('');
}
