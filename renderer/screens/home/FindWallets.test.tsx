import { expect, it } from 'vitest';
import { sampleInspection } from '../../../shared/testing/sampleInspection.ts';
import { installFakeFerry } from '../../state/testing/fakeFerry.ts';
import { rendered } from '../../state/testing/rendered.tsx';

installFakeFerry();
const { byWorth, FindWallets } = await import('./FindWallets.tsx');

it('has no button to search with while it does not know where', () => {
  const page = rendered(<FindWallets />);
  expect(page).toContain('role="status"');
  expect(page).not.toContain('<button');
});

it('shows the larger amount of bitcoin first, then fake wallets and test coins, and at last what is not read', () => {
  const { balance, network } = sampleInspection();
  const holding = (confirmed: bigint, change: Parameters<typeof sampleInspection>[0] = {}) =>
    sampleInspection({
      balance: { ...balance, spendable: { ...balance.spendable, confirmed } },
      network: { ...network, name: 'main' },
      ...change,
    });
  const fake = { page: null, finding: { code: 'encrypted_keys_repeat' }, lost: false } as const;
  const sorted = [
    holding(9n),
    holding(1n),
    holding(0n),
    holding(70n, { problems: [fake] }),
    holding(60n, { network: { ...network, name: 'regtest' } }),
    null,
  ];
  expect(sorted.toReversed().toSorted(byWorth)).toEqual(sorted);
});
