/** `npm run mutations -- [--count 100000] [--seed 1] [--threads 2]`: reads and migrates mutated wallet files. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundlePrograms } from '../app/bundlePrograms.ts';
import { mutate } from './mutations.ts';
import { originals } from './originals.ts';
import { mutated } from './trial.ts';

/** Prints the progress, and writes files that fail to `test-results/mutations`. Returns whether none failed. */
export async function run(args: string[]): Promise<boolean> {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const { values } = parseArgs({
    args,
    options: { count: text('100000'), seed: text('1'), threads: text('2') },
  });
  const folder = mkdtempSync(join(tmpdir(), 'mutations-'));
  try {
    const files = await originals();
    const started = Date.now();
    const { done, outcomes, failures, mostMemory, slowest } = await mutate({
      thread: await bundleThread(folder),
      originals: files,
      count: Number(values.count),
      seed: Number(values.seed),
      threads: Number(values.threads),
      log: (line) => console.log(line),
    });
    for (const [what, times] of Object.entries(outcomes).sort())
      console.log(`${String(times).padStart(7)}  ${what}`);
    const results = fileURLToPath(new URL('../../test-results/mutations', import.meta.url));
    for (const { seed, file, why, mutation } of failures) {
      console.log(`FAILED --seed ${seed} --count 1, ${file}: ${JSON.stringify(mutation)}\n${why}`);
      const original = files.find(({ name }) => name === file);
      if (!original) continue;
      mkdirSync(results, { recursive: true });
      writeFileSync(join(results, `${seed}-${file}.dat`), await mutated(original, mutation));
    }
    const minutes = ((Date.now() - started) / 60_000).toFixed(1);
    console.log(
      `${done} mutations of ${files.length} files from seed ${values.seed} in ${minutes} minutes: ${failures.length} kinds of failure, slowest ${Math.round(slowest.milliseconds)} ms (seed ${slowest.seed}), most memory ${Math.round(mostMemory / 2 ** 20)} MB`,
    );
    return failures.length === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function bundleThread(folder: string): Promise<string> {
  await bundlePrograms(folder, { thread: new URL('mutationThread.ts', import.meta.url) });
  return join(folder, 'thread.cjs');
}
