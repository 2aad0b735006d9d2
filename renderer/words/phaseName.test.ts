import { describe, expect, it } from 'vitest';
import type { Step } from '../../shared/operation.ts';
import { currentPhase, phaseName } from './phaseName.ts';

describe('currentPhase', () => {
  const steps = (...states: Step['state'][]): Step[] =>
    (['sent', 'separating', 'loading'] as const).map((phase, at) => ({
      phase,
      state: states[at] ?? 'waiting',
    }));

  it('is the one that runs, or else the one that comes next', () => {
    expect(currentPhase(steps('done', 'skipped', 'running'))).toBe('loading');
    expect(currentPhase(steps('done', 'skipped', 'waiting'))).toBe('loading');
    expect(currentPhase(steps('waiting', 'waiting', 'waiting'))).toBe('sent');
  });

  it('is none when all are behind', () => {
    expect(currentPhase(steps('done', 'skipped', 'done'))).toBeNull();
  });
});

describe('phaseName', () => {
  it('says what a backup does in its own words', () => {
    expect(phaseName('sent', 'backup')).toBe('The node writes the backup');
    expect(phaseName('sent', 'migrate')).toBe('Sent to the node');
    expect(phaseName('loading', 'backup')).toBe(phaseName('loading', 'restore'));
  });
});
