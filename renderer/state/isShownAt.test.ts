import { expect, it } from 'vitest';
import { isShownAt } from './isShownAt.ts';

const crossing = { id: 'one', kind: 'migrate' } as const;

it('shows a crossing at its own place', () => {
  expect(isShownAt({ at: 'crossing', id: 'one' }, crossing)).toBe(true);
  expect(isShownAt({ at: 'crossing', id: 'other' }, crossing)).toBe(false);
  expect(isShownAt({ at: 'wallets' }, crossing)).toBe(false);
});

it('counts a backup as shown in a result, which makes it', () => {
  expect(isShownAt({ at: 'crossing', id: 'other' }, { id: 'one', kind: 'backup' })).toBe(true);
});

it('shows those of several where they are run, with their backups, and no others', () => {
  const backup = { id: 'two', kind: 'backup' } as const;
  expect(isShownAt({ at: 'check' }, crossing, ['one'])).toBe(true);
  expect(isShownAt({ at: 'check' }, backup, ['one'])).toBe(true);
  expect(isShownAt({ at: 'check' }, crossing, ['other'])).toBe(false);
  expect(isShownAt({ at: 'check' }, crossing)).toBe(false);
  expect(isShownAt({ at: 'check' }, backup)).toBe(false);
});
