/** The end of a test run: how each suite ended, which did not run, and whether that fails the run. */

/**
 * @typedef {{ name: string, passed: number, failed: number, skipped: number, missing: string | null }} Suite
 * `missing`: why the suite did not run.
 */

/**
 * @param {string} name
 * @param {{ passed: number, failed: number, skipped?: number }} counts
 * @param {boolean} [endedWell] false if the program failed, even if no test did
 * @returns {Suite}
 */
export function suiteRan(name, { passed, failed, skipped = 0 }, endedWell = true) {
  return { name, passed, failed: endedWell ? failed : Math.max(1, failed), skipped, missing: null };
}

/**
 * @param {string} name
 * @param {string} missing why it did not run
 * @param {'always' | 'in CI' | 'never'} fails whether that fails the run; CI machines set `CI`
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Suite}
 */
export function suiteNotRun(name, missing, fails, env = process.env) {
  const inCi = Boolean(env.CI) && env.CI !== 'false';
  const failed = fails === 'always' || (fails === 'in CI' && inCi) ? 1 : 0;
  return { name, passed: 0, failed, skipped: 0, missing };
}

/**
 * A line for each suite, the tests that failed, the suites that did not run, and the counts.
 * @param {readonly Suite[]} suites
 * @param {readonly string[]} failures names of the tests that failed
 * @returns {{ lines: string[], hasPassed: boolean }}
 */
export function summaryOf(suites, failures) {
  const sum = (/** @type {'passed' | 'failed'} */ count) =>
    suites.reduce((all, suite) => all + suite[count], 0);
  const [passed, failed] = [sum('passed'), sum('failed')];
  const notRun = suites.filter(({ missing }) => missing !== null);
  return {
    lines: [
      ...suites.map(lineOf),
      ...failures.map((name) => `failed: ${name}`),
      ...(notRun.length > 0 ? [`Not run: ${notRun.map(({ name }) => name).join('; ')}`] : []),
      `${passed} passed, ${failed} failed`,
    ],
    hasPassed: failed === 0 && passed > 0,
  };
}

/** @param {Suite} suite */
function lineOf({ name, passed, failed, skipped, missing }) {
  if (missing !== null) return `${name}: ${failed > 0 ? 'failed, did not run' : 'did not run'}: ${missing}`;
  return `${name}: ${passed} passed, ${failed} failed${skipped > 0 ? ` (${skipped} skipped)` : ''}`;
}
