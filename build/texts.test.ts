import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { say, speak } from '../shared/wording/say.ts';
import { pseudo, valuesOf } from './pseudoLanguage.mjs';
import { allSaid, allUnsaid, asJson, CATALOGUE, read, sortedTexts } from './saidTexts.mjs';

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

describe('a text that is not said', () => {
  it.each([
    ['a sentence', "const text = 'The wallet is open.';"],
    ['a sentence with a hole', `const text = \`The wallet \${name} is open.\`;`],
    ['text between tags', 'const part = <p>open</p>;'],
    ['a word between tags, by a condition', "const part = <p>{open && 'open'}</p>;"],
    ['an attribute that is read out', "const part = <p aria-label={open ? 'open' : ''} />;"],
    ['a property that is shown', "const part = { title: 'open' };"],
    ['a part of a sentence', "say('It is {state}.', { state: open ? 'open' : shut })"],
  ])('is found as %s', (_, source) => {
    expect(read('renderer/x.tsx', source).unsaid).toHaveLength(1);
  });

  it.each([
    ["say('The wallet is open.')"],
    ['<Say text="{wallet} is open." values={{ wallet: <b>{name}</b> }} />'],
    ["throw new Error('The wallet is not open.')"],
    ["console.error('The wallet is not open.')"],
    ['const part = <p className="open wide" />;'],
    ["import { open } from 'The wallet is';"],
    ["const kind: 'open' | 'shut' = 'open';"],
  ])('is none of %s', (source) => {
    expect(read('renderer/x.tsx', source).unsaid).toEqual([]);
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
