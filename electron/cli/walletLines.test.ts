import { expect, it } from 'vitest';
import type { FoundNode } from '../../shared/model/node.ts';
import { sampleWallet } from '../../shared/testing/sampleWallet.ts';
import { nodeLines, walletLines } from './walletLines.ts';

it('prints each node’s address and its state', () => {
  const found: Omit<FoundNode, 'state'> = {
    id: 'a',
    dataFolder: '/home/ana/.bitcoin',
    network: 'regtest',
    address: { host: '::1', port: 18443, tls: false },
    credentials: 'cookie',
  };
  expect(
    nodeLines([
      { ...found, state: { state: 'asks-login' } },
      {
        ...found,
        state: { state: 'failed', error: { code: 'busy', message: 'The node is too busy.', hint: '' } },
      },
    ]),
  ).toEqual([
    'Regtest  http://[::1]:18443  Asks for a login       /home/ana/.bitcoin',
    'Regtest  http://[::1]:18443  The node is too busy.  /home/ana/.bitcoin',
  ]);
  const failed = { ...found, state: { state: 'asks-login' }, partlyRead: true } as const;
  expect(nodeLines([failed, { ...failed, network: 'main' }]).slice(2)).toEqual([
    'bitcoin.conf in /home/ana/.bitcoin includes too many files. Some were not read.',
  ]);
  expect(nodeLines([])).toEqual(['No node was found on this computer']);
});

it('says under which name an interrupted wallet was restored, or that no copy is whole', () => {
  const half = sampleWallet({ name: 'half', kind: 'interrupted' });
  const lines = (interruption: typeof half.interruption) =>
    walletLines([{ ...half, ...(interruption ? { interruption } : {}) }], {
      network: 'regtest',
      offline: false,
    }).join('\n');
  expect(lines({ copies: 1 })).not.toContain('copy');
  expect(lines({ copies: 0 })).toContain('No whole copy was found.');
  const back = lines({ copies: 1, backAs: 'savings' });
  expect(back).toContain('Set aside');
  expect(back).toContain('The wallet was restored as “savings”.');
  expect(back).not.toContain('Interrupted');
});
