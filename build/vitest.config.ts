/** The configuration of the unit tests. Playwright runs the end-to-end specs. */
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));

const tests = ['electron', 'renderer', 'shared', 'build', 'e2e'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.test\.tsx?$/.test(name))
    // Patterns need forward slashes on every system.
    .map((name) => `${folder}/${name.replaceAll(sep, '/')}`),
);

/** Tests that replace a module, and tests of the page's stores, which keep their state. */
const alone = tests.filter(
  (test) =>
    test.startsWith('renderer/state') ||
    /vi\.(mock|resetModules)\(/.test(readFileSync(join(root, test), 'utf8')),
);

export default defineConfig({
  root,
  test: {
    projects: [
      // Test files share loaded modules, because loading them for each file took a third of the time.
      {
        extends: true,
        test: {
          name: 'together',
          include: tests,
          exclude: alone,
          isolate: false,
          setupFiles: [join(root, 'build/readyCurveLibrary.ts')],
        },
      },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
    setupFiles: ['compareBytes', 'patientWaits'].map((name) => join(root, `build/${name}.ts`)),
    // Otherwise each use of Node's functions and of packages passes through a proxy, which made tests that hash take 8 % longer.
    deps: { interopDefault: false },
    // One more than there are cores: tests wait for a quarter of their time.
    maxWorkers: availableParallelism() + 1,
    // The machine may be busy.
    testTimeout: 120_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
