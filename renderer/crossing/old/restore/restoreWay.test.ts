import { describe, expect, it } from 'vitest';
import { madeNodeStatus, release31 } from '../../../../shared/testing/madeNodeStatus.ts';
import { canPlace, restoreWay } from './restoreWay.ts';

describe('restoreWay', () => {
  it('is restore and migrate only for a legacy wallet on a release that cannot load one', () => {
    const { release } = madeNodeStatus();
    expect(restoreWay({ kind: 'legacy-wallet' }, { release: release31 })).toBe('restore-migrate');
    expect(restoreWay({ kind: 'legacy-wallet' }, { release })).toBe('restore');
    expect(restoreWay({ kind: 'descriptor-wallet' }, { release: release31 })).toBe('restore');
    expect(restoreWay(null, { release: release31 })).toBe('restore');
  });
});

describe('canPlace', () => {
  it('needs a node on this machine whose wallets folder is proved', () => {
    expect(canPlace({ local: true, walletsFolder: '/node/wallets' })).toBe(true);
    expect(canPlace({ local: true, walletsFolder: null })).toBe(false);
    expect(canPlace({ local: false, walletsFolder: '/node/wallets' })).toBe(false);
  });
});
