/**
 * The app driven as a person drives it. `electron` and `browser` run the same specs, but for a few, in the two entries;
 * `packaged` runs the two crossings in the packed app, and looks at the package itself; `live` runs the crossings on the
 * node that BITCOIND names; `screenshots` makes the pictures of the documentation, some in the pseudo-language.
 * The app must have been built.
 */
import { defineConfig } from '@playwright/test';
import type { EntryOptions } from './app.ts';

const CROSSINGS = ['restore.spec.ts', 'migrate.spec.ts'];
/** What these look at, the page alone decides; it is the same in both entries. */
const OF_THE_PAGE = ['hostileWords.spec.ts', 'progress.spec.ts', 'readingOrder.spec.ts'];

export default defineConfig<EntryOptions>({
  outputDir: '../test-results/end-to-end',
  // One more than the two cores of a usual machine for tests: specs wait for half of their time.
  workers: 3,
  fullyParallel: true,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: '../test-results/e2e.json' }]],
  use: { trace: 'off', screenshot: 'only-on-failure' },
  projects: [
    {
      name: 'electron',
      testDir: 'specs',
      // The two crossings run in the packed app, which is the same Electron.
      testIgnore: [
        '**/browser/**',
        '**/packaged.spec.ts',
        ...[...CROSSINGS, ...OF_THE_PAGE].map((spec) => `**/${spec}`),
      ],
      // The engine and the readers of files are the same for both entries: each dialect and each file in one of them.
      grepInvert:
        /engineDialects|tells of .* what a node said of it|the offline engine as release 30 makes of/,
      use: { entry: 'electron' },
    },
    {
      name: 'browser',
      testDir: 'specs',
      testIgnore: ['**/electron/**', '**/packaged.spec.ts'],
      use: { entry: 'browser' },
    },
    {
      name: 'packaged',
      testDir: 'specs',
      testMatch: ['packaged.spec.ts', ...CROSSINGS],
      use: { entry: 'packaged' },
    },
    {
      name: 'live',
      testDir: 'live',
      timeout: 120_000,
      expect: { timeout: 45_000 },
      use: { entry: 'browser' },
    },
    { name: 'bench', testDir: 'bench', workers: 1, use: { entry: 'electron' } },
    {
      name: 'screenshots',
      testMatch: ['screenshots/*.spec.ts', 'specs/places/*.spec.ts'],
      timeout: 180_000,
      use: { entry: 'browser' },
    },
  ],
});
