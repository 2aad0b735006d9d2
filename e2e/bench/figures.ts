/** The figures of a run: printed, and saved in `figures.json` with those of earlier runs. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { z } from 'zod/mini';

const figure = z.object({
  /** The name of the figure. A later run replaces a figure of the same name. */
  what: z.string(),
  goal: z.string(),
  measured: z.string(),
  /** What it was compared with in the same run. */
  against: z.string(),
  met: z.boolean(),
  /** The command that measures it. */
  command: z.string(),
  /** `YYYY-MM-DD`. */
  date: z.string(),
});
export type Figure = z.infer<typeof figure>;

const savedFigures = z.object({
  machine: z.object({ cores: z.number(), gigabytes: z.number(), node: z.string(), electron: z.string() }),
  figures: z.array(figure),
  /** All runs, oldest first; of a day the last. */
  history: z._default(z.array(z.pick(figure, { date: true, what: true, measured: true })), []),
});
type SavedFigures = z.infer<typeof savedFigures>;

const data = fileURLToPath(new URL('figures.json', import.meta.url));
const electronPackage = new URL('../../node_modules/electron/package.json', import.meta.url);

/** Saves the figures. Others of earlier runs stay, with their dates. */
export async function report(
  figures: readonly Omit<Figure, 'date'>[],
  { electron }: { electron?: string | undefined } = {},
): Promise<void> {
  if (figures.length === 0) return;
  const date = new Date().toISOString().slice(0, 10);
  const before = existsSync(data) ? savedFigures.parse(JSON.parse(await readFile(data, 'utf8'))) : null;
  const fresh = new Map(figures.map((one) => [one.what, { ...one, date }]));
  const known = before?.figures ?? [];
  const older = before?.history.filter((one) => one.date !== date || !fresh.has(one.what)) ?? [];
  const now: SavedFigures = {
    machine: {
      cores: cpus().length,
      gigabytes: Math.round(totalmem() / 2 ** 30),
      node: process.versions.node,
      electron: electron ?? before?.machine.electron ?? (await installedElectron()),
    },
    figures: [
      ...known.map((one) => fresh.get(one.what) ?? one),
      ...[...fresh.values()].filter(({ what }) => !known.some((one) => one.what === what)),
    ].toSorted((one, other) => Number(isCold(other)) - Number(isCold(one))),
    history: [...older, ...figures.map(({ what, measured }) => ({ date, what, measured }))],
  };
  await writeFile(data, `${JSON.stringify(now, null, 2)}\n`);
  for (const { what, goal, measured, against, met } of figures) {
    console.log(`${what}: ${measured}; against ${against}; goal ${goal} ${met ? 'met' : 'MISSED'}`);
  }
  const missed = now.figures.filter(({ met }) => !met);
  console.log(`\n${missed.length} of ${now.figures.length} figures miss their goals.`);
  for (const { what, goal, measured, command } of missed)
    console.log(`- ${what}: ${measured}; goal ${goal}; ${command}`);
}

/** First jobs, which are what people run, come before everything else. */
function isCold({ command }: Figure): boolean {
  return command.endsWith('-- cold');
}

async function installedElectron(): Promise<string> {
  return z.object({ version: z.string() }).parse(JSON.parse(await readFile(electronPackage, 'utf8'))).version;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** A number with three significant digits. */
export function inShort(value: number): string {
  return Number(value.toPrecision(3)).toString();
}
