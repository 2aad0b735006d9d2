import { describe, expect, it } from 'vitest';
import { failedSpecs, failedUnits } from './failedTests.mjs';
import { root } from './system.mjs';

describe('the failed tests of a run', () => {
  it('are named by file and test, and a file that did not load by itself', () => {
    const passed = { status: 'passed', fullName: 'a whole one' };
    const report = {
      testResults: [
        { name: `${root}/shared/wording/say.test.ts`, status: 'passed', assertionResults: [passed] },
        {
          name: `${root}/shared/units.test.ts`,
          status: 'failed',
          assertionResults: [passed, { status: 'failed', fullName: 'amounts are exact' }],
        },
        { name: `${root}/electron/gone.test.ts`, status: 'failed', assertionResults: [] },
      ],
    };
    expect(failedUnits(report)).toEqual(['shared/units.test.ts: amounts are exact', 'electron/gone.test.ts']);
  });

  it('are found in suites of suites', () => {
    const file = 'specs/restore.spec.ts';
    const report = {
      errors: [{ message: 'the server did not start\n  at once' }],
      suites: [
        {
          title: file,
          file,
          specs: [
            { ok: true, title: 'restores', file },
            { ok: false, title: 'refuses', file },
          ],
          suites: [{ title: 'a backup', file, specs: [{ ok: false, title: 'vanishes', file }] }],
        },
      ],
    };
    expect(failedSpecs(report)).toEqual([
      'the server did not start',
      'specs/restore.spec.ts: refuses',
      'specs/restore.spec.ts: a backup › vanishes',
    ]);
  });

  it('are none where nothing was written', () => {
    expect([...failedUnits(null), ...failedSpecs(null)]).toEqual([]);
  });
});
