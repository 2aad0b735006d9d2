import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { say, speak } from '../shared/say.ts';
import { pseudo, valuesOf } from './pseudoLanguage.mjs';
import { allSaid, allUnsaid, asJson, CATALOGUE, sortedTexts } from './saidTexts.mjs';

const said = allSaid();

describe('the texts', () => {
  it('are all in languages/en.json, and nothing else is (npm run texts)', () => {
    expect(readFileSync(CATALOGUE, 'utf8')).toBe(asJson(sortedTexts(said)));
  });

  it('are given the values that they ask for, and no others', () => {
    const wrong = said.flatMap(({ text, values, place }) =>
      values !== null && values.join() !== valuesOf(text).join() ? [{ text, values, ...place }] : [],
    );
    expect(wrong).toEqual([]);
  });

  it('are all said', () => {
    expect(allUnsaid()).toEqual([]);
  });
});

describe('the pseudo-language', () => {
  it('keeps values, and is at least 40 % longer', () => {
    const text = 'Found {count, plural, one {# wallet} other {# wallets}} in {folder}.';
    const disguised = pseudo({ [text]: text })[text] ?? '';
    expect(valuesOf(disguised)).toEqual(['count', 'folder']);
    expect(disguised).not.toContain('wallet');
    speak('en-XA', { [text]: disguised });
    expect(say(text, { count: 2, folder: '' }).length).toBeGreaterThan('Found 2 wallets in .'.length * 1.4);
    speak('en', {});
  });
});
