/** `npm run holes -- [--count 100]`: rescues keys from five wallets with random holes, and draws `docs/holes.svg`. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { bundlePrograms } from '../app/bundlePrograms.ts';
import { fixtureFile, fixturePassphrase } from '../testNode/walletFixture.ts';
import type { HolesReport, HolesTrial } from './holes.ts';
import { largeWallet } from './largeWallet.ts';

/** The number of trials in the picture. */
const SAMPLE_SIZE = 100;
const HANGS_AFTER_MS = 20_000;

interface Wallet {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly passphrase?: string;
}

const recorded = (name: Parameters<typeof fixtureFile>[0], what: string): Wallet => ({
  name: what,
  bytes: readFileSync(fixtureFile(name)),
});

/** Prints the figures. Returns whether no key was wrong. */
export async function run(args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options: { count: { type: 'string', default: `${SAMPLE_SIZE}` } } });
  const count = Number(values.count);
  const wallets: Wallet[] = [
    recorded('legacy-hd', 'with a seed'),
    {
      ...recorded('legacy-hd-encrypted', 'with a seed, encrypted'),
      passphrase: fixturePassphrase('legacy-hd-encrypted'),
    },
    recorded('legacy-solvable', 'with imported scripts'),
    recorded('legacy-imported', 'with imported keys only'),
    { name: 'with 2,000 imported keys', bytes: largeWallet(2000) },
  ];
  const folder = mkdtempSync(join(tmpdir(), 'holes-'));
  try {
    await bundlePrograms(folder, { holes: new URL('holes.ts', import.meta.url) });
    const reports: { name: string; report: HolesReport }[] = [];
    for (const wallet of wallets) {
      const report = await reportOf(wallet, count, folder);
      reports.push({ name: wallet.name, report });
      console.log(`${wallet.name}: ${lineOf(report)}`);
    }
    if (count === SAMPLE_SIZE) {
      const picture = fileURLToPath(new URL('../../docs/holes.svg', import.meta.url));
      writeFileSync(picture, draw(reports));
    }
    return reports.every(({ report }) => report.trials.every(({ wrong }) => wrong === 0));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Tries one wallet in its own process, to measure its memory. */
async function reportOf({ bytes, passphrase }: Wallet, count: number, folder: string): Promise<HolesReport> {
  const file = join(folder, 'wallet.dat');
  writeFileSync(file, bytes);
  const args = [
    join(folder, 'holes.cjs'),
    file,
    `${count}`,
    ...(passphrase === undefined ? [] : [passphrase]),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: HANGS_AFTER_MS * count });
  return JSON.parse(stdout);
}

function lineOf({ size, keys, trials, mostMemory, slowestMs }: HolesReport): string {
  const share = (of: (trial: HolesTrial) => number) =>
    `${((100 * trials.reduce((sum, trial) => sum + of(trial), 0)) / trials.length).toFixed(1)} %`;
  const wrong = trials.reduce((sum, trial) => sum + trial.wrong, 0);
  return `${keys} keys in ${Math.ceil(size / 1024)} kB, ${trials.length} times: ${share(({ left }) => left)} of the pages left, ${share(({ saved }) => saved)} of the keys saved, ${wrong} wrong keys; at most ${(mostMemory / 1e6).toFixed(0)} MB and ${slowestMs.toFixed(0)} ms`;
}

const COLOURS = ['#1864ab', '#c92a2a', '#2b8a3e', '#e67700', '#862e9c'];
const [LEFT, TOP, WIDE, HIGH] = [70, 30, 560, 400];

/** Draws a point for each trial: the share of the file that was left, and the share of the keys that were saved. */
function draw(wallets: readonly { name: string; report: HolesReport }[]): string {
  const x = (left: number) => (LEFT + ((left - 0.4) / 0.6) * WIDE).toFixed(1);
  const y = (saved: number) => (TOP + (1 - saved) * HIGH).toFixed(1);
  const text = (at: readonly [x: number | string, y: number | string], label: string, anchor = 'middle') =>
    `<text x="${at[0]}" y="${at[1]}" text-anchor="${anchor}">${label}</text>`;
  const percents = [40, 50, 60, 70, 80, 90, 100];
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 595" font-family="sans-serif" font-size="13" fill="#343a40">`,
    '<rect width="680" height="595" fill="#fff"/>',
    ...[0, 20, 40, 60, 80, 100].flatMap((percent) => [
      `<path d="M${LEFT} ${y(percent / 100)}h${WIDE}" stroke="#dee2e6"/>`,
      text([LEFT - 8, Number(y(percent / 100)) + 4], `${percent} %`, 'end'),
    ]),
    ...percents.map((percent) => text([x(percent / 100), TOP + HIGH + 20], `${percent} %`)),
    `<path d="M${x(0.4)} ${y(0.4)}L${x(1)} ${y(1)}" stroke="#868e96" stroke-dasharray="4 4"/>`,
    text([LEFT + WIDE / 2, TOP + HIGH + 42], 'pages left'),
    text([LEFT, 18], 'private keys saved', 'start'),
    ...wallets.flatMap(({ name, report }, at) => [
      ...report.trials.map(
        ({ left, saved }) =>
          `<circle cx="${x(left)}" cy="${y(saved)}" r="3" fill="${COLOURS[at]}" fill-opacity="0.5"/>`,
      ),
      `<circle cx="${LEFT + 6}" cy="${TOP + HIGH + 66 + at * 22}" r="5" fill="${COLOURS[at]}"/>`,
      text([LEFT + 20, TOP + HIGH + 70 + at * 22], `${name}: ${report.keys} keys`, 'start'),
    ]),
    '</svg>',
  ].join('\n')}\n`;
}
