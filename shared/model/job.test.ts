import { describe, expect, it } from 'vitest';
import { haveSameWallets, isBeingChecked, type Step } from './job.ts';

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

describe('two nodes have the same wallets', () => {
  const at = (port: number) => ({ host: '127.0.0.1', port, tls: false });
  const node = { address: at(8332), network: 'main', offline: false, walletsFolder: '/w' } as const;

  it.each<[boolean, Partial<Parameters<typeof haveSameWallets>[0]>]>([
    [true, { address: at(9000) }],
    [false, { walletsFolder: '/other' }],
    [false, { network: 'signet' }],
    [false, { offline: true }],
    [true, { walletsFolder: null }],
    [false, { walletsFolder: null, address: at(9000) }],
    [true, { offline: undefined, walletsFolder: undefined }],
  ])('%s if one differs by %j', (expected, change) => {
    expect(haveSameWallets(node, { ...node, ...change })).toBe(expected);
    expect(haveSameWallets({ ...node, ...change }, node)).toBe(expected);
  });
});
