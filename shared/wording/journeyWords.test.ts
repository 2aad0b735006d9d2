import { describe, expect, it } from 'vitest';
import type { Job } from '../model/job.ts';
import type { Stop } from '../model/journey.ts';
import { sampleJob } from '../testing/sampleJob.ts';
import { sampleRescue } from '../testing/sampleRescue.ts';
import { stopName, stopNote } from './journeyWords.ts';

const stop = (change: Partial<Stop>): Stop => ({
  id: 'migrate',
  state: 'done',
  time: null,
  seconds: null,
  paths: [],
  ...change,
});

describe('stopNote', () => {
  it('says what will be done with the file, and what was done', () => {
    expect(stopNote(stop({ id: 'file' }), null)).toBe('');
    expect(stopNote(stop({ id: 'file' }), sampleJob())).toBe('unchanged');
  });

  it('shows the progress of the running stop, if known', () => {
    const active = stop({ state: 'active' });
    expect(stopNote(active, sampleJob())).toBe('running');
    const progress = { fraction: 0.32 } as NonNullable<ReturnType<typeof sampleJob>['progress']>;
    expect(stopNote(active, sampleJob({ progress }))).toMatch(/^32\s?%$/);
  });

  it('starts an undo and a put-back with the backup, other jobs with the file', () => {
    expect(stopName('file', sampleJob())).toBe('Your file');
    const backupFile = '/d/reading/wallet-in-use-71-Ab3dEf/pasted-keys.dat';
    const result = {
      kind: 'restore',
      walletName: 'w',
      walletKind: 'descriptor',
      balance: 0n,
      backupFile,
    } as const;
    expect(stopName('file', sampleJob({ kind: 'restore', result }))).toBe('Your keys');
    expect(stopName('file', { action: 'restore' })).toBe('Your file');
    expect(stopName('file', sampleJob({ action: 'undo' }))).toBe('Backup');
    expect(stopName('file', sampleJob({ action: 'put-back' }))).toBe('Backup');
    expect(stopName('copy', sampleJob({ action: 'undo' }))).toBe('Safety copy');
  });

  it('shows no progress of a finished job', () => {
    expect(stopNote(stop({ id: 'backup', state: 'active' }), sampleJob({ state: 'done' }))).toBe('');
  });

  it('names a skipped stop, and the stop at which the job ended', () => {
    expect(stopNote(stop({ id: 'copy', state: 'skipped' }), sampleJob())).toBe('you have a copy');
    const done = sampleJob({ state: 'done' });
    expect(stopNote(stop({ id: 'proof', state: 'unknown' }), done)).toBe('Nothing was compared');
    expect(stopNote(stop({ state: 'failed' }), sampleJob({ state: 'failed' }))).toBe('stopped');
    expect(stopNote(stop({ id: 'proof', state: 'failed' }), sampleJob())).toBe('something differs');
    expect(stopNote(stop({ id: 'proof', state: 'partly' }), sampleJob())).toBe('partly compared');
    const proof = { differences: [{ title: 'Missing: 1 label' }] } as Job['proof'];
    expect(stopNote(stop({ id: 'proof', state: 'partly' }), sampleJob({ proof }))).toBe('something differs');
    const changed = { kind: 'restore', backupAfter: 'changed' } as Job['result'];
    expect(stopNote(stop({ id: 'file', state: 'partly' }), sampleJob({ result: changed }))).toBe(
      'Backup file changed meanwhile',
    );
    const result = { kind: 'migrate', rescue: sampleRescue({ damagedTextKeys: 1 }) } as Job['result'];
    expect(stopNote(stop({ id: 'proof', state: 'partly' }), sampleJob({ result }))).toBe(
      'Not everything could be saved',
    );
    expect(stopNote(stop({ state: 'unknown' }), sampleJob({ state: 'unknown' }))).toBe('not known');
  });

  it('shows the duration of a stop from one second on', () => {
    const day = 1_795_651_085;
    const note = (seconds: number) => stopNote(stop({ time: day, seconds }), sampleJob({ state: 'done' }));
    expect(note(0)).not.toContain(',');
    expect(note(30)).toContain('30 s');
  });
});
