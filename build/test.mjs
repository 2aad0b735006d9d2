/**
 * `npm test`: lint, types, unit and end-to-end tests, with a line for each suite and, last, the counts of all.
 * Sets up what it needs: a virtual display and a Chromium from Debian where they are missing. On a machine for CI, it fails if
 * Electron or Chromium cannot be had.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { hasWindows, NO_WINDOWS, packFolder, prepareEntries, runProjects } from './endToEnd.mjs';
import { countsOf, failedSpecs, failedUnits } from './failedTests.mjs';
import { packForSpecs } from './packForSpecs.mjs';
import { suiteNotRun, suiteRan, summaryOf } from './summary.mjs';
import { root } from './system.mjs';
import { buildApp, runTool } from './tool.mjs';

/** Bytes: far more than the 30 MB that were seen at once, since it is the machine's memory. */
const ROOM_IN_MEMORY = 4_000_000_000;

const results = join(root, 'test-results');

/** Playwright's projects, and what the summary calls them. */
const NAMES = {
  windows: 'end to end, Windows',
  packaged: 'end to end, packaged',
  electron: 'end to end, Electron',
  browser: 'end to end, browser',
  live: 'live',
};
/** @typedef {keyof typeof NAMES} Project */
const PROJECTS = /** @type {Project[]} */ (Object.keys(NAMES));

/** @type {ReturnType<typeof suiteRan>[]} */
const suites = [];
/** @type {string[]} */
const failures = [];

const inMemory = makeFolderInMemory();
if (inMemory !== null) process.env.TMPDIR = inMemory;

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

console.log('\n== build');
const entries = prepareEntries();
const isBuilt = await single('build', buildApp());
console.log('\n== lint, types, unit, package');
// Tests wait for a part of their time, in which the others run.
const [packed] = await Promise.all([
  isBuilt && 'path' in entries.electron ? pack() : null,
  single('lint', runTool('biome', ['check', '--error-on-warnings', '.'])),
  single('types', runTool('tsc', ['--noEmit'])),
  unit(),
]);
await endToEnd();
rmSync(packFolder, { recursive: true, force: true });
if (inMemory !== null) rmSync(inMemory, { recursive: true, force: true });
report();

/**
 * A folder in memory for the files of tests, which otherwise spend a third of their time waiting for the disk. Null where
 * there is no such folder or too little room.
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

/** The variables that name the packed app to the specs; null if it could not be packed. */
async function pack() {
  try {
    return await packForSpecs(packFolder);
  } catch (error) {
    console.error(error);
    return null;
  }
}

async function endToEnd() {
  console.log('\n== end to end');
  const missing = missingFor();
  const isMissing = (/** @type {Project} */ project) => missing[project].lacks !== null;
  for (const project of PROJECTS.filter(isMissing)) {
    const { lacks, fails } = missing[project];
    suites.push(suiteNotRun(NAMES[project], lacks ?? '', fails));
  }
  // A real node of the live suite must not be found by the other specs.
  const here = PROJECTS.filter((project) => project !== 'live' && !isMissing(project));
  if (here.length > 0) await runSpecs(here);
  if (!isMissing('live')) await runSpecs(['live']);
}

/**
 * What each suite of specs lacks here, null for nothing, and whether that fails the run.
 * @returns {Record<Project, { lacks: string | null, fails: Parameters<typeof suiteNotRun>[2] }>}
 */
function missingFor() {
  const { electron, chromium } = entries;
  const noBuild = isBuilt ? null : 'there is no build';
  const noElectron = noBuild ?? ('missing' in electron ? electron.missing : null);
  const noBrowser = noBuild ?? (chromium ? null : 'there is no Chromium');
  const fails = noElectron !== null && noBrowser !== null ? 'always' : 'in CI';
  const notPacked = packed === null ? 'the app could not be packed' : null;
  return {
    windows: { lacks: hasWindows ? noBrowser : NO_WINDOWS, fails: 'never' },
    packaged: { lacks: noElectron ?? notPacked, fails: noElectron === null ? 'always' : fails },
    electron: { lacks: noElectron, fails },
    browser: { lacks: noBrowser, fails },
    live: { lacks: process.env.BITCOIND ? noBrowser : 'BITCOIND names no bitcoind', fails: 'never' },
  };
}

/** @param {Project[]} projects */
async function runSpecs(projects) {
  const file = join(results, `${projects.join('-')}.json`);
  const env = { ...packed, PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  const ended = await runProjects(projects, entries, { env });
  const report = readJson(file);
  const failed = failedSpecs(report);
  failures.push(...failed);
  // If the run failed without a failed test, no suite can be trusted.
  for (const project of projects)
    suites.push(suiteRan(NAMES[project], countsOf(report, project), ended || failed.length > 0));
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
