import { describe, expect, it } from 'vitest';
import type { Job } from '../../shared/model/job.ts';
import { sampleJob } from '../../shared/testing/sampleJob.ts';
import { NO_BACKUPS, walletBackups } from './walletBackups.ts';

const NODE = sampleJob().node.address;

const job = (kind: Job['kind'], wallet: string, change: Partial<Job> = {}) =>
  sampleJob({ id: `${kind} ${wallet}`, kind, wallet, state: 'done', ended: 2, ...change });
const migrated = (wallet: string, change: Partial<Job> = {}) =>
  job('migrate', wallet, {
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
const of = (jobs: Job[], wallet: string) => walletBackups(jobs, NODE).get(wallet) ?? NO_BACKUPS;

describe('walletBackups', () => {
  it('asks for a backup of every wallet from a migration, and of no other', () => {
    const jobs = [migrated('savings')];
    expect(of(jobs, 'savings').owed).toBe(true);
    expect(of(jobs, 'savings_watchonly').owed).toBe(true);
    expect(of(jobs, 'savings_solvables')).toEqual(NO_BACKUPS);
    expect(of(jobs, 'other')).toEqual(NO_BACKUPS);
  });

  it('accepts only a later, finished backup of the same wallet', () => {
    const backup = job('backup', 'savings');
    const jobs = [backup, migrated('savings')];
    expect(of(jobs, 'savings')).toEqual({ newest: backup, made: backup, owed: false });
    expect(of(jobs, 'savings_watchonly').owed).toBe(true);
  });

  it('reports a failed backup next to the finished one', () => {
    const failed = job('backup', 'savings', { state: 'failed', id: 'failed' });
    const made = job('backup', 'savings');
    expect(of([failed, made, job('backup', 'savings', { id: 'old' })], 'savings')).toEqual({
      newest: failed,
      made,
      owed: false,
    });
    expect(of([failed, migrated('savings')], 'savings')).toEqual({ newest: failed, made: null, owed: true });
  });

  it('does not count a backup from before the migration', () => {
    expect(of([migrated('savings'), job('backup', 'savings')], 'savings')).toEqual({
      ...NO_BACKUPS,
      owed: true,
    });
  });

  it('asks for one after a restore with migration, but not after a later restore under the name', () => {
    expect(of([migrated('old', { kind: 'restore-migrate' })], 'old').owed).toBe(true);
    const restored = [job('restore', 'savings'), job('backup', 'savings'), migrated('savings')];
    expect(of(restored, 'savings')).toEqual(NO_BACKUPS);
  });

  it('ignores other nodes and unfinished migrations', () => {
    expect(walletBackups([migrated('savings')], { ...NODE, port: 1 }).size).toBe(0);
    expect(of([migrated('savings', { state: 'failed' })], 'savings').owed).toBe(false);
  });
});
