/** The failed tests and counts in the reports of vitest and Playwright. */
import { describe, expect, it } from 'vitest';
import { countsOf, failedSpecs, failedUnits } from './failedTests.mjs';
import { root } from './system.mjs';

const file = 'specs/restore.spec.ts';
const ended = (projectName: string, status: string) => ({ projectName, status });
const timedOut = { error: { message: '\u001b[31mTest timeout of 30000ms exceeded.\u001b[39m\n  at once' } };
/** Playwright reports the same spec of two projects together. */
const specReport = {
  errors: [{ message: 'the server did not start\n  at once' }],
  suites: [
    {
      title: file,
      file,
      specs: [
        { title: 'restores', file, tests: [ended('browser', 'expected'), ended('electron', 'unexpected')] },
        { title: 'refuses', file, tests: [ended('browser', 'flaky'), ended('electron', 'skipped')] },
      ],
      suites: [
        {
          title: 'a backup',
          file,
          specs: [
            {
              title: 'vanishes',
              file,
              tests: [{ ...ended('browser', 'unexpected'), results: [{}, timedOut] }],
            },
          ],
        },
      ],
    },
  ],
};

describe('the failed tests of a run', () => {
  it('are named by file, test and reason, or just by file if it did not load', () => {
    const passed = { status: 'passed', fullName: 'a wallet is whole' };
    const failureMessages = ['AssertionError: expected 1 to be 2\n    at units.test.ts:7'];
    const report = {
      testResults: [
        { name: `${root}/shared/wording/say.test.ts`, status: 'passed', assertionResults: [passed] },
        {
          name: `${root}/shared/units.test.ts`,
          status: 'failed',
          assertionResults: [passed, { status: 'failed', fullName: 'amounts are exact', failureMessages }],
        },
        { name: `${root}/electron/gone.test.ts`, status: 'failed', assertionResults: [] },
      ],
    };
    expect(failedUnits(report)).toEqual([
      'shared/units.test.ts: amounts are exact: AssertionError: expected 1 to be 2',
      'electron/gone.test.ts',
    ]);
  });

  it('are found in nested suites, with their projects', () => {
    expect(failedSpecs(specReport)).toEqual([
      'the server did not start',
      `${file}: restores (electron)`,
      `${file}: refuses (browser)`,
      `${file}: a backup › vanishes (browser): Test timeout of 30000ms exceeded.`,
    ]);
  });

  it('are none without a report', () => {
    expect([...failedUnits(null), ...failedSpecs(null)]).toEqual([]);
  });
});

it('counts the tests of each project, with flaky ones as failed', () => {
  expect(countsOf(specReport, 'browser')).toEqual({ passed: 1, failed: 2, skipped: 0 });
  expect(countsOf(specReport, 'electron')).toEqual({ passed: 0, failed: 1, skipped: 1 });
  expect(countsOf(null, 'browser')).toEqual({ passed: 0, failed: 0, skipped: 0 });
});
