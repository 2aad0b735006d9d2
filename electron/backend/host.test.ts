import { expect, it } from 'vitest';
import { leavingWords } from './host.ts';

const NODE = 'The node continues; we’ll show the result next time.';
const ENGINE = 'The offline engine ends with the app; wallets it has not finished stay as they were.';

it.each([
  [{ all: 1, inEngine: 0 }, '1 job still running', NODE],
  [{ all: 1, inEngine: 1 }, '1 job still running', ENGINE],
  [{ all: 3, inEngine: 1 }, '3 jobs still running', `${ENGINE} ${NODE}`],
])('says what happens to running jobs: %o', (running, message, detail) => {
  expect(leavingWords(running)).toEqual({ message, detail });
});
