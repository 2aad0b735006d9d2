import { describe, expect, it } from 'vitest';
import { AppError } from '../../shared/errors.ts';
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

  it('may be missing where it is optional', () => {
    expect(withoutChecksum('raw(deadbeef)', 'optional')).toBe('raw(deadbeef)');
    expect(() => withoutChecksum('raw(deadbeef)', 'required')).toThrow('no checksum');
  });

  it.each([
    ['raw(deadbeef)#', 'has 0 characters'],
    ['raw(deadbeef)#89f8spxmx', 'has 9 characters'],
    ['raw(deadbeef)#89f8spx', 'has 7 characters'],
    ['raw(deedbeef)#89f8spxm', 'does not match'],
    ['raw(deedbeef)##9f8spxm', 'more than one'],
    ['raw(Ü)#00000000', 'cannot hold'],
    ['raw(Ü)', 'cannot hold'],
    ['raw(deadbeef)#89F8SPXM', 'does not match'],
  ])('%s is refused', (text, words) => {
    expect(() => withoutChecksum(text, 'optional')).toThrow(AppError);
    expect(() => withoutChecksum(text, 'optional')).toThrow(words);
  });

  it('changes with any one character', () => {
    const text = known[1][0];
    for (let at = 0; at < text.length; at++) {
      const changed = `${text.slice(0, at)}${text[at] === 'z' ? 'y' : 'z'}${text.slice(at + 1)}`;
      expect(descriptorChecksum(changed)).not.toBe(known[1][1]);
    }
  });
});
