/** Unit tests: everything that lies beside what it tests. End-to-end specs are Playwright's. */
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));

const tests = ['electron', 'renderer', 'shared', 'build', 'e2e'].flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.test\.tsx?$/.test(name))
    // Patterns have forward slashes on every system.
    .map((name) => `${room}/${name.replaceAll(sep, '/')}`),
);

/** Tests that replace a module, and those of the page's stores, which keep their state. */
const alone = tests.filter(
  (test) =>
    test.startsWith('renderer/state') ||
    /vi\.(mock|resetModules)\(/.test(readFileSync(join(root, test), 'utf8')),
);

export default defineConfig({
  root,
  test: {
    projects: [
      // Test files share loaded modules: loading them again for each file took a third of the time.
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
    setupFiles: [join(root, 'build/compareBytes.ts')],
    // One more than there are cores: tests wait for a quarter of their time.
    maxWorkers: availableParallelism() + 1,
    // The machines this runs on may have two cores busy with other things.
    testTimeout: 120_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
