/** Unit tests: everything that lies beside what it tests. End-to-end specs are Playwright's. */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

/** Rooms of functions that give the same for the same. */
const PURE = ['{electron/wallet,shared}/**/*.test.ts'];

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: PURE,
          // They keep nothing from test to test but what they read; to load it anew for each file took a third of the time.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'others',
          include: ['{electron,renderer,shared,build,e2e}/**/*.test.{ts,tsx}'],
          exclude: [...configDefaults.exclude, ...PURE],
        },
      },
    ],
    // Vitest leaves one core free, which of two is half.
    maxWorkers: availableParallelism(),
    // The machines this runs on may have two cores busy with other things.
    testTimeout: 120_000,
    hookTimeout: 30_000,
  },
});
