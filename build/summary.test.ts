import { describe, expect, it } from 'vitest';
import { suiteNotRun, suiteRan, summaryOf } from './summary.mjs';

const unit = suiteRan('unit', { passed: 12, failed: 0 });
const electron = (env: NodeJS.ProcessEnv) =>
  suiteNotRun('Electron', 'it could not be downloaded', 'in CI', env);

describe('the summary of a test run', () => {
  it('has a line for each suite, the failed tests, and the counts last', () => {
    const browser = suiteRan('browser', { passed: 3, failed: 1, skipped: 2 });
    expect(summaryOf([unit, browser], ['restore.spec.ts: restores'])).toEqual({
      lines: [
        'unit: 12 passed, 0 failed',
        'browser: 3 passed, 1 failed (2 skipped)',
        'failed: restore.spec.ts: restores',
        '15 passed, 1 failed',
      ],
      hasPassed: false,
    });
  });

  it('names the suites that did not run', () => {
    expect(summaryOf([unit, electron({}), electron({ CI: 'false' })], [])).toEqual({
      lines: [
        'unit: 12 passed, 0 failed',
        'Electron: did not run: it could not be downloaded',
        'Electron: did not run: it could not be downloaded',
        'Not run: Electron; Electron',
        '12 passed, 0 failed',
      ],
      hasPassed: true,
    });
  });

  it('fails on a machine for CI if a required suite did not run', () => {
    const { lines, hasPassed } = summaryOf([unit, electron({ CI: 'true' })], []);
    expect(lines[1]).toBe('Electron: failed, did not run: it could not be downloaded');
    expect(lines.at(-1)).toBe('12 passed, 1 failed');
    expect(hasPassed).toBe(false);
  });

  it('does not fail for an optional suite that did not run', () => {
    const windows = suiteNotRun('Windows', 'it is not here', 'never', { CI: 'true' });
    expect(summaryOf([unit, windows], []).hasPassed).toBe(true);
  });

  it('fails if a suite’s program failed without a failed test', () => {
    const { lines, hasPassed } = summaryOf([suiteRan('unit', { passed: 12, failed: 0 }, false)], []);
    expect(lines[0]).toBe('unit: 12 passed, 1 failed');
    expect(hasPassed).toBe(false);
  });

  it('fails everywhere if a required suite did not run, or nothing passed', () => {
    expect(summaryOf([unit, suiteNotRun('end to end', 'no app', 'always', {})], []).hasPassed).toBe(false);
    expect(summaryOf([electron({})], []).hasPassed).toBe(false);
  });
});
