/**
 * The names of the tests that failed and the counts of each project, from the reports of vitest and of Playwright: the end of a long
 * run's output is what is read first.
 */
import { isAbsolute, relative } from 'node:path';
import { root } from './system.mjs';

/**
 * @typedef {{ projectName: string, status: string }} SpecTest `status`: expected, unexpected, flaky or skipped
 * @typedef {{ title: string, file: string, tests: SpecTest[] }} Spec
 * @typedef {{ title: string, file?: string, specs?: Spec[], suites?: Suite[] }} Suite
 * @typedef {{ name: string, status: string, assertionResults: { status: string, fullName: string }[] }} UnitFile
 */

/**
 * @param {{ testResults?: UnitFile[] } | null} report What vitest's reporter `json` wrote.
 * @returns {string[]} `file: test`, or the file alone where it could not be loaded.
 */
export function failedUnits(report) {
  return (report?.testResults ?? []).flatMap(({ name, status, assertionResults }) => {
    const file = (isAbsolute(name) ? relative(root, name) : name).replaceAll('\\', '/');
    const failed = assertionResults.filter((one) => one.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [file] : [];
    return failed.map(({ fullName }) => `${file}: ${fullName}`);
  });
}

/**
 * @param {{ suites?: Suite[], errors?: { message?: string }[] } | null} report What Playwright's reporter `json` wrote.
 * @returns {string[]} `file: suite › test (project)`.
 */
export function failedSpecs(report) {
  return [
    ...(report?.errors ?? []).map(({ message = '' }) => message.split('\n')[0] ?? ''),
    ...testsOf(report)
      .filter(({ status }) => hasFailed(status))
      .map(({ name, projectName }) => `${name} (${projectName})`),
  ];
}

/**
 * How many tests of each project passed, failed and were skipped. A flaky one has failed.
 * @param {Parameters<typeof failedSpecs>[0]} report
 * @param {string} project
 */
export function countsOf(report, project) {
  const all = testsOf(report).filter(({ projectName }) => projectName === project);
  return {
    passed: all.filter(({ status }) => status === 'expected').length,
    failed: all.filter(({ status }) => hasFailed(status)).length,
    skipped: all.filter(({ status }) => status === 'skipped').length,
  };
}

/** @param {string} status */
function hasFailed(status) {
  return status !== 'expected' && status !== 'skipped';
}

/** @param {Parameters<typeof failedSpecs>[0]} report */
function testsOf(report) {
  return (report?.suites ?? []).flatMap((suite) => testsIn(suite, []));
}

/**
 * @param {Suite} suite
 * @param {string[]} above
 * @returns {(SpecTest & { name: string })[]}
 */
function testsIn({ title, file, specs = [], suites = [] }, above) {
  // The outermost suite is the file itself.
  const within = title === file ? above : [...above, title];
  return [
    ...specs.flatMap((spec) =>
      spec.tests.map((test) => ({ ...test, name: `${spec.file}: ${[...within, spec.title].join(' › ')}` })),
    ),
    ...suites.flatMap((one) => testsIn(one, within)),
  ];
}
