import { expect, it } from 'vitest';
import { leavingWords } from './host.ts';

const NODE = 'The node continues; the result appears next time.';
const ENGINE = 'The offline engine ends with the app; unfinished wallets stay unchanged.';

it.each([
  [{ all: 1, inEngine: 0 }, 'Jobs still running: 1', NODE],
  [{ all: 1, inEngine: 1 }, 'Jobs still running: 1', ENGINE],
  [{ all: 3, inEngine: 1 }, 'Jobs still running: 3', `${ENGINE} ${NODE}`],
])('says what happens to running jobs: %o', (running, message, detail) => {
  expect(leavingWords(running)).toEqual({ message, detail });
});
