/**
 * `node build/hardship.mjs kills|mutations|holes …` runs one of the long trials of `e2e/hardship`. `… reliability` runs the
 * faults of `e2e/faults` and writes their outcomes and `test-results/reliability.md`. `… releases` writes
 * `docs/releases.md`.
 */
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { root } from './system.mjs';
import { runTool } from './tool.mjs';

const [trial = '', ...args] = process.argv.slice(2);
if (trial === 'reliability') {
  process.exitCode = (await writeReliability()) ? 0 : 1;
} else if (trial === 'releases') {
  process.exitCode = (await writeReleases()) ? 0 : 1;
} else if (['kills', 'mutations', 'holes'].includes(trial)) {
  const { module } = await runnerImport(join(root, 'e2e', 'hardship', `${trial}Command.ts`), {
    root,
    configFile: false,
    logLevel: 'error',
  });
  process.exit((await module.run(args)) ? 0 : 1);
} else {
  console.error('Name a trial: kills, mutations, holes, reliability or releases.');
  process.exit(2);
}

/** Runs the test files one by one, because they write to the same file. */
function writeReliability() {
  const faults = ['run', '--config', 'build/vitest.config.ts', '--no-file-parallelism', 'e2e/faults'];
  return runTool('vitest', [...faults, ...args], { env: { WRITE_RELIABILITY: '1' } });
}

/** Writes what the app predicts for each release and known file. */
function writeReleases() {
  const predictions = ['run', '--config', 'build/vitest.config.ts', 'electron/jobs/plan/predictions.test.ts'];
  return runTool('vitest', predictions, { env: { WRITE_RELEASES: '1' } });
}
