/** Unit tests: everything that lies beside what it tests. End-to-end specs are Playwright's. */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

/** Rooms of functions that give the same for the same. */
const PURE = ['{electron/wallet,shared}/**/*.test.ts'];
/** Rooms whose tests replace no module, and whose modules keep nothing from test to test. */
const KEEPING_NOTHING = [
  'electron/{crossing/{kinds,proof},engine/{methods,rpc},host/terminal,http,node/{calls,log,stay}}/**/*.test.ts',
];

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    projects: [
      together('pure', PURE),
      together('keeping nothing', KEEPING_NOTHING),
      {
        extends: true,
        test: {
          name: 'others',
          include: ['{electron,renderer,shared,build,e2e}/**/*.test.{ts,tsx}'],
          exclude: [...configDefaults.exclude, ...PURE, ...KEEPING_NOTHING],
        },
      },
    ],
    // Vitest leaves one core free, which of two is half.
    maxWorkers: availableParallelism(),
    // The machines this runs on may have two cores busy with other things.
    testTimeout: 120_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 20_000 } },
  },
});

/** What they have read is kept from file to file: to load it anew for each took a third of the time. */
function together(name: string, include: string[]) {
  return { extends: true as const, test: { name, include, isolate: false } };
}
