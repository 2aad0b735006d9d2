import { expect, it } from 'vitest';
import { installFakeFerry } from './testing/fakeFerry.ts';

installFakeFerry();
const { isShownAt } = await import('./jobsStore.ts');

const wallet = (name: string, job?: string) =>
  ({ at: 'wallet', source: { by: 'wallet', name }, ...(job && { job }) }) as const;
const migration = { id: 'm', wallet: 'w', kind: 'migrate' } as const;
const backup = { id: 'b', wallet: 'w', kind: 'backup' } as const;

it('shows a job on the page of its wallet, unless that page shows another job', () => {
  expect(isShownAt(wallet('w'), migration)).toBe(true);
  expect(isShownAt(wallet('w', 'm'), migration)).toBe(true);
  expect(isShownAt(wallet('w', 'other'), migration)).toBe(false);
  expect(isShownAt(wallet('v'), migration)).toBe(false);
  expect(isShownAt({ at: 'home' }, migration)).toBe(false);
});

it('shows a backup on the page of its wallet whatever job that page shows, and in the table', () => {
  expect(isShownAt(wallet('w', 'other'), backup)).toBe(true);
  expect(isShownAt({ at: 'wallets' }, backup)).toBe(true);
  expect(isShownAt({ at: 'wallets' }, migration)).toBe(false);
});
