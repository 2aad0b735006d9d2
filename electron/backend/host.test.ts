import { expect, it } from 'vitest';
import { leavingWords } from './host.ts';

const NODE = 'The node continues; the result appears next time.';
const ENDING = 'Jobs that no node is working on end with the app. Their wallets stay unchanged.';

it.each([
  [{ all: 1, onNode: 1 }, 'Jobs still running: 1', NODE],
  [{ all: 1, onNode: 0 }, 'Jobs still running: 1', ENDING],
  [{ all: 3, onNode: 2 }, 'Jobs still running: 3', `${ENDING} ${NODE}`],
])('says what happens to running jobs: %o', (running, message, detail) => {
  expect(leavingWords(running)).toEqual({ message, detail });
});
