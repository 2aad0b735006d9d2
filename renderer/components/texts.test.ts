import { expect, it } from 'vitest';
import { installFakeFerry } from '../state/testing/fakeFerry.ts';

installFakeFerry();
const { glossary } = await import('./texts.tsx');

const sources = import.meta.glob<string>('../../**/*.tsx', { query: '?raw', import: 'default', eager: true });

it('explains only terms that the app uses and links', () => {
  const texts = Object.values(sources).join();
  const asks = (word: string) => texts.includes(`<Term word="${word}"`) || texts.includes(`, '${word}']`);
  expect(Object.keys(glossary).filter((word) => !asks(word))).toEqual([]);
});
