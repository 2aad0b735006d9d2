import { describe, expect, it } from 'vitest';
import { bytesOfVariant, MOST_VARIANTS, passphraseVariants } from './passphraseVariants.ts';

const texts = (remembered: string) => passphraseVariants(remembered).map(({ text }) => text);

describe('passphraseVariants', () => {
  it.each([
    ['what was remembered, first of all', 'correct horse', 'correct horse'],
    ['alternatives, and pieces that may be missing', '(my|the) (old |)key', 'the key'],
    ['capitals', 'correct horse', 'Correct Horse'],
    ['the caps lock', 'Correct horse', 'cORRECT HORSE'],
    ['without spaces', 'correct horse', 'correcthorse'],
    ['what comes before a zero byte', 'correct\0horse', 'correct'],
    ['another form of Unicode', 'Jürgen', 'Ju\u0308rgen'],
    ['another keyboard', 'zany', 'yanz'],
    ['a key too little', 'correct', 'corect'],
    ['a key twice', 'corect', 'correct'],
    ['two keys swapped', 'correct', 'corretc'],
    ['the key beside', 'correct', 'vorrect'],
  ])('tries %s', (_, remembered, meant) => {
    expect(texts(remembered)).toContain(meant);
  });

  it('tries each once, and the likely ones first', () => {
    const all = texts('one\n(two|three)');
    expect(all.slice(0, 4)).toEqual(['one', '(two|three)', 'two', 'three']);
    expect(new Set(all).size).toBe(all.length);
  });

  it('knows how old systems wrote other letters', () => {
    const pound = passphraseVariants('£5').filter(({ encoding }) => encoding !== 'utf-8');
    expect(pound.map((variant) => [variant.encoding, bytesOfVariant(variant)?.[0]])).toEqual([
      ['windows-1252', 0xa3],
      ['macintosh', 0xa3],
      ['cp850', 0x9c],
    ]);
  });

  it('has a bound', () => {
    const alternatives = '(a|b|c|d|e|f|g|h|i|j)'.repeat(12);
    expect(passphraseVariants(alternatives)).toHaveLength(MOST_VARIANTS);
  });
});
