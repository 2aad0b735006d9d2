/**
 * The specs drive the built app as users do. `browser` runs all specs except those in `electron`. `electron` runs those, and
 * the ones tagged `@desktop`, whose subject differs in Electron: its policy, clipboard and network, the record as PDF, the end
 * of a page's work, and what is left behind. `packaged` tests the package, and runs a restore
 * and a migration in it. `live` runs jobs on the node that BITCOIND names. `windows` runs the browser entry and the terminal
 * on Windows: see `app/windows.ts`. `screenshots` takes the pictures of the documentation, some in the pseudo-language.
 */
import { defineConfig } from '@playwright/test';
import type { EntryOptions } from './app.ts';

export default defineConfig<EntryOptions>({
  outputDir: '../test-results/end-to-end',
  globalSetup: './app/bundleServing.ts',
  // The bundles are JavaScript already.
  build: { external: ['**/test-results/**'] },
  // One more than the two cores of a usual machine for tests: specs wait for half of their time.
  workers: 3,
  fullyParallel: true,
  retries: 0,
  forbidOnly: true,
  // Other work may make a machine ten times as slow. Only a spec that fails waits this long.
  timeout: 600_000,
  expect: { timeout: 45_000 },
  reporter: [['list'], ['json', { outputFile: '../test-results/e2e.json' }]],
  use: { trace: 'off', screenshot: 'only-on-failure' },
  projects: [
    // Longest specs first: the short ones of the browser fill the end.
    { name: 'windows', testDir: 'windows', use: { entry: 'browser' } },
    {
      name: 'packaged',
      testDir: 'specs',
      testMatch: 'packaged.spec.ts',
      use: { entry: 'packaged' },
    },
    {
      name: 'electron',
      testDir: 'specs',
      testIgnore: '**/packaged.spec.ts',
      grep: /@desktop|electron[\\/]/,
      use: { entry: 'electron' },
    },
    {
      name: 'browser',
      testDir: 'specs',
      testIgnore: ['**/electron/**', '**/packaged.spec.ts'],
      use: { entry: 'browser' },
    },
    { name: 'live', testDir: 'live', use: { entry: 'browser' } },
    { name: 'bench', testDir: 'bench', workers: 1, use: { entry: 'electron' } },
    {
      name: 'screenshots',
      testMatch: ['screenshots/*.spec.ts', 'specs/pages/*.spec.ts'],
      use: { entry: 'browser' },
    },
  ],
});
