import { describe, expect, it } from 'vitest';
import type { Wallet } from '../../../shared/model/wallet.ts';
import { NO_BACKUPS, type WalletBackups } from '../../../shared/model/walletBackups.ts';
import { sampleJob } from '../../../shared/testing/sampleJob.ts';
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

const rowOf = (change: Partial<Wallet>, backups: WalletBackups = NO_BACKUPS) =>
  rendered(
    <WalletsRow
      {...{ wallet: sampleWallet(change), backups, node: sampleNodeStatus() }}
      {...{ isSelected: false, onSelect: () => {}, index: 0, offset: 0, measure: () => {} }}
    />,
  );

it('says of a backup if its keys were not compared with those of the wallet, once these are known', () => {
  const lastFinished = sampleJob({ kind: 'backup', state: 'done' });
  const backups = { ...NO_BACKUPS, lastFinished, lastTried: lastFinished };
  expect(rowOf({}, { ...backups, unchecked: true })).toContain('Keys not compared');
  expect(rowOf({ pending: true }, { ...backups, unchecked: true })).not.toContain('Keys not compared');
  expect(rowOf({}, backups)).not.toContain('Keys not compared');
});

it('asks for a new backup where the only one is gone', () => {
  const row = rowOf({ loaded: true }, { ...NO_BACKUPS, gonePath: '/stick/b.dat' });
  expect(row).toMatch(/No backup at .*\/stick\/b\.dat.*Back up now/);
  expect(row).not.toContain('Not backed up');
});

it('marks a damaged wallet, and offers its rescue in place of its migration', () => {
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
