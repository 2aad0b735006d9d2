import { expect, it } from 'vitest';
import { installFakeFerry } from '../../state/testing/fakeFerry.ts';
import { rendered } from '../../state/testing/rendered.tsx';

installFakeFerry();
const { FindWallets } = await import('./FindWallets.tsx');

it('has no button to search with while it does not know where', () => {
  const page = rendered(<FindWallets />);
  expect(page).toContain('role="status"');
  expect(page).not.toContain('<button');
});
