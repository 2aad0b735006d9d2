import { describe, expect, it } from 'vitest';
import type { Wallet } from '../../../shared/model/wallet.ts';
import { NO_BACKUPS } from '../../../shared/model/walletBackups.ts';
import { sampleNodeStatus } from '../../../shared/testing/sampleNodeStatus.ts';
import { sampleWallet } from '../../../shared/testing/sampleWallet.ts';
import { installFakeFerry } from '../../state/testing/fakeFerry.ts';
import { rendered } from '../../state/testing/rendered.tsx';

installFakeFerry();
const { WalletsActions, WalletsRow } = await import('./WalletsRow.tsx');

const actionsOf = (change: Partial<Wallet>) =>
  rendered(
    <WalletsActions
      wallet={sampleWallet(change)}
      node={sampleNodeStatus()}
      needsBackup={false}
      isChanging={false}
      blocked={false}
      nameId="name"
    />,
  );

const markupOf = (interruption: Wallet['interruption']) =>
  actionsOf({ kind: 'interrupted', ...(interruption ? { interruption } : {}) });

it('marks a damaged wallet, and offers its rescue in place of its migration', () => {
  const rowOf = (change: Partial<Wallet>) =>
    rendered(
      <WalletsRow
        {...{ wallet: sampleWallet(change), backups: NO_BACKUPS, node: sampleNodeStatus(), lost: false }}
        {...{ isSelected: false, onSelect: () => {}, index: 0, offset: 0, measure: () => {} }}
      />,
    );
  expect(rowOf({ kind: 'legacy' })).not.toContain('Damaged');
  expect(rowOf({ kind: 'legacy', damagedFile: '/w/wallet.dat' })).toContain('Damaged');
  expect(actionsOf({ kind: 'legacy' })).toMatch(/<button.*Migrate/);
  const damaged = actionsOf({ kind: 'legacy', damagedFile: '/w/wallet.dat' });
  expect(damaged).toMatch(/<button.*Rescue/);
  expect(damaged).not.toContain('Migrate');
});

describe('an incomplete wallet in the list', () => {
  it('has a button only if it can be restored', () => {
    expect(markupOf({ copies: 1 })).toContain('Put it back');
    expect(markupOf({ copies: 0 })).not.toContain('Put it back');
    expect(markupOf({ copies: 1, restoredAs: 'w' })).not.toContain('Put it back');
    // Its file is out of reach.
    expect(markupOf(undefined)).not.toContain('Put it back');
    expect(markupOf({ copies: 0 })).not.toContain('Load');
  });
});
