/**
 * The names of the tests that failed, out of the reports of vitest and of Playwright: the end of a long run's output is
 * what is read first.
 */
import { isAbsolute, relative } from 'node:path';
import { root } from './system.mjs';

/**
 * @typedef {{ title: string, file?: string, specs?: { ok: boolean, title: string, file: string }[], suites?: Suite[] }} Suite
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
 * @returns {string[]} `file: suite › test`.
 */
export function failedSpecs(report) {
  return [
    ...(report?.errors ?? []).map(({ message = '' }) => message.split('\n')[0] ?? ''),
    ...(report?.suites ?? []).flatMap((suite) => specsOf(suite, [])),
  ];
}

/**
 * @param {Suite} suite
 * @param {string[]} above
 * @returns {string[]}
 */
function specsOf({ title, file, specs = [], suites = [] }, above) {
  // The outermost suite is the file itself.
  const within = title === file ? above : [...above, title];
  return [
    ...specs.filter(({ ok }) => !ok).map((spec) => `${spec.file}: ${[...within, spec.title].join(' › ')}`),
    ...suites.flatMap((one) => specsOf(one, within)),
  ];
}
