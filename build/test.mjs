/**
 * `npm test`: lint, types, unit and end-to-end tests, with a line for each suite and, last, the counts of all.
 * Sets up what it needs: a virtual display and a Chromium from Debian where they are missing. On a machine for CI, it fails if
 * Electron or Chromium cannot be had.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { hasWindows, NO_WINDOWS, packFolder, prepareEntries, runProject } from './endToEnd.mjs';
import { failedSpecs, failedUnits } from './failedTests.mjs';
import { packForSpecs } from './packForSpecs.mjs';
import { suiteNotRun, suiteRan, summaryOf } from './summary.mjs';
import { root } from './system.mjs';
import { buildApp, runTool } from './tool.mjs';

/** Bytes: far more than the 30 MB that were seen at once, since it is the machine's memory. */
const ROOM_IN_MEMORY = 4_000_000_000;

const results = join(root, 'test-results');

/** What runs in the app, and what the summary calls it. */
const NAMES = {
  electron: 'end to end, Electron',
  packaged: 'end to end, packaged',
  browser: 'end to end, browser',
  windows: 'end to end, Windows',
  live: 'live',
};

/** @type {ReturnType<typeof suiteRan>[]} */
const suites = [];
/** @type {string[]} */
const failures = [];

const inMemory = makeFolderInMemory();
if (inMemory !== null) process.env.TMPDIR = inMemory;

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

console.log('\n== lint, types, build');
const [, , isBuilt] = await Promise.all([
  single('lint', runTool('biome', ['check', '--error-on-warnings', '.'])),
  single('types', runTool('tsc', ['--noEmit'])),
  single('build', buildApp()),
]);
await unit();
if (isBuilt) await endToEnd();
else suites.push(...Object.values(NAMES).map((name) => suiteNotRun(name, 'there is no build', 'never')));
if (inMemory !== null) rmSync(inMemory, { recursive: true, force: true });
report();

/**
 * For files of tests: what is written to a disk is waited for, for a third of their time. Null where there is none, or
 * little room.
 */
function makeFolderInMemory() {
  const folder = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < ROOM_IN_MEMORY) return null;
    const made = mkdtempSync(join(folder, 'wallet-ferry-'));
    // Some tests have another user come to files in it.
    chmodSync(made, 0o711);
    return made;
  } catch {
    return null;
  }
}

/**
 * A suite that is one test.
 * @param {string} name
 * @param {Promise<boolean>} ending
 */
async function single(name, ending) {
  const passed = await ending;
  suites.push(suiteRan(name, { passed: passed ? 1 : 0, failed: passed ? 0 : 1 }));
  return passed;
}

async function unit() {
  console.log('\n== unit');
  const file = join(results, 'unit.json');
  const ended = await runTool('vitest', [
    'run',
    '--config',
    'build/vitest.config.ts',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]);
  const counts = readJson(file);
  failures.push(...failedUnits(counts));
  const [passed, failed] = [number(counts?.numPassedTests), number(counts?.numFailedTests)];
  // A file that does not load has no tests to count, yet the run has failed.
  suites.push(suiteRan('unit', { passed, failed, skipped: number(counts?.numPendingTests) }, ended));
}

async function endToEnd() {
  console.log('\n== end to end');
  const entries = prepareEntries();
  const { electron, chromium } = entries;
  const noElectron = 'missing' in electron ? electron.missing : null;
  const noBrowser = chromium ? null : 'there is no Chromium';
  const without = noElectron !== null && noBrowser !== null ? 'always' : 'in CI';
  await runOr(noElectron, without, 'electron', () => project('electron', entries));
  await runOr(noElectron, without, 'packaged', () => packaged(entries));
  await runOr(noBrowser, without, 'browser', () => project('browser', entries));
  const noWindows = hasWindows ? noBrowser : NO_WINDOWS;
  await runOr(noWindows, 'never', 'windows', () => project('windows', entries));
  const noNode = process.env.BITCOIND ? noBrowser : 'BITCOIND names no bitcoind';
  await runOr(noNode, 'never', 'live', () => project('live', entries));
}

/**
 * Runs a suite, unless this machine lacks something for it.
 * @param {string | null} missing
 * @param {Parameters<typeof suiteNotRun>[2]} fails whether that fails the run
 * @param {keyof typeof NAMES} which
 * @param {() => Promise<void>} run
 */
async function runOr(missing, fails, which, run) {
  if (missing === null) await run();
  else suites.push(suiteNotRun(NAMES[which], missing, fails));
}

/** @param {ReturnType<typeof prepareEntries>} entries */
async function packaged(entries) {
  try {
    await project('packaged', entries, await packForSpecs(packFolder));
  } catch (error) {
    console.error(error);
    suites.push(suiteNotRun(NAMES.packaged, 'the app could not be packed', 'always'));
  }
  rmSync(packFolder, { recursive: true, force: true });
}

/**
 * One Playwright project: the same specs in one entry.
 * @param {keyof typeof NAMES} which
 * @param {ReturnType<typeof prepareEntries>} entries
 * @param {Record<string, string>} [env]
 */
async function project(which, entries, env = {}) {
  const file = join(results, `${which}.json`);
  const ended = await runProject(which, entries, { env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file } });
  const report = readJson(file);
  failures.push(...failedSpecs(report));
  const stats = report?.stats ?? {};
  const failed = number(stats.unexpected) + number(stats.flaky);
  const counts = { passed: number(stats.expected), failed, skipped: number(stats.skipped) };
  suites.push(suiteRan(NAMES[which], counts, ended));
}

function report() {
  console.log('\n== summary');
  const { lines, hasPassed } = summaryOf(suites, failures);
  console.log(lines.join('\n'));
  process.exitCode = hasPassed ? 0 : 1;
}

/** @param {string} file */
function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/** @param {unknown} value */
function number(value) {
  return typeof value === 'number' ? value : 0;
}
