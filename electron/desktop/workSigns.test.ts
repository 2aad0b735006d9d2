import { describe, expect, it } from 'vitest';
import type { Job } from '../../shared/model/job.ts';
import { sampleJob } from '../../shared/testing/sampleJob.ts';
import { createWorkSigns } from './workSigns.ts';

function desk({ watched = false } = {}) {
  const told: unknown[] = [];
  const take = createWorkSigns({
    isWatched: () => watched,
    showProgress: (share) => told.push(share),
    stayAwake: (awake) => told.push(awake ? 'awake' : 'may sleep'),
    notify: (title, body) => told.push(`${title}: ${body}`),
  });
  return {
    told: (change: Partial<Job>) => {
      told.length = 0;
      take(sampleJob({ wallet: 'savings', kind: 'migrate', ...change }));
      return [...told];
    },
  };
}
const at = (fraction: number) => ({
  progress: { fraction, block: null, blocks: null, fast: null } as Job['progress'],
});

describe('createWorkSigns', () => {
  it('shows how far one is, keeps the computer awake meanwhile, and tells its end', () => {
    const { told } = desk();
    expect(told({ id: 'a', state: 'running', progress: null })).toEqual(['awake', null]);
    expect(told({ id: 'a', state: 'running', ...at(0.25) })).toEqual(['awake', 0.25]);
    expect(told({ id: 'a', state: 'done', proof: null })).toEqual([
      'may sleep',
      'none',
      'Wallet migrated: savings',
    ]);
  });

  it('goes by all that run', () => {
    const { told } = desk();
    told({ id: 'a', state: 'running', ...at(0.5) });
    expect(told({ id: 'b', state: 'running', progress: null })).toEqual(['awake', null]);
    expect(told({ id: 'b', state: 'running', ...at(1) })).toEqual(['awake', 0.75]);
    expect(told({ id: 'b', state: 'done', proof: null }).slice(0, 2)).toEqual(['awake', 0.5]);
  });

  it('says why one failed', () => {
    const { told } = desk();
    told({ id: 'a', state: 'running' });
    const error = { code: 'wrong_passphrase', message: 'The passphrase is wrong.', hint: '' } as const;
    expect(told({ id: 'a', state: 'failed', error }).at(-1)).toContain('savings: The passphrase is wrong.');
  });

  it('says nothing to who has the window before them, and nothing of what ended before', () => {
    const { told } = desk({ watched: true });
    expect(told({ id: 'old', state: 'done' })).toEqual([]);
    told({ id: 'a', state: 'running' });
    expect(told({ id: 'a', state: 'done' })).toEqual(['may sleep', 'none']);
  });
});
