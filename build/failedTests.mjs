/**
 * The failed tests and the counts of each project, from the reports of vitest and Playwright, to be printed at the end of a
 * long output.
 */
import { isAbsolute, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './system.mjs';

/**
 * @typedef {{ projectName: string, status: string, results?: { error?: { message?: string } }[] }} SpecTest `status`:
 * expected, unexpected, flaky or skipped
 * @typedef {{ title: string, file: string, tests: SpecTest[] }} Spec
 * @typedef {{ title: string, file?: string, specs?: Spec[], suites?: Suite[] }} Suite
 * @typedef {{ status: string, fullName: string, failureMessages?: string[] }} UnitTest
 * @typedef {{ name: string, status: string, assertionResults: UnitTest[] }} UnitFile
 */

/**
 * @param {{ testResults?: UnitFile[] } | null} report From vitest's reporter `json`.
 * @returns {string[]} `file: test: reason`, or just the file if it could not be loaded.
 */
export function failedUnits(report) {
  return (report?.testResults ?? []).flatMap(({ name, status, assertionResults }) => {
    const file = (isAbsolute(name) ? relative(root, name) : name).replaceAll('\\', '/');
    const failed = assertionResults.filter((one) => one.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [file] : [];
    return failed.map(({ fullName, failureMessages = [] }) =>
      withReason(`${file}: ${fullName}`, failureMessages[0]),
    );
  });
}

/**
 * @param {{ suites?: Suite[], errors?: { message?: string }[] } | null} report From Playwright's reporter `json`.
 * @returns {string[]} `file: suite › test (project): reason`.
 */
export function failedSpecs(report) {
  return [
    ...(report?.errors ?? []).map(({ message = '' }) => firstLine(message)),
    ...testsOf(report)
      .filter(({ status }) => hasFailed(status))
      .map(({ name, projectName, results = [] }) =>
        withReason(`${name} (${projectName})`, results.find(({ error }) => error)?.error?.message),
      ),
  ];
}

/**
 * @param {string} name
 * @param {string | undefined} message
 */
function withReason(name, message) {
  return message === undefined ? name : `${name}: ${firstLine(message)}`;
}

/** @param {string} message may contain the colours of a terminal */
function firstLine(message) {
  return stripVTControlCharacters(message).split('\n')[0]?.trim() ?? '';
}

/**
 * How many tests of a project passed, failed and were skipped. A flaky test counts as failed.
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
