import { expect, it } from 'vitest';
import { isBeingChecked, type Step } from './job.ts';

it.each<[boolean, Step[]]>([
  [
    false,
    [
      { phase: 'sent', state: 'running' },
      { phase: 'proving', state: 'waiting' },
    ],
  ],
  [
    false,
    [
      { phase: 'loading', state: 'running' },
      { phase: 'verifying', state: 'skipped' },
    ],
  ],
  [
    true,
    [
      { phase: 'sent', state: 'done' },
      { phase: 'proving', state: 'running' },
    ],
  ],
  [
    true,
    [
      { phase: 'sent', state: 'done' },
      { phase: 'verifying', state: 'running' },
    ],
  ],
])('tells whether a job is being checked: %s for %j', (expected, steps) => {
  expect(isBeingChecked({ steps })).toBe(expected);
});
