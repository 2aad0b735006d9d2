import { describe, expect, it } from 'vitest';
import type { Job, Progress, Step } from '../model/job.ts';
import type { RescueFacts } from '../model/safety.ts';
import { sampleJob } from '../testing/sampleJob.ts';
import { sampleRescue } from '../testing/sampleRescue.ts';
import {
  blocksText,
  currentPhase,
  jobTone,
  phaseName,
  proofHeading,
  scanSpeedText,
  whatNow,
} from './jobWords.ts';

const steps = [
  { phase: 'sent', state: 'done' },
  { phase: 'converting', state: 'running' },
] as const;
const job = sampleJob({ steps: [...steps] });

describe('whatNow', () => {
  it('names the current phase', () => {
    expect(whatNow(job)).toBe('Converting');
  });

  it('reports a lost or silent node instead of the last phase', () => {
    expect(whatNow({ ...job, silentSince: 1 })).toBe('The node does not answer');
    expect(whatNow({ ...job, silentSince: 1, connection: 'lost' })).toBe('Disconnected');
  });

  it('is null after the last phase', () => {
    expect(whatNow({ ...job, steps: [{ phase: 'sent', state: 'done' }] })).toBeNull();
  });
});

describe('currentPhase', () => {
  const steps = (...states: Step['state'][]): Step[] =>
    (['sent', 'separating', 'loading'] as const).map((phase, at) => ({
      phase,
      state: states[at] ?? 'waiting',
    }));

  it('is the running or else the next phase', () => {
    expect(currentPhase(steps('done', 'skipped', 'running'))).toBe('loading');
    expect(currentPhase(steps('done', 'skipped', 'waiting'))).toBe('loading');
    expect(currentPhase(steps('waiting', 'waiting', 'waiting'))).toBe('sent');
  });

  it('is null after the last phase', () => {
    expect(currentPhase(steps('done', 'skipped', 'done'))).toBeNull();
  });
});

describe('phaseName', () => {
  it('has its own names for a backup', () => {
    expect(phaseName('sent', 'backup')).toBe('Writing the backup');
    expect(phaseName('sent', 'migrate')).toBe('Waiting for the answer');
    expect(phaseName('loading', 'backup')).toBe(phaseName('loading', 'restore'));
  });
});

const rescan: Progress = {
  wallet: 'savings',
  fraction: 0.5,
  block: 806_000,
  blocks: 12_000,
  secondsLeft: null,
  fast: null,
};

describe('blocksText', () => {
  it('gives the number of scanned blocks', () => {
    expect(blocksText(rescan)).toBe('6,000 of 12,000 blocks');
  });

  it('gives only known numbers', () => {
    expect(blocksText({ ...rescan, blocks: null })).toBe('At block 806,000');
    expect(blocksText({ ...rescan, block: null })).toBe('6,000 of 12,000 blocks');
    expect(blocksText({ ...rescan, block: null, blocks: null })).toBeNull();
  });
});

describe('scanSpeedText', () => {
  it('is null until the log shows it', () => {
    expect(scanSpeedText(rescan)).toBeNull();
    expect(scanSpeedText({ ...rescan, fast: true })).toMatch(/^Fast/);
    expect(scanSpeedText({ ...rescan, fast: false })).toMatch(/^Slow/);
  });
});

describe('proofHeading', () => {
  const partly = { verdict: 'partly', differences: [], unknown: [], wallets: [] } as unknown as Job['proof'];
  const resultOf = (rescue: RescueFacts) => ({ kind: 'migrate', rescue }) as Job['result'];

  it('says that not everything was saved only after such a rescue', () => {
    const one = { total: 1, shown: [] };
    const short = sampleRescue({ excluded: { transactions: one, addresses: { total: 0, shown: [] } } });
    expect(proofHeading({ proof: partly, result: resultOf(short) })).toBe('Left out: 1 transaction');
    const lossy = { ...short, damagedTextKeys: 1 };
    expect(proofHeading({ proof: partly, result: resultOf(lossy) })).toBe('Not everything could be saved');
    const unread = 'Not everything could be compared';
    expect(proofHeading({ proof: partly, result: resultOf(sampleRescue()) })).toBe(unread);
    expect(proofHeading({ proof: partly, result: null })).toBe(unread);
  });

  it('says that a rescued wallet without its keys only watches', () => {
    const proof = { ...partly, wallets: [{ part: 'primary', watches: true }] } as Job['proof'];
    const short = sampleRescue({ missing: { ...sampleRescue().missing, masterKey: true } });
    const words = 'Not everything could be saved, watched only';
    expect(proofHeading({ proof, result: resultOf(short) })).toBe(words);
  });

  it('is null if nothing was compared', () => {
    expect(proofHeading({ proof: null, result: resultOf(sampleRescue()) })).toBeNull();
  });
});

it('shows a job no greener than its proof', () => {
  const done = (verdict: string) => jobTone({ state: 'done', proof: { verdict } as Job['proof'] });
  expect(['same', 'partly', 'different'].map(done)).toEqual(['good', 'read', 'danger']);
  expect(jobTone({ state: 'done', proof: null })).toBe('good');
});
