import { describe, expect, it, vi } from 'vitest';
import type { Job } from '../../shared/model/job.ts';
import { sampleJob } from '../../shared/testing/sampleJob.ts';
import { createJobIndicators } from './jobIndicators.ts';

vi.mock('electron', () => ({}));

/** Returns the function that passes on a job and lists what the system shows then. */
function createSigns({ watched = false } = {}) {
  const badges: unknown[] = [];
  const update = createJobIndicators({
    isWatched: () => watched,
    showProgress: (share) => badges.push(share),
    stayAwake: (awake) => badges.push(awake ? 'awake' : 'may sleep'),
    notify: (title, body) => badges.push(`${title}: ${body}`),
  });
  return (change: Partial<Job>) => {
    badges.length = 0;
    update(sampleJob({ wallet: 'savings', kind: 'migrate', ...change }));
    return [...badges];
  };
}
const at = (fraction: number) => ({
  progress: { fraction, block: null, blocks: null, fast: null } as Job['progress'],
});

describe('createJobIndicators', () => {
  it('shows progress, keeps the computer awake meanwhile, and notifies at the end', () => {
    const update = createSigns();
    expect(update({ id: 'a', state: 'running', progress: null })).toEqual(['awake', null]);
    expect(update({ id: 'a', state: 'running', ...at(0.25) })).toEqual(['awake', 0.25]);
    const end = update({ id: 'a', state: 'done', proof: null });
    expect(end).toEqual(['may sleep', 'none', 'Wallet migrated: savings']);
  });

  it('shows the mean progress of all running jobs', () => {
    const update = createSigns();
    update({ id: 'a', state: 'running', ...at(0.5) });
    expect(update({ id: 'b', state: 'running', progress: null })).toEqual(['awake', null]);
    expect(update({ id: 'b', state: 'running', ...at(1) })).toEqual(['awake', 0.75]);
    expect(update({ id: 'b', state: 'done', proof: null }).slice(0, 2)).toEqual(['awake', 0.5]);
  });

  it('says why a job failed', () => {
    const update = createSigns();
    update({ id: 'a', state: 'running' });
    const error = { code: 'wrong_passphrase', message: 'Wrong passphrase.', hint: '' } as const;
    expect(update({ id: 'a', state: 'failed', error }).at(-1)).toContain('savings: Wrong passphrase.');
  });

  it('notifies only while the window is in the background, and only of jobs that end from now on', () => {
    const update = createSigns({ watched: true });
    expect(update({ id: 'old', state: 'done' })).toEqual([]);
    update({ id: 'a', state: 'running' });
    expect(update({ id: 'a', state: 'done' })).toEqual(['may sleep', 'none']);
  });
});
