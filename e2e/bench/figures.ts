/** What a run has measured: printed, kept in `figures.json`, and written as a table into `test-results/performance.md`. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { performancePage } from './performancePage.ts';

/** One line of the table. */
export const figure = z.object({
  /** What was measured: the figure's name, by which a later run takes its place. */
  what: z.string(),
  goal: z.string(),
  measured: z.string(),
  /** What it was measured against in the same run. */
  against: z.string(),
  met: z.boolean(),
  /** What of `npm run bench` measures it. */
  command: z.string(),
  /** `YYYY-MM-DD`. */
  date: z.string(),
});
export type Figure = z.infer<typeof figure>;

const kept = z.object({
  machine: z.object({ cores: z.number(), gigabytes: z.number(), node: z.string(), electron: z.string() }),
  figures: z.array(figure),
});
export type Kept = z.infer<typeof kept>;

const data = fileURLToPath(new URL('figures.json', import.meta.url));
const results = new URL('../../test-results/', import.meta.url);
const electronPackage = new URL('../../node_modules/electron/package.json', import.meta.url);

/** Figures that did not come this time stay, with the date when they did. */
export async function report(figures: readonly Omit<Figure, 'date'>[], electron?: string): Promise<void> {
  if (figures.length === 0) return;
  const date = new Date().toISOString().slice(0, 10);
  const before = existsSync(data) ? kept.parse(JSON.parse(await readFile(data, 'utf8'))) : null;
  const fresh = new Map(figures.map((one) => [one.what, { ...one, date }]));
  const known = before?.figures ?? [];
  const now: Kept = {
    machine: {
      cores: cpus().length,
      gigabytes: Math.round(totalmem() / 2 ** 30),
      node: process.versions.node,
      electron: electron ?? before?.machine.electron ?? (await installedElectron()),
    },
    figures: [
      ...known.map((one) => fresh.get(one.what) ?? one),
      ...[...fresh.values()].filter(({ what }) => !known.some((one) => one.what === what)),
    ],
  };
  await writeFile(data, `${JSON.stringify(now, null, 2)}\n`);
  await mkdir(results, { recursive: true });
  await writeFile(new URL('performance.md', results), performancePage(now));
  for (const { what, goal, measured, against, met } of figures) {
    console.log(`${what}: ${measured}; against ${against}; goal ${goal} ${met ? 'met' : 'MISSED'}`);
  }
}

async function installedElectron(): Promise<string> {
  return z.object({ version: z.string() }).parse(JSON.parse(await readFile(electronPackage, 'utf8'))).version;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** With so many digits as tell something. */
export function inShort(value: number): string {
  return Number(value.toPrecision(3)).toString();
}
