import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_VARIATIONS, type PassphraseClues, parseClues } from '../../shared/model/searches.ts';
import { candidates, countCandidates, layouts, mostCandidates } from './passphraseCandidates.ts';

const clues = (pieces: string, ways: Partial<PassphraseClues> = {}): PassphraseClues =>
  parseClues(pieces, { ...NO_VARIATIONS, ...ways }) ?? expect.fail('No pieces.');
const bytesOf = (pieces: string, ways: Partial<PassphraseClues> = {}) =>
  [...candidates(clues(pieces, ways))].map((bytes) => Buffer.from(bytes));
const textsOf = (pieces: string, ways: Partial<PassphraseClues> = {}) =>
  bytesOf(pieces, ways).map((bytes) => bytes.toString());
const hexOf = (pieces: string, ways: Partial<PassphraseClues> = {}) =>
  bytesOf(pieces, ways).map((bytes) => bytes.toString('hex'));

describe('pieces', () => {
  it('have alternatives, and may be missing', () => {
    expect(textsOf('red|blue\n?12\nhorse')).toEqual(['red12horse', 'redhorse', 'blue12horse', 'bluehorse']);
  });

  it('may hold what has a meaning in them, after a backslash', () => {
    expect(textsOf('\\?a\\|b\\\\')).toEqual(['?a|b\\']);
    expect(textsOf('a\\')).toEqual(['a\\']);
  });

  it('come in any order, and with spaces, once each', () => {
    expect(textsOf('a\nb\n?c', { orders: true })).toEqual('abc acb bac bca cab cba ab ba'.split(' '));
    expect(textsOf('a\n?b', { spaces: true })).toEqual(['ab', 'a b', 'a']);
    expect(textsOf('a\na', { orders: true })).toEqual(['aa']);
  });

  it('never make an empty passphrase', () => {
    expect(textsOf('?a')).toEqual(['a']);
  });
});

describe('capitals', () => {
  it('are first letters, all of them, none, and Caps Lock', () => {
    expect(textsOf('Red\nhorse', { capitals: true })).toEqual(
      'Redhorse redhorse RedHorse redHorse REDHORSE rEDHORSE'.split(' '),
    );
  });

  it('leave a letter that has none', () => {
    expect(textsOf('ß1', { capitals: true })).toEqual(['ß1']);
  });
});

describe('typing errors', () => {
  it('are a character left out, doubled, swapped, or another one', () => {
    const texts = textsOf('abc', { typos: 1 });
    for (const text of ['abc', 'bc', 'ac', 'ab', 'aabc', 'abbc', 'abcc', 'bac', 'acb', 'xbc', 'ab~', 'a c'])
      expect(texts).toContain(text);
    expect(texts).toHaveLength(1 + 3 + 3 + 2 + 3 * 94);
    expect(texts[0]).toBe('abc');
  });

  it('puts candidates with two errors after those with one', () => {
    const texts = textsOf('ab', { typos: 2 });
    expect(texts).toContain('xy');
    expect(texts).toContain('bba');
    expect(texts.indexOf('xb')).toBeLessThan(texts.indexOf('xy'));
  });

  it('count a character beyond the first plane as one', () => {
    expect(textsOf('🐎a', { typos: 1 })).toContain('a🐎');
  });
});

describe('keyboards', () => {
  it('of one layout have as many keys as those of another', () => {
    const sizes = Object.values(layouts).flatMap(({ plain, shifted }) => [
      [...plain].length,
      [...shifted].length,
    ]);
    expect(new Set(sizes)).toEqual(new Set([47]));
  });

  it.each([
    ['zoo-Y/', 'yooßZ-', 'American keys on a German system'],
    ['yooßZ-', 'zoo-Y/', 'German keys on an American system'],
    ['azerty1', 'qwerty!', 'French keys with Shift on an American one'],
    ['qwaz;M', 'azqwm?', 'American keys on a French system'],
    ['"£@', '@#"', 'British keys on an American system'],
    ['пароль', 'gfhjkm', 'Russian keys on an American system'],
    ['gfhjkm', 'пароль', 'American keys on a Russian system'],
    ['їжак', '];fr', 'Ukrainian keys on an American system'],
    ['αβγ', 'abg', 'Greek keys on an American system'],
    ['שלום', 'akuo', 'Hebrew keys on an American system'],
    ["it's", 'it’s', 'plain marks on a telephone'],
    ['“it’s”', '"it\'s"', 'marks of a telephone in a console'],
  ])('%s becomes %s: %s', (meant, written) => {
    expect(textsOf(meant, { keyboards: true })).toContain(written);
  });
});

describe('encodings', () => {
  it('are the forms of Unicode', () => {
    const passphrases = hexOf('ü', { encodings: true });
    expect(passphrases).toEqual(expect.arrayContaining(['c3bc', '75cc88', 'fc', '81']));
    expect(hexOf('u\u0308', { encodings: true })[0]).toBe('75cc88');
    expect(textsOf('ﬁ', { encodings: true })).toContain('fi');
  });

  it.each([
    ['£', ['c2a3', 'a3', '9c']],
    ['ÄÖß', ['c384c396c39f', 'c4d6df', '8e99e1']],
    ['€', ['e282ac', '80', '3f']],
  ])('are old code pages: %s', (text, expected) => {
    expect(hexOf(text, { encodings: true })).toEqual(expect.arrayContaining(expected));
  });

  it('leave a text alone that is the same in all', () => {
    expect(hexOf('plain', { encodings: true })).toHaveLength(1);
  });

  it('are cut at a zero byte too, as releases before 25 cut them', () => {
    expect(hexOf('ab\\0cd')).toEqual(['6162006364', '6162']);
  });
});

describe('the count', () => {
  it('is exact if counting takes a moment', () => {
    expect(countCandidates(clues('a|a|b\nc', { orders: true }))).toEqual({ tries: 4, exact: true });
  });

  it('is an upper bound beyond it', () => {
    const many = clues('correct\nhorse\nbattery', { orders: true, typos: 2, capitals: true });
    expect(countCandidates(many)).toEqual({ tries: mostCandidates(many), exact: false });
    expect(mostCandidates(many)).toBeGreaterThan(1e8);
    expect(mostCandidates(clues('a\n'.repeat(12), { orders: true }))).toBe(479_001_600 * 2);
  });

  it('is never less than what comes, and none comes twice', () => {
    const piece = fc.record({
      alternatives: fc.array(fc.string({ unit: 'grapheme', maxLength: 3 }), { minLength: 1, maxLength: 2 }),
      optional: fc.boolean(),
    });
    const any: fc.Arbitrary<PassphraseClues> = fc.record({
      pieces: fc.array(piece, { minLength: 1, maxLength: 3 }),
      orders: fc.boolean(),
      spaces: fc.boolean(),
      capitals: fc.boolean(),
      typos: fc.constantFrom(0, 0, 0, 1),
      keyboards: fc.boolean(),
      encodings: fc.boolean(),
    });
    fc.assert(
      fc.property(any, (clues) => {
        const most = 1000;
        const keys: string[] = [];
        for (const bytes of candidates(clues))
          if (keys.push(Buffer.from(bytes).toString('hex')) >= most) break;
        expect(keys.length).toBeLessThanOrEqual(mostCandidates(clues));
        expect(new Set(keys).size).toBe(keys.length);
      }),
      { numRuns: 30 },
    );
  });

  it('keeps its order', () => {
    const typo = clues('ab|cd\n?e', { typos: 1, capitals: true });
    expect([...candidates(typo)]).toEqual([...candidates(typo)]);
  });
});
