/** What a run has measured: printed, and kept in `test-results/bench.json` beside what other specs have measured. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Figures = Record<string, unknown>;

export async function report(figures: Figures): Promise<void> {
  const folder = fileURLToPath(new URL('../../test-results', import.meta.url));
  const file = join(folder, 'bench.json');
  await mkdir(folder, { recursive: true });
  const others = existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : {};
  const machine = {
    cpus: cpus().length,
    gigabytes: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
  await writeFile(file, `${JSON.stringify({ ...others, machine, ...figures }, null, 2)}\n`);
  console.log(JSON.stringify(figures, null, 2));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
