/** The catalogue of texts, and the search for untranslated ones. */
import { readFileSync } from 'node:fs';
import * as vite from 'vite';
import { describe, expect, it } from 'vitest';
import { configureLanguage, say } from '../shared/wording/say.ts';
import { pseudo, valuesOf } from './pseudoLanguage.mjs';
import { asJson, CATALOGUE, read, sortedTexts, translatedTexts, untranslatedTexts } from './saidTexts.mjs';

/** Vite 7 has no parser. The tests of Windows in an emulator run on it, for the emulator cannot load Vite 8. */
const PARSES = 'parseSync' in vite;
const translated = PARSES ? translatedTexts() : [];

describe.skipIf(!PARSES)('the texts', () => {
  it('are all in languages/en.json, and nothing else is (npm run texts)', () => {
    expect(readFileSync(CATALOGUE, 'utf8')).toBe(asJson(sortedTexts(translated)));
  });

  it('get exactly the values that they contain', () => {
    const wrong = translated.flatMap(({ text, values, place }) =>
      values !== null && values.join() !== valuesOf(text).join() ? [{ text, values, ...place }] : [],
    );
    expect(wrong).toEqual([]);
  });

  it('are all translated', () => {
    expect(untranslatedTexts()).toEqual([]);
  });
});

describe.skipIf(!PARSES)('an untranslated text', () => {
  it.each([
    ['a sentence', "const text = 'The wallet is open.';"],
    ['a sentence with an expression', `const text = \`The wallet \${name} is open.\`;`],
    ['text between tags', 'const part = <p>open</p>;'],
    ['a word between tags, by a condition', "const part = <p>{open && 'open'}</p>;"],
    ['an attribute that is read out', "const part = <p aria-label={open ? 'open' : ''} />;"],
    ['a property that is shown', "const part = { title: 'open' };"],
    ['a part of a sentence', "say('It is {state}.', { state: open ? 'open' : shut })"],
  ])('is found in %s', (_, source) => {
    expect(read('renderer/x.tsx', source).untranslated).toHaveLength(1);
  });

  it.each([
    ["say('The wallet is open.')"],
    ['<Say text="{wallet} is open." values={{ wallet: <b>{name}</b> }} />'],
    ["throw new Error('The wallet is not open.')"],
    ["console.error('The wallet is not open.')"],
    ['const part = <p className="open wide" />;'],
    ["import { open } from 'The wallet is';"],
    ["const kind: 'open' | 'shut' = 'open';"],
  ])('is not found in %s', (source) => {
    expect(read('renderer/x.tsx', source).untranslated).toEqual([]);
  });
});

describe('the pseudo-language', () => {
  it('keeps values, and is at least 40 % longer', () => {
    const text = 'Found {count, plural, one {# wallet} other {# wallets}} in {folder}.';
    const disguised = pseudo({ [text]: text })[text] ?? '';
    expect(valuesOf(disguised)).toEqual(['count', 'folder']);
    expect(disguised).not.toContain('wallet');
    configureLanguage('en-XA', { [text]: disguised });
    expect(say(text, { count: 2, folder: '' }).length).toBeGreaterThan('Found 2 wallets in .'.length * 1.4);
    configureLanguage('en', {});
  });
});
