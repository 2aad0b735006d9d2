/** Unit tests: everything that lies beside what it tests. End-to-end specs are Playwright's. */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['{electron,renderer,shared,build,e2e}/**/*.test.{ts,tsx}'],
    // Vitest leaves one core free, which of two is half.
    maxWorkers: availableParallelism(),
    // The machines this runs on may have two cores busy with other things.
    testTimeout: 120_000,
    hookTimeout: 30_000,
  },
});
