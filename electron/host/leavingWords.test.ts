import { expect, it } from 'vitest';
import { leavingWords } from './leavingWords.ts';

it('says of a node that it goes on, and nothing of an engine', () => {
  const { message, detail } = leavingWords({ all: 1, inEngine: 0 });
  expect(message).toBe('A crossing is still running');
  expect(detail).toMatch(/^The node goes on with it/);
  expect(detail).not.toContain('engine');
});

it('says of the offline engine that it ends, and that the wallet stays as it was', () => {
  const { message, detail } = leavingWords({ all: 1, inEngine: 1 });
  expect(message).toBe('A crossing is still running');
  expect(detail).toContain('The offline engine ends with the app.');
  expect(detail).toContain('the wallet stays as it was');
  expect(detail).not.toContain('node');
});

it('says of both what becomes of each', () => {
  const { message, detail } = leavingWords({ all: 3, inEngine: 1 });
  expect(message).toBe('3 crossings are still running');
  expect(detail).toContain('One of them runs in the offline engine.');
  expect(detail).toContain('The node goes on with the rest');
});
