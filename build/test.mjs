/**
 * `npm test`: lint, types, unit and end-to-end tests, with a line for each suite and, last, the counts of all.
 * Sets up what it needs: a virtual display and a Chromium from Debian where they are missing.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { hasWindows, NO_WINDOWS, packFolder, prepareEntries, runProject } from './endToEnd.mjs';
import { failedSpecs, failedUnits } from './failedTests.mjs';
import { packForSpecs } from './packForSpecs.mjs';
import { root } from './system.mjs';
import { buildApp, runTool } from './tool.mjs';

/** Bytes: far more than the 30 MB that were seen at once, since it is the machine's memory. */
const ROOM_IN_MEMORY = 4_000_000_000;

const results = join(root, 'test-results');

/** @type {{ name: string, passed: number, failed: number, note: string }[]} */
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
  suites.push({ name, passed: passed ? 1 : 0, failed: passed ? 0 : 1, note: '' });
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
  const passed = number(counts?.numPassedTests);
  const failed = number(counts?.numFailedTests);
  // A file that does not load has no tests to count, yet the run has failed.
  suites.push({ name: 'unit', passed, failed: ended ? failed : Math.max(1, failed), note: '' });
}

async function endToEnd() {
  console.log('\n== end to end');
  const entries = prepareEntries();
  const { electron, chromium } = entries;
  if ('missing' in electron) {
    didNotRun('end to end, Electron', electron.missing);
    didNotRun('end to end, packaged', electron.missing);
  } else {
    await project('electron', 'end to end, Electron', entries);
    await packaged(entries);
  }
  if (chromium) await project('browser', 'end to end, browser', entries);
  else didNotRun('end to end, browser', 'there is no Chromium');
  if ('missing' in electron && !chromium) {
    suites.push({ name: 'end to end', passed: 0, failed: 1, note: 'nothing to run the app in' });
  }
  if (!hasWindows) didNotRun('end to end, Windows', NO_WINDOWS);
  else if (chromium) await project('windows', 'end to end, Windows', entries);
  if (process.env.BITCOIND) await project('live', 'live', entries);
  else didNotRun('live', 'BITCOIND names no bitcoind');
}

/** @param {ReturnType<typeof prepareEntries>} entries */
async function packaged(entries) {
  const name = 'end to end, packaged';
  try {
    await project('packaged', name, entries, await packForSpecs(packFolder));
  } catch (error) {
    console.error(error);
    suites.push({ name, passed: 0, failed: 1, note: 'the app could not be packed' });
  }
  rmSync(packFolder, { recursive: true, force: true });
}

/**
 * @param {string} name
 * @param {string} why
 */
function didNotRun(name, why) {
  suites.push({ name, passed: 0, failed: 0, note: `did not run: ${why}` });
}

/**
 * One Playwright project: the same specs in one entry.
 * @param {'electron' | 'browser' | 'windows' | 'packaged' | 'live'} which
 * @param {string} name
 * @param {ReturnType<typeof prepareEntries>} entries
 * @param {Record<string, string>} [env]
 */
async function project(which, name, entries, env = {}) {
  const file = join(results, `${which}.json`);
  const ended = await runProject(which, entries, { env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file } });
  const report = readJson(file);
  failures.push(...failedSpecs(report));
  const stats = report?.stats ?? {};
  const failed = number(stats.unexpected) + number(stats.flaky);
  const skipped = number(stats.skipped);
  suites.push({
    name,
    passed: number(stats.expected),
    failed: ended ? failed : Math.max(1, failed),
    note: skipped > 0 ? `${skipped} skipped` : '',
  });
}

function report() {
  console.log('\n== summary');
  for (const { name, passed, failed, note } of suites) {
    console.log(
      `${name}: ${note.startsWith('did not run') ? note : `${passed} passed, ${failed} failed${note && ` (${note})`}`}`,
    );
  }
  for (const name of failures) console.log(`failed: ${name}`);
  const passed = suites.reduce((sum, suite) => sum + suite.passed, 0);
  const failed = suites.reduce((sum, suite) => sum + suite.failed, 0);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}

/** @param {string} file */
function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/** @param {unknown} value */
function number(value) {
  return typeof value === 'number' ? value : 0;
}
