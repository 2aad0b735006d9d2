import { describe, expect, it } from 'vitest';
import { isSameNode, isSameRun } from './nodeIdentity.ts';
import { madeIdentity } from './testing/madeNodeStatus.ts';

const address = (port: number) => ({ host: '127.0.0.1', port, tls: false });
const known = madeIdentity({
  ...{ address: address(8332), network: 'main', walletsFolder: '/n/wallets', logTold: '/n/debug.log' },
  ...{ started: 1_700_000_000, listener: { user: 1000, socket: '1' } },
});
const now = (change: Partial<typeof known>) => ({ ...known, ...change });

describe('the same node', () => {
  it.each([
    ['it was never away', {}],
    ['it was started anew', { started: 1_700_009_000, listener: { user: 1000, socket: '2' } }],
    ['it is at another port', { address: address(1), listener: { user: 1000, socket: '2' } }],
    ['it is of a newer release', { release: 310_000 }],
    ['its folder cannot be proved just now', { walletsFolder: null }],
    ['the system stands between', { listener: { user: 0, socket: '2' } }],
    ['the system does not tell who listens', { listener: null }],
  ])('though %s', (_, change) => {
    expect(isSameNode(known, now(change))).toBe(true);
  });

  it.each<[string, Partial<typeof known>]>([
    ['another network', { network: 'regtest' }],
    ['another wallets folder', { walletsFolder: '/other/wallets' }],
    ['another log, and no folder', { walletsFolder: null, logTold: '/other/debug.log' }],
    ['another user', { listener: { user: 1001, socket: '2' } }],
    ['no folder, at another port', { walletsFolder: null, address: address(1) }],
    ['the offline engine on its folder', { offline: true }],
  ])('is none with %s', (_, change) => {
    expect(isSameNode(known, now(change))).toBe(false);
  });

  it('is known by its address alone where an earlier version wrote down no more', () => {
    const little = madeIdentity({ network: 'main', address: address(8332), release: null });
    expect(isSameNode(little, known)).toBe(true);
    expect(isSameNode(little, now({ address: address(1) }))).toBe(false);
  });
});

describe('the same run', () => {
  it('takes a clock that is set right for no new start', () => {
    expect(isSameRun(known, now({ started: 1_700_000_008 }))).toBe(true);
    expect(isSameRun(known, now({ started: 1_700_000_030 }))).toBe(false);
  });

  it('has the same listening socket, where that is told', () => {
    expect(isSameRun(known, now({ listener: { user: 1000, socket: '2' } }))).toBe(false);
  });
});
