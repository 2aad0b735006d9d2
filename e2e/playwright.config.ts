/**
 * The app driven as a person drives it. `browser` runs all specs but those of the desktop; `electron` runs those and what
 * differs between the entries; `packaged` runs the two crossings in the packed app, which is the same Electron, and looks
 * at the package itself; `live` runs the crossings on the node that BITCOIND names; `screenshots` makes the pictures of
 * the documentation, some in the pseudo-language. The app must have been built.
 */
import { defineConfig } from '@playwright/test';
import type { EntryOptions } from './app.ts';

const CROSSINGS = ['restore.spec.ts', 'migrate.spec.ts'];
/**
 * What Electron does otherwise than the browser entry: its window and policy, its dialogs and drops, its way of starting
 * the engine and of keeping secrets, its Node that reads wallet files.
 */
const DIFFERS_BY_ENTRY = [
  'connect.spec.ts',
  'contentPolicy.spec.ts',
  'hostileFiles.spec.ts',
  'hostileNetwork.spec.ts',
  'inspect.spec.ts',
  'keyboard.spec.ts',
  'offline.spec.ts',
  'paths.spec.ts',
  'secrets.spec.ts',
];

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
      testMatch: ['**/electron/*.spec.ts', ...DIFFERS_BY_ENTRY],
      // The readers of files are the same for both entries: each file in one of them.
      grepInvert: /tells of .* what a node said of it|the offline engine as release 30 makes of/,
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
