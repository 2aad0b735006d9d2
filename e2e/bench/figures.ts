/** What a run has measured: printed, kept in `figures.json`, and written as a table into `test-results/performance.md`. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

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

/** The page that reports the figures. */
function performancePage({ machine, figures }: Kept): string {
  const newest = figures.reduce((last, { date }) => (date > last ? date : last), '');
  const missed = figures.filter(({ met }) => !met);
  return `# Performance

Written by \`npm run bench\`, never by hand. Everything that depends on the machine is measured beside something else on
the same machine in the same run, in turns, and told as a ratio. No test fails because of a time: a busy machine would
fail it, and nobody would believe it.

Measured on a computer with ${machine.cores} cores and ${machine.gigabytes} GB of memory, with Node ${machine.node} and
Electron ${machine.electron}, on a virtual display without a graphics card. The last run was on ${newest}${
    figures.some(({ date }) => date !== newest) ? '; what it did not measure is marked with its own date' : ''
  }.

${summaryOf(missed.length, figures.length)}

| what | goal | measured | against | met | command |
| --- | --- | --- | --- | --- | --- |
${figures.map((one) => row(one, newest)).join('\n')}

- **frames** are counted in the page: the longest time between two frames while it is scrolled, typed into or clicked,
  and the longest task that held the page up. A frame of 50 ms is three frames of a usual screen.
- **memory** is the proportional set size of all processes: what several of them share is counted once.
- **processor time** is that of all processes of the app, in parts of one core.
- The file of 2 GB is really written, in the folder for temporary files, and removed afterwards. It lies in the system's
  cache then, for the app and for \`sha256sum\` alike: what is compared is the work, not the disk.
- With \`BITCOIND=/path/to/bitcoind\` the offline engine is measured beside that node too: those rows name it in their
  command, and keep their date when a run was without.
- A **round** is one SHA-512 of 64 bytes, of which a try of a passphrase takes some hundred thousand. In WebAssembly,
  hash-wasm 4.12.0 took 1.5 µs for one by its interface and 0.7 µs within it where Node took 0.43 µs, so it is no dependency.
- A **recorded** wallet was made by a node, a **made** one by this project's own coders and \`db5.3_load\`.
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
