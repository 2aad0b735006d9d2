/**
 * The figures of a run: printed, saved in `figures.json` with those of earlier runs, and written to `test-results/performance.md` as a
 * table and a picture.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { pictureOf } from './picture.ts';

/** One line of the table. */
export const figure = z.object({
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

/** The seconds of a first job on a wallet with this number of keys, of the engine and of a node in the same run. */
const firstJob = z.object({ keys: z.number(), engine: z.number(), node: z.number().nullable() });
export type FirstJob = z.infer<typeof firstJob>;

const savedFigures = z.object({
  machine: z.object({ cores: z.number(), gigabytes: z.number(), node: z.string(), electron: z.string() }),
  figures: z.array(figure),
  firstJobs: z.array(firstJob).default([]),
  /** All runs, oldest first; of a day the last. */
  history: z.array(figure.pick({ date: true, what: true, measured: true })).default([]),
});
type SavedFigures = z.infer<typeof savedFigures>;

const data = fileURLToPath(new URL('figures.json', import.meta.url));
const results = new URL('../../test-results/', import.meta.url);
const electronPackage = new URL('../../node_modules/electron/package.json', import.meta.url);

/** Saves the figures. Others of earlier runs stay, with their dates. */
export async function report(
  figures: readonly Omit<Figure, 'date'>[],
  { electron, firstJobs = [] }: { electron?: string | undefined; firstJobs?: readonly FirstJob[] } = {},
): Promise<void> {
  if (figures.length === 0) return;
  const date = new Date().toISOString().slice(0, 10);
  const before = existsSync(data) ? savedFigures.parse(JSON.parse(await readFile(data, 'utf8'))) : null;
  const fresh = new Map(figures.map((one) => [one.what, { ...one, date }]));
  const known = before?.figures ?? [];
  const isOfNow = (one: { keys: number }) => firstJobs.some(({ keys }) => keys === one.keys);
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
    firstJobs: [...(before?.firstJobs ?? []).filter((one) => !isOfNow(one)), ...firstJobs].toSorted(
      (one, other) => one.keys - other.keys,
    ),
    history: [...older, ...figures.map(({ what, measured }) => ({ date, what, measured }))],
  };
  await writeFile(data, `${JSON.stringify(now, null, 2)}\n`);
  await mkdir(results, { recursive: true });
  await writeFile(new URL('performance.md', results), performancePage(now));
  await writeFile(new URL(PICTURE, results), pictureOf(now.firstJobs));
  for (const { what, goal, measured, against, met } of figures) {
    console.log(`${what}: ${measured}; against ${against}; goal ${goal} ${met ? 'met' : 'MISSED'}`);
  }
  const missed = now.figures.filter(({ met }) => !met);
  console.log(`\n${summaryOf(missed.length, now.figures.length)}`);
  for (const { what, goal, measured, command } of missed)
    console.log(`- ${what}: ${measured}; goal ${goal}; ${command}`);
}

const PICTURE = 'first-jobs.svg';

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

/** The report of all figures in Markdown. */
function performancePage({ machine, figures }: SavedFigures): string {
  const newest = figures.reduce((last, { date }) => (date > last ? date : last), '');
  const missed = figures.filter(({ met }) => !met);
  return `# Performance

Written by \`npm run bench\`, never by hand. Everything that depends on the machine is compared with something else on the
same machine in the same run, in turns, and reported as a ratio. No test fails because of a time, because a busy machine
would make it fail.

Measured on a computer with ${machine.cores} cores and ${machine.gigabytes} GB of memory, with Node ${machine.node} and
Electron ${machine.electron}, on a virtual display without a graphics card. The last run was on ${newest}${
    figures.some(({ date }) => date !== newest) ? '; figures of earlier runs have their own date' : ''
  }.

${summaryOf(missed.length, figures.length)}

![Seconds of a first job by the number of keys, of the engine and of a node](${PICTURE})

| what | goal | measured | against | met | command |
| --- | --- | --- | --- | --- | --- |
${figures.map((one) => row(one, newest)).join('\n')}

- **first job**: the first call of a program, half a second after its start; the least time of some runs.
- **frames**: the longest time between two frames of the page while it scrolls or reacts to the user, and the longest task
  of its thread. 50 ms are three frames of a usual screen.
- **memory**: the proportional set size of all processes, which counts shared memory once.
- **processor time**: that of all processes of the app, as a share of one core.
- With \`BITCOIND=/path/to/bitcoind\` the offline engine is compared with that node too. Those rows name it in their
  command, and keep their date if a later run has no node.
- A **round** is one SHA-512 of 64 bytes, of which a try of a passphrase takes some hundred thousand. In WebAssembly,
  hash-wasm 4.12.0 took 1.5 µs through its interface and 0.7 µs inside, where Node took 0.43 µs, so it is no dependency.
- A node created each **recorded** wallet, and this project's own encoders and \`db5.3_load\` each **made** one.
`;
}

function summaryOf(missed: number, all: number): string {
  if (missed === 0) return `All ${all} figures meet their goals.`;
  return `**${missed} of ${all} figures miss their goals.** They are marked.`;
}

function row({ what, goal, measured, against, met, command, date }: Figure, newest: string): string {
  const verdict = met ? 'yes' : '**no**';
  const when = date === newest ? measured : `${measured} (on ${date})`;
  return `| ${[what, goal, when, against, verdict, `\`${command}\``].join(' | ')} |`;
}
