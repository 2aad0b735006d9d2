import { describe, expect, it } from 'vitest';
import { sampleJob } from '../testing/sampleJob.ts';
import { stopNote } from '../wording/journeyWords.ts';
import type { Job, Phase } from './job.ts';
import { chosenFile, journeyOf, plannedJourney, plannedKind, startsFromText } from './journey.ts';
import type { Plan } from './plan.ts';

const states = (job: Partial<Job>, backups: Parameters<typeof journeyOf>[2] = null) =>
  Object.fromEntries(
    journeyOf(sampleJob(job), '/old/wallet.dat', backups).map(({ id, state }) => [id, state]),
  );
const safetyCopy = {
  made: 20,
  verdict: 'same',
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

const backedUp = (ended: number, path: string, seen = true) =>
  sampleJob({
    kind: 'backup',
    state: 'done',
    ended,
    result: { kind: 'backup', proof: { path, seen } } as Job['result'],
  });

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
    expect(stops[0]?.paths).toEqual(['/old/wallet.dat']);
  });

  it('compares a restored descriptor wallet with its backup', () => {
    const ids = (contents: unknown) => {
      const plan = { action: 'restore', kind: 'restore', node: { offline: false }, facts: { contents } };
      return plannedJourney(plannedKind(plan as Plan), null).map(({ id }) => id);
    };
    expect(ids({ kind: 'descriptor' })).toEqual(['file', 'restore', 'rescan', 'proof', 'backup']);
    expect(ids({ kind: 'legacy' })).toEqual(['file', 'restore', 'rescan', 'backup']);
    expect(ids(null)).toEqual(['file', 'restore', 'rescan', 'backup']);
    const running: Partial<Job> = { kind: 'restore', steps: [{ phase: 'sent', state: 'running' }] };
    expect(states({ ...running, isCompared: true })).toHaveProperty('proof', 'waiting');
    expect(states(running)).not.toHaveProperty('proof');
    const done = { kind: 'restore', state: 'done', ended: 40, result: restored, proof: null } as const;
    expect(states({ ...done, isCompared: true })).toHaveProperty('proof', 'unknown');
  });

  it('restores a rescued descriptor wallet, and does not migrate it', () => {
    const stops = ['file', 'repair', 'restore', 'proof', 'backup'];
    const before = plannedJourney({ kind: 'rescue', offline: true, isDescriptor: true }, null);
    expect(before.map(({ id }) => id)).toEqual(stops);
    // Its plan is one of a restore.
    const plan = { action: 'rescue', kind: 'restore', node: { offline: true } } as Plan;
    expect(plannedJourney(plannedKind(plan), null).map(({ id }) => id)).toEqual(stops);
  });
});

describe('journeyOf', () => {
  const PHASES = {
    restore: { sent: 'restore', loading: 'restore', rescanning: 'rescan' },
    migrate: { 'safety-copy': 'copy', sent: 'migrate', rescanning: 'rescan', proving: 'proof' },
    'restore-migrate': { 'safety-copy': 'copy', placing: 'copy', converting: 'migrate', proving: 'proof' },
    rescue: { 'safety-copy': 'repair', placing: 'repair', converting: 'migrate', proving: 'proof' },
    backup: { sent: 'backup', verifying: 'backup' },
    rescan: { sent: 'rescan', rescanning: 'rescan' },
  } as const;
  const atPhase = (kind: Job['kind'], phase: string): Job['steps'] => {
    const phases = Object.keys(PHASES[kind]) as Phase[];
    return phases.map((one, at) => ({
      phase: one,
      state: one === phase ? 'running' : at < phases.indexOf(phase as Phase) ? 'done' : 'waiting',
    }));
  };
  const running = Object.entries(PHASES).flatMap(([kind, stops]) =>
    Object.entries(stops).map(([phase, stop]) => [kind as Job['kind'], phase, stop] as const),
  );

  it.each(running)('has one active stop in a %s at its phase %s: %s', (kind, phase, stop) => {
    const stops = journeyOf(sampleJob({ kind, steps: atPhase(kind, phase), safetyCopy }), null, null);
    const at = stops.findIndex(({ id }) => id === stop);
    expect(stops.map(({ state }) => state)).toEqual(
      stops.map((_, index) => (index < at ? 'done' : index === at ? 'active' : 'waiting')),
    );
  });

  it('shows the rescue of a descriptor wallet as repair, restore and proof', () => {
    const rescuing = { kind: 'restore', rescues: true, steps: atPhase('restore', 'sent') } as const;
    const stops = { file: 'done', repair: 'active', restore: 'waiting', proof: 'waiting', backup: 'waiting' };
    expect(states(rescuing)).toEqual(stops);
    expect(states({ ...rescuing, safetyCopy })).toEqual({ ...stops, repair: 'done', restore: 'active' });
    expect(
      states({
        ...rescuing,
        state: 'done',
        ended: 40,
        result: restored,
        proof: { verdict: 'partly' } as Job['proof'],
      }),
    ).toEqual({ ...stops, repair: 'done', restore: 'done', proof: 'partly', backup: 'active' });
  });

  it('gives each stop its time and paths after the migration', () => {
    const proof = { verdict: 'same' } as Job['proof'];
    const job = { state: 'done', started: 10, ended: 40, result: migrated, safetyCopy, proof } as const;
    const steps: Job['steps'] = [
      { phase: 'safety-copy', state: 'done', ended: 20 },
      { phase: 'sent', state: 'done', ended: 21 },
      { phase: 'separating', state: 'skipped' },
      { phase: 'loading', state: 'done', ended: 33 },
      { phase: 'proving', state: 'done', ended: 40 },
    ];
    const stepsShown = (its: Job['steps']) =>
      journeyOf(sampleJob({ ...job, steps: its }), null, [backedUp(90, '/stick/w.dat')]).map(
        ({ id, time, seconds, paths }) => [id, time, seconds, ...paths],
      );
    expect(stepsShown(steps)).toEqual([
      ['wallet', null, null],
      ['copy', 20, null, '/copies/wallet.dat'],
      ['migrate', 33, 13, '/node/wallets/w_1.legacy.bak'],
      ['proof', 40, null],
      ['backup', 90, null, '/stick/w.dat'],
    ]);
    // Older jobs have no times of their steps.
    const older = steps.map(({ phase, state: its }) => ({ phase, state: its }));
    expect(stepsShown(older)[2]).toEqual(['migrate', null, null, '/node/wallets/w_1.legacy.bak']);
  });

  it('asks for no backup of the wallets of an undone migration', () => {
    const undone = states({ state: 'done', result: { ...migrated, undone: true } });
    expect(Object.keys(undone)).toEqual(['wallet', 'copy', 'migrate', 'proof']);
  });

  it('does not call a file unchanged that changed during its restore', () => {
    const changed = { ...restored, backupAfter: 'changed' } as Job['result'];
    expect(states({ kind: 'restore', state: 'done', ended: 40, result: changed }).file).toBe('partly');
  });

  it('gives the path of the legacy backup as soon as the log names it', () => {
    const job = { steps: atPhase('migrate', 'rescanning'), legacyBackup: '/node/w_1.legacy.bak' };
    const stops = journeyOf(sampleJob({ kind: 'migrate', ...job }), null, null);
    expect(stops.find(({ id }) => id === 'migrate')?.paths).toEqual(['/node/w_1.legacy.bak']);
  });

  it('gives no path of a legacy backup that was not found', () => {
    const result = { ...migrated, backupSeen: false };
    const stops = journeyOf(sampleJob({ state: 'done', ended: 40, result }), null, null);
    expect(stops.find(({ id }) => id === 'migrate')?.paths).toEqual([]);
  });

  it('gives the time of the last backup where there are several, and the path of each', () => {
    const job = sampleJob({ state: 'done', ended: 40, result: migrated });
    const backups = [backedUp(90, '/stick/w.dat'), backedUp(95, '/stick/w_watchonly.dat')];
    expect(journeyOf(job, null, backups).at(-1)).toMatchObject({
      state: 'done',
      time: 95,
      paths: ['/stick/w.dat', '/stick/w_watchonly.dat'],
    });
  });

  it('does not tick a backup that the app cannot see', () => {
    const unseen = backedUp(1, '/home/w.dat', false);
    const done = { state: 'done', ended: 40, result: migrated } as const;
    expect(states(done, [backedUp(1, '/stick/w.dat'), unseen]).backup).toBe('unknown');
    expect(states(unseen).backup).toBe('unknown');
    const stop = journeyOf(unseen, null, null).at(-1);
    expect(stop && stopNote(stop, unseen)).toBe('File not seen');
  });

  it('does not tick a backup whose keys nobody compared with the wallet', () => {
    const job = sampleJob({ state: 'done', ended: 40, result: migrated });
    const backups = [backedUp(1, '/stick/w.dat')];
    const stop = journeyOf(job, null, backups, 'unchecked').at(-1);
    expect(stop).toMatchObject({ state: 'partly', paths: ['/stick/w.dat'] });
    expect(stop && stopNote(stop, job)).toBe('Keys not compared');
  });

  it('skips the safety copy if a migration made none', () => {
    expect(states({ state: 'done', ended: 40, result: migrated }).copy).toBe('skipped');
  });

  it.each([
    ['failed', 'failed'],
    ['interrupted', 'failed'],
    ['unknown', 'unknown'],
  ] as const)('marks the stop at which a job is %s as %s', (state, mark) => {
    expect(states({ state, steps: atPhase('migrate', 'sent'), safetyCopy })).toEqual({
      wallet: 'done',
      copy: 'done',
      migrate: mark,
      proof: 'waiting',
      backup: 'waiting',
    });
    expect(states({ kind: 'restore', state, steps: atPhase('restore', 'rescanning') })).toEqual({
      file: 'done',
      restore: 'done',
      rescan: mark,
      backup: 'waiting',
    });
  });

  it('gives the time at which a job failed, unless the app learned of it later', () => {
    const failed = { state: 'failed', started: 10, ended: 40, steps: atPhase('migrate', 'sent') } as const;
    const timeOf = (job: Partial<Job>) => journeyOf(sampleJob({ ...failed, ...job }), null, null)[2]?.time;
    expect(timeOf({})).toBe(40);
    expect(timeOf({ resumed: true })).toBeNull();
    expect(timeOf({ error: { code: 'connection_lost', message: '', hint: '' } })).toBeNull();
    expect(timeOf({ state: 'interrupted' })).toBeNull();
    expect(timeOf({ state: 'running', ended: null })).toBeNull();
  });

  it('has no rescan by the offline engine, which has no blocks', () => {
    const node = { ...sampleJob().node, offline: true };
    const steps = atPhase('restore', 'rescanning');
    expect(states({ kind: 'restore', node, steps })).toEqual({
      file: 'done',
      restore: 'active',
      backup: 'waiting',
    });
  });

  it('ends a backup with the file that it wrote', () => {
    const proof = { seen: true, path: '/stick/w.dat', size: 1, sha256: 'ab'.repeat(32) } as const;
    const result = { kind: 'backup', walletName: 'w', proof } as const;
    const stops = journeyOf(sampleJob({ kind: 'backup', state: 'done', ended: 40, result }), null, null);
    expect(stops.at(-1)).toMatchObject({ id: 'backup', state: 'done', time: 40, paths: ['/stick/w.dat'] });
  });

  it('shows the proof of a restore only if there is one', () => {
    const done = { kind: 'restore', state: 'done', ended: 40, result: restored } as const;
    expect(Object.keys(states(done))).toEqual(['file', 'restore', 'rescan', 'backup']);
    expect(Object.keys(states({ ...done, proof: { verdict: 'same' } as Job['proof'] }))).toContain('proof');
  });
});

describe('chosenFile', () => {
  const restored = (backupFile: string) =>
    ({ kind: 'restore', walletName: 'w', walletKind: 'legacy', balance: null, backupFile }) as const;
  const copyOf = (source: string, withJournal?: true) =>
    ({
      files: [{ path: '/copies/w.dat', source, sha256: 'ab', withJournal }],
    }) as unknown as Job['safetyCopy'];

  it('is the user’s file, also where the node got a copy of it', () => {
    const job = { kind: 'restore', result: restored('/w.dat'), safetyCopy: null } as const;
    expect(chosenFile(job)).toEqual({ path: '/w.dat', sha256: null });
    const copied = { ...job, result: restored('/copies/w.dat') };
    expect(chosenFile({ ...copied, safetyCopy: copyOf('/cd/w.dat') })).toEqual({
      path: '/cd/w.dat',
      sha256: 'ab',
    });
    // The copy contains the journal’s changes, which the file lacks.
    expect(chosenFile({ ...copied, safetyCopy: copyOf('/cd/w.dat', true) })).toEqual({
      path: '/cd/w.dat',
      sha256: null,
    });
    expect(chosenFile({ ...job, result: null })).toBeNull();
  });

  it('is not the app’s own file of a text', () => {
    const pasted = '/d/reading/wallet-in-use-71-Ab3dEf/coldcard.dat';
    const job = { kind: 'restore', result: restored(pasted), safetyCopy: null } as const;
    expect([chosenFile(job), startsFromText(job)]).toEqual([null, true]);
    const rescue = { ...job, kind: 'rescue', result: null, safetyCopy: copyOf(pasted) } as const;
    expect([chosenFile(rescue), startsFromText(rescue)]).toEqual([null, true]);
    expect(startsFromText({ ...job, result: restored('/home/ann/reading/btc/wallet.dat') })).toBe(false);
  });
});
