import { describe, expect, it } from 'vitest';
import { sampleJob } from '../testing/sampleJob.ts';
import type { Job } from './job.ts';
import { journeyOf, plannedJourney } from './journey.ts';

const NO_BACKUP: Parameters<typeof journeyOf>[2] = { done: false, time: null, path: null };
const states = (job: Partial<Job>, backups = NO_BACKUP) =>
  Object.fromEntries(
    journeyOf(sampleJob(job), '/old/wallet.dat', backups).map(({ id, state }) => [id, state]),
  );
const safetyCopy = {
  ...{ made: 20, verdict: 'same' },
  files: [{ path: '/copies/wallet.dat', size: 1, sha256: 'ab'.repeat(32) }],
} as unknown as Job['safetyCopy'];
const migrated = {
  kind: 'migrate',
  walletName: 'w',
  watchonlyName: null,
  solvablesName: null,
  backupPath: '/node/wallets/w_1.legacy.bak',
  backupSeen: true,
} as const;
const restored = { kind: 'restore', walletName: 'w', walletKind: 'descriptor', balance: null } as const;

describe('plannedJourney', () => {
  it.each([
    ['migrate', false, ['wallet', 'copy', 'migrate', 'proof', 'backup']],
    ['restore-migrate', false, ['file', 'copy', 'migrate', 'proof', 'backup']],
    // A restored wallet has nothing to be compared with, and the offline engine has no blocks.
    ['restore', false, ['file', 'restore', 'rescan', 'backup']],
    ['restore', true, ['file', 'restore', 'backup']],
    ['rescue', false, ['file', 'repair', 'migrate', 'proof', 'backup']],
    ['backup', false, ['wallet', 'backup']],
    ['rescan', false, ['wallet', 'rescan']],
  ] as const)('gives the stops of %s (offline: %s)', (kind, offline, ids) => {
    const stops = plannedJourney({ kind, offline, isDescriptor: false }, '/old/wallet.dat');
    expect(stops.map(({ id }) => id)).toEqual(ids);
    expect(stops.map(({ state }) => state)).toEqual(
      ids.map((_, at) => (at === 0 ? 'done' : at === 1 ? 'active' : 'waiting')),
    );
    expect(stops[0]?.path).toBe('/old/wallet.dat');
  });

  it('restores a rescued descriptor wallet, and does not migrate it', () => {
    const stops = plannedJourney({ kind: 'rescue', offline: true, isDescriptor: true }, null);
    expect(stops.map(({ id }) => id)).toEqual(['file', 'repair', 'restore', 'proof', 'backup']);
  });
});

describe('journeyOf', () => {
  it('has one active stop while a migration runs, at its current phase', () => {
    const steps = (running: string): Job['steps'] =>
      (['safety-copy', 'migrating', 'proving'] as const).map((phase, at, all) => ({
        phase,
        state:
          phase === running ? 'running' : at < all.indexOf(running as never) ? ('done' as const) : 'waiting',
      })) as Job['steps'];
    expect(states({ steps: steps('safety-copy') })).toEqual({
      ...{ wallet: 'done', copy: 'active', migrate: 'waiting', proof: 'waiting', backup: 'waiting' },
    });
    expect(states({ steps: steps('migrating'), safetyCopy })).toEqual({
      ...{ wallet: 'done', copy: 'done', migrate: 'active', proof: 'waiting', backup: 'waiting' },
    });
    expect(states({ steps: steps('proving'), safetyCopy })).toEqual({
      ...{ wallet: 'done', copy: 'done', migrate: 'done', proof: 'active', backup: 'waiting' },
    });
  });

  it('gives each stop its time and path once the migration is over', () => {
    const job = { state: 'done', started: 10, ended: 40, result: migrated, safetyCopy } as const;
    const stops = journeyOf(sampleJob(job), null, { done: true, time: 90, path: '/stick/w.dat' });
    expect(stops.map(({ id, time, seconds, path }) => [id, time, seconds, path])).toEqual([
      ['wallet', null, null, null],
      ['copy', 20, null, '/copies/wallet.dat'],
      ['migrate', 10, 30, '/node/wallets/w_1.legacy.bak'],
      ['proof', 40, null, null],
      ['backup', 90, null, '/stick/w.dat'],
    ]);
  });

  it('gives no path of a legacy backup that was not found', () => {
    const result = { ...migrated, backupSeen: false };
    const stops = journeyOf(sampleJob({ state: 'done', ended: 40, result }), null, NO_BACKUP);
    expect(stops.find(({ id }) => id === 'migrate')?.path).toBeNull();
  });

  it('stays at the new backup until one is made', () => {
    const done = { state: 'done', ended: 40, result: migrated, safetyCopy } as const;
    expect(states(done).backup).toBe('active');
    expect(states(done, { done: true, time: 1, path: null }).backup).toBe('done');
  });

  it('marks the proof as failed where something differs', () => {
    const proof = { verdict: 'different' } as Job['proof'];
    expect(states({ state: 'done', ended: 40, result: migrated, proof }).proof).toBe('failed');
  });

  it('says that a safety copy was not needed where a migration made none', () => {
    expect(states({ state: 'done', ended: 40, result: migrated }).copy).toBe('skipped');
  });

  it('marks the stop at which a job ended', () => {
    const steps = [
      { phase: 'safety-copy', state: 'done' },
      { phase: 'migrating', state: 'running' },
    ] as unknown as Job['steps'];
    for (const state of ['failed', 'interrupted', 'unknown'] as const) {
      expect(states({ state, steps, safetyCopy }), state).toEqual({
        ...{ wallet: 'done', copy: 'done', migrate: 'failed', proof: 'waiting', backup: 'waiting' },
      });
    }
  });

  it('shows the proof of a restore only where there is one', () => {
    const done = { kind: 'restore', state: 'done', ended: 40, result: restored } as const;
    expect(Object.keys(states(done))).toEqual(['file', 'restore', 'rescan', 'backup']);
    expect(Object.keys(states({ ...done, proof: { verdict: 'same' } as Job['proof'] }))).toContain('proof');
  });

  it('makes the copy of a rescue part of its repair', () => {
    const steps = [{ phase: 'safety-copy', state: 'running' }] as unknown as Job['steps'];
    expect(states({ kind: 'rescue', steps })).toMatchObject({ repair: 'active', migrate: 'waiting' });
  });
});
