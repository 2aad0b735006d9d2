import { expect, it } from 'vitest';
import { rendered } from '../state/testing/rendered.tsx';
import { glossary, SafeText } from './texts.tsx';

const markupOf = (text: string, truncate?: 'middle') =>
  rendered(<SafeText text={text} truncate={truncate} />);

it('keeps an option of Bitcoin Core on one line, and changes no other text', () => {
  expect(markupOf('Check port and -server=1; then try.')).toMatch(
    /Check port and <span class="[^"]+">-server=1<\/span>; then try\./,
  );
  for (const text of ['old-wallet - the second', 'a -1 b', '-server']) expect(markupOf(text)).toContain(text);
});

it('begins a path at its left, also one whose names are written from right to left', () => {
  for (const path of ['/בית/ארנק.dat', '~/ארנק.dat', 'C:\\בית'])
    expect(markupOf(path)).toContain('dir="ltr"');
  for (const name of ['ארנק', '(1) ארנק', 'a: b']) expect(markupOf(name)).not.toContain('dir=');
});

it('keeps the end of a long name, and gives screen readers the whole name', () => {
  const name = 'savings of my family 2013-e\u0301te\u0301 1';
  const markup = markupOf(name, 'middle');
  expect(markup).toContain(`title="${name}"`);
  expect(markup).toContain(`aria-label="${name}"`);
  expect(markup).toContain('<span>savings of my family </span><span>2013-e\u0301te\u0301 1</span>');
  expect(markupOf('savings 2013', 'middle')).not.toContain('aria-label');
  // The letter behind a joiner is in the other piece.
  expect(markupOf('خانواده ۲۰۱۳ کیف\u200cپول اصل ما', 'middle')).not.toContain('U+200C');
});

const sources = import.meta.glob<string>('../../**/*.tsx', { query: '?raw', import: 'default', eager: true });

it('explains only terms that the app uses and links', () => {
  const texts = Object.values(sources).join();
  const asks = (word: string) => texts.includes(`<Term word="${word}"`) || texts.includes(`, '${word}']`);
  expect(Object.keys(glossary).filter((word) => !asks(word))).toEqual([]);
});
