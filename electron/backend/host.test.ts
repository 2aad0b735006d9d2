import { expect, it } from 'vitest';
import { leavingWords } from './host.ts';

const NODE = 'The node continues; the result appears next time.';
const CHECKED = 'Jobs that are only being checked are done; the app checks them next time.';
const ENDING = 'Jobs that no node is working on end with the app. Their wallets stay unchanged.';

it.each([
  [{ all: 1, onNode: 1, checked: 0 }, 'Jobs still running: 1', NODE],
  [{ all: 1, onNode: 0, checked: 0 }, 'Jobs still running: 1', ENDING],
  [{ all: 1, onNode: 0, checked: 1 }, 'Jobs still running: 1', CHECKED],
  [{ all: 4, onNode: 2, checked: 1 }, 'Jobs still running: 4', `${ENDING} ${CHECKED} ${NODE}`],
])('says what happens to running jobs: %o', (running, message, detail) => {
  expect(leavingWords(running)).toEqual({ message, detail });
});
