import { describe, expect, it } from 'vitest';
import type { Crossing } from '../../../shared/model/crossing.ts';
import { sampleCrossing } from '../../../shared/testing/sampleCrossing.ts';
import { NO_BACKUPS, newestBackup, walletBackups } from './walletBackups.ts';

const NODE = sampleCrossing().node.address;

const crossing = (kind: Crossing['kind'], wallet: string, change: Partial<Crossing> = {}) =>
  sampleCrossing({ id: `${kind} ${wallet}`, kind, wallet, state: 'done', ended: 2, ...change });
const migrated = (wallet: string, change: Partial<Crossing> = {}) =>
  crossing('migrate', wallet, {
    result: {
      kind: 'migrate',
      walletName: wallet,
      watchonlyName: `${wallet}_watchonly`,
      solvablesName: null,
      backupPath: null,
      backupSeen: null,
    },
    ...change,
  });
const of = (crossings: Crossing[], wallet: string) =>
  walletBackups(crossings, NODE).get(wallet) ?? NO_BACKUPS;

describe('walletBackups', () => {
  it('finds one owed by every wallet that came of a migration, and by no other', () => {
    const crossings = [migrated('savings')];
    expect(of(crossings, 'savings').owed).toBe(true);
    expect(of(crossings, 'savings_watchonly').owed).toBe(true);
    expect(of(crossings, 'savings_solvables')).toEqual(NO_BACKUPS);
    expect(of(crossings, 'other')).toEqual(NO_BACKUPS);
  });

  it('is content with a later backup that is done, of that wallet alone', () => {
    const backup = crossing('backup', 'savings');
    const crossings = [backup, migrated('savings')];
    expect(of(crossings, 'savings')).toEqual({ newest: backup, made: backup, owed: false });
    expect(of(crossings, 'savings_watchonly').owed).toBe(true);
  });

  it('tells of one that failed beside the one that was made', () => {
    const failed = crossing('backup', 'savings', { state: 'failed', id: 'failed' });
    const made = crossing('backup', 'savings');
    expect(of([failed, made, crossing('backup', 'savings', { id: 'old' })], 'savings')).toEqual({
      newest: failed,
      made,
      owed: false,
    });
    expect(of([failed, migrated('savings')], 'savings')).toEqual({ newest: failed, made: null, owed: true });
  });

  it('does not count a backup from before the migration', () => {
    expect(of([migrated('savings'), crossing('backup', 'savings')], 'savings')).toEqual({
      ...NO_BACKUPS,
      owed: true,
    });
  });

  it('knows a restored and migrated wallet, and takes one restored since for another', () => {
    expect(of([migrated('old', { kind: 'restore-migrate' })], 'old').owed).toBe(true);
    const restored = [crossing('restore', 'savings'), crossing('backup', 'savings'), migrated('savings')];
    expect(of(restored, 'savings')).toEqual(NO_BACKUPS);
  });

  it('keeps to the node, and to migrations that are done', () => {
    expect(walletBackups([migrated('savings')], { ...NODE, port: 1 }).size).toBe(0);
    expect(of([migrated('savings', { state: 'failed' })], 'savings').owed).toBe(false);
  });
});

describe('newestBackup', () => {
  const backup = (id: string, wallet: string, started: number) =>
    sampleCrossing({ id, kind: 'backup', wallet, started });
  const crossings = [
    backup('third', 'savings', 300),
    backup('second', 'other', 200),
    backup('first', 'savings', 100),
  ];

  it('takes the newest of the wallet', () => {
    expect(newestBackup(crossings, 'savings', 0, NODE)?.id).toBe('third');
    expect(newestBackup(crossings, 'other', 0, NODE)?.id).toBe('second');
  });

  it('leaves out what was begun before, and what is no backup', () => {
    expect(newestBackup(crossings, 'other', 201, NODE)).toBeNull();
    expect(
      newestBackup([{ ...backup('x', 'savings', 400), kind: 'migrate' }], 'savings', 0, NODE),
    ).toBeNull();
  });

  it('leaves out the backups of a wallet of that name on another node', () => {
    expect(newestBackup([backup('x', 'savings', 400)], 'savings', 0, { ...NODE, port: 1 })).toBeNull();
  });
});
