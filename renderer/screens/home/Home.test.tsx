import { expect, it } from 'vitest';
import type { FileFacts } from '../../../shared/model/files.ts';
import { sampleInspection } from '../../../shared/testing/sampleInspection.ts';
import { installFakeFerry } from '../../state/testing/fakeFerry.ts';
import { rendered, startWith } from '../../state/testing/rendered.tsx';

installFakeFerry();
const { byWorth, FindWallets, Hits } = await import('./FindWallets.tsx');
const { useSearch } = await import('../../state/searchStore.ts');
const { KeyQuestion, LineMarks, marksEnd } = await import('./Home.tsx');

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

it('tells what jobs left from the user’s own files, and offers an own one first', () => {
  const file = (path: string): FileFacts => ({
    ...{ path, name: 'wallet.dat', folder: '/', temporary: false, size: 1, modified: 1, network: null },
    kind: 'legacy-wallet',
    fileKind: { code: 'legacy_wallet' },
    ...{ truncated: false, suggestedName: '' },
  });
  const copies = [
    '/data/safety copies/2026-11-30 05.10.00 savings/wallet.dat',
    'D:\\ferry\\safety copies\\2026-11-30 05.10.00 savings\\beside 1 x.dat',
    '/w/savings_1795180650.legacy.bak',
    '/w/savings.interrupted-20261130-051000/wallet.dat',
  ];
  const found = [...copies, '/old/wallet.dat'].map(file);
  startWith(useSearch, { state: 'done', found });
  const markup = rendered(<Hits />);
  const [own = '', beside = ''] = markup.split('aria-label="The copies"');
  expect(own.match(/<li/g)).toHaveLength(1);
  expect(own).toContain('data-variant="filled"');
  expect(beside.match(/<li/g)).toHaveLength(4);
  for (const word of ['Safety copy', 'The old wallet’s backup', 'Kept, not in use'])
    expect(beside).toContain(word);
  expect(beside).not.toContain('data-variant="filled"');

  startWith(useSearch, { state: 'done', found: copies.map(file) });
  const onlyCopies = rendered(<Hits />);
  expect(onlyCopies).not.toContain('Wallets found');
  expect(onlyCopies.match(/data-variant="filled"/g)).toHaveLength(1);
});

it('lists each damage once, and gives the list and the marks beside the text names of their own', () => {
  const damaged = [2, 2].map((line) => ({ line, column: 1, why: 'checksum' as const }));
  const lines = { keys: 1, taken: 1, damaged, states: ['taken' as const, 'damaged' as const] };
  const markup = rendered(
    <>
      <KeyQuestion question={{ answers: {}, of: 'lines', lines }} busy={false} onAnswer={() => {}} />
      <LineMarks lines={lines} field={{ current: null }} />
    </>,
  );
  const names = [...markup.matchAll(/<[ou]l[^>]*aria-label="([^"]+)"/g)].map(([, name]) => name);
  expect(names).toEqual(['Damaged', 'Lines']);
  const [list = ''] = markup.split('aria-label="Lines"');
  expect(list.split('Line 2: wrong character.')).toHaveLength(2);
  expect(list).not.toContain('Lines without a key');

  const keyless = { ...lines, damaged: [], states: ['taken' as const, 'other' as const] };
  const asked = rendered(
    <KeyQuestion question={{ answers: {}, of: 'lines', lines: keyless }} busy={false} onAnswer={() => {}} />,
  );
  expect(asked).toContain('Lines without a key: 2');
  expect(asked).toContain('>Continue<');
  expect(asked).not.toContain('Correct the damaged lines');
});

it('says that only the first lines are marked, where there are more', () => {
  const marked = { states: Array.from({ length: 1000 }, () => 'other' as const) };
  const text = (lines: number) => 'no key\n'.repeat(lines);
  expect(marksEnd(marked, text(1000))).toBeNull();
  expect(marksEnd(marked, text(1001))).toBe('Only the first 1,000 lines are marked.');
});
