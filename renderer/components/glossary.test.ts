import { expect, it } from 'vitest';
import { glossary } from './glossary.ts';

const sources = import.meta.glob<string>('../../**/*.tsx', { query: '?raw', import: 'default', eager: true });

it('explains words that stand somewhere in the app, and can be asked for there', () => {
  const texts = Object.values(sources).join();
  const asks = (word: string) => texts.includes(`<Term word="${word}"`) || texts.includes(`term: '${word}'`);
  expect(Object.keys(glossary).filter((word) => !asks(word))).toEqual([]);
});
