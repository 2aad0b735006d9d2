import { expect, it } from 'vitest';
import { isShownAt } from './isShownAt.ts';

const job = { id: 'one', kind: 'migrate' } as const;

it('shows a job at its own place', () => {
  expect(isShownAt({ at: 'job', id: 'one' }, job)).toBe(true);
  expect(isShownAt({ at: 'job', id: 'other' }, job)).toBe(false);
  expect(isShownAt({ at: 'wallets' }, job)).toBe(false);
});

it('counts a backup as shown in a result, which makes it', () => {
  expect(isShownAt({ at: 'job', id: 'other' }, { id: 'one', kind: 'backup' })).toBe(true);
});

it('shows those of several where they are run, with their backups, and no others', () => {
  const backup = { id: 'two', kind: 'backup' } as const;
  expect(isShownAt({ at: 'check' }, job, ['one'])).toBe(true);
  expect(isShownAt({ at: 'check' }, backup, ['one'])).toBe(true);
  expect(isShownAt({ at: 'check' }, job, ['other'])).toBe(false);
  expect(isShownAt({ at: 'check' }, job)).toBe(false);
  expect(isShownAt({ at: 'check' }, backup)).toBe(false);
});
