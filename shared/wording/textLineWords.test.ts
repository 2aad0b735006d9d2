import { expect, it } from 'vitest';
import type { TextLines } from '../model/findings/textLines.ts';
import { damagedLine, goOnWithoutKeys, linesSummary } from './textLineWords.ts';

const lines = (line: number): TextLines => ({
  keys: 2,
  taken: line - 1,
  damaged: [{ line, column: 14, why: 'letter', letter: '0' }],
  states: [],
});

it('says how many lines can be read, and what is wrong with each of the others', () => {
  expect(linesSummary(lines(3))).toBe('Readable: 2 of 3 lines with keys.');
  expect(linesSummary(lines(1))).toBe('Damaged keys: 1. Readable: 2.');
  expect(lines(3).damaged.map(damagedLine)).toEqual(['Line 3, character 14: no key has “0”.']);
  expect(damagedLine({ line: 2, column: 1, why: 'coin' })).toBe('Line 2: another coin’s key.');
  expect(goOnWithoutKeys(lines(3))).toBe('Go on without 1 key');
});
