import { expect, it } from 'vitest';
import { leavingWords } from './host.ts';

const NODE = 'The node continues; the result appears next time.';
const CHECKED = 'Jobs that are only being checked are done; the app checks them next time.';
const UNCHANGED = 'end with the app. Their wallets stay unchanged.';

it.each([
  [{ all: 1, onNode: 1, checked: 0 }, 'Jobs still running: 1', NODE],
  [{ all: 1, onNode: 0, checked: 0 }, 'Jobs still running: 1', `They ${UNCHANGED}`],
  [{ all: 1, onNode: 0, checked: 1 }, 'Jobs still running: 1', CHECKED],
  [{ all: 4, onNode: 2, checked: 1 }, 'Jobs still running: 4', `${CHECKED} ${NODE} Other jobs ${UNCHANGED}`],
])('says what happens to running jobs: %o', (running, message, detail) => {
  expect(leavingWords(running)).toEqual({ message, detail });
});
