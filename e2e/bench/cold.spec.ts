/**
 * Measures first jobs, which are what people run: a program's first call, half a second after its start, of the offline engine and,
 * in turns, of the node that BITCOIND names. The least of some runs counts, because other work on the machine can only add to it.
 * Draws the seconds by the number of keys, as the issue on speed asks. Fails only when there is nothing to measure.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { foreignWallets } from '../../electron/walletfile/testing/foreignWallets.ts';
import type { Network } from '../../shared/model/network.ts';
import { benchWallet } from './benchWallets.ts';
import { type Figure, inShort, report } from './figures.ts';
import {
  call,
  inFolder,
  memoryNow,
  type Program,
  peakMemory,
  processorTime,
  secondsOf,
  startEngine,
  startNode,
  stop,
} from './program.ts';

const bitcoind = process.env.BITCOIND;
const command = 'npm run bench -- cold';
const figures: Omit<Figure, 'date'>[] = [];
const times = { engine: new Map<number, number>(), node: new Map<number, number>() };
const results = new URL('../../test-results/', import.meta.url);

test.describe.configure({ mode: 'serial', timeout: 1_800_000 });
test.afterAll(async () => {
  await report(figures);
  await mkdir(results, { recursive: true });
  await writeFile(new URL('first-jobs.svg', results), pictureOf(times));
});

const sizes = [
  { keys: 1000, runs: 4, goal: 4 },
  { keys: 5000, runs: 4, goal: 10 },
  { keys: 20_000, runs: 4, goal: 10 },
  { keys: 100_000, runs: 2, goal: 10 },
];

for (const { keys, runs, goal } of sizes) {
  const title = `${keys.toLocaleString('en')} imported keys`;
  test(title, async () => {
    const { path } = await benchWallet(keys);
    const { engine, node } = await firstJob(path, 'regtest', runs);
    times.engine.set(keys, engine.seconds);
    if (node) times.node.set(keys, node.seconds);
    noteTimes(title, goal, engine, node);
    if (keys === 100_000 && engine.mebibytes !== null) noteMemory(title, engine.mebibytes);
    expect(engine.seconds).toBeGreaterThan(0);
  });
}

/** Genuine wallets of others, which are not in this repository. */
const old = foreignWallets('old').filter(
  ({ name, nodes, passphrase }) =>
    name.startsWith('old/bitcoin-') && passphrase === undefined && nodes['31.0']?.migratewallet === 'done',
);
for (const { name, path, network } of old) {
  const title = `the wallet ${name}`;
  test(title, async () => {
    const { engine, node } = await firstJob(path, network, 4);
    noteTimes(title, 4, engine, node);
    expect(engine.seconds).toBeGreaterThan(0);
  });
}

interface Least {
  readonly seconds: number;
  /** Seconds that all its threads together were at work. */
  readonly worked: number | null;
  /** The most memory over the idle program. */
  readonly mebibytes: number | null;
}

async function firstJob(wallet: string, network: Network, runs: number) {
  const ofNode: Least[] = [];
  const ofEngine: Least[] = [];
  for (let run = 0; run < runs; run += 1) {
    if (bitcoind) ofNode.push(await oneJob((folder) => startNode(bitcoind, folder, wallet, network)));
    ofEngine.push(await oneJob((folder) => startEngine(folder, wallet, 30, network)));
  }
  return { engine: leastOf(ofEngine), node: ofNode.length > 0 ? leastOf(ofNode) : null };
}

async function oneJob(start: (folder: string) => Promise<Program>): Promise<Least> {
  return inFolder(async (folder) => {
    const program = await start(folder);
    await pause(500);
    const [idle, before] = [memoryNow(program), processorTime(program)];
    const seconds = await secondsOf(() => call(program, 'migratewallet', ['old']));
    const [most, after] = [peakMemory(program), processorTime(program)];
    await stop(program);
    return {
      seconds,
      worked: before === null || after === null ? null : (after - before) / 100,
      mebibytes: most === null || idle === null ? null : most - idle,
    };
  });
}

function leastOf(runs: readonly Least[]): Least {
  const least = (values: readonly (number | null)[]) => {
    const known = values.filter((value) => value !== null);
    return known.length > 0 ? Math.min(...known) : null;
  };
  return {
    seconds: least(runs.map(({ seconds }) => seconds)) ?? Number.NaN,
    worked: least(runs.map(({ worked }) => worked)),
    mebibytes: least(runs.map(({ mebibytes }) => mebibytes)),
  };
}

/** How many times as fast the engine was. Without a node there is only the time to tell. */
function noteTimes(title: string, goal: number, engine: Least, node: Least | null): void {
  const worked = engine.worked === null ? '' : `, ${inShort(engine.worked)} s of work`;
  const note = `${inShort(engine.seconds)} s${worked}`;
  if (node === null) {
    console.log(`first job, ${title}: ${note}`);
    return;
  }
  const ratio = node.seconds / engine.seconds;
  figures.push({
    what: `first job, ${title}`,
    goal: `≥ ${goal} × as fast as the node`,
    measured: `${inShort(ratio)} × as fast (${note})`,
    against: `the node’s ${inShort(node.seconds)} s`,
    met: ratio >= goal,
    command: `BITCOIND=/path/to/bitcoind ${command}`,
  });
}

function noteMemory(title: string, mebibytes: number): void {
  const megabytes = (mebibytes * 2 ** 20) / 1e6;
  figures.push({
    what: `first job, ${title}: memory over the idle engine`,
    goal: '≤ 256 MB',
    measured: `${inShort(megabytes / 256)} × (${inShort(megabytes)} MB)`,
    against: '256 MB',
    met: megabytes <= 256,
    command,
  });
}

/** Draws keys against seconds as an SVG picture. Both axes are logarithmic. */
function pictureOf({ engine, node }: typeof times): string {
  const x = (keys: number) => Math.round(70 + 240 * (Math.log10(keys) - 3));
  const y = (seconds: number) => Math.round(220 - 100 * Math.log10(seconds));
  const text = (left: number, top: number, words: string) => `<text x="${left}" y="${top}">${words}</text>`;
  const curve = (name: string, colour: string, points: typeof engine) => {
    const places = [...points].map(([keys, seconds]) => [x(keys), y(seconds)] as const);
    const [left, top] = places.at(-1) ?? [0, 0];
    const line = `<polyline points="${places.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`;
    return places.length === 0 ? '' : line + text(left + 8, top + 4, name);
  };
  const marks = [
    ...[1000, 10_000, 100_000].map(
      (keys) => `<path d="M${x(keys)} 20V320"/>${text(x(keys) - 20, 340, keys.toLocaleString('en'))}`,
    ),
    ...[0.1, 1, 10, 100].map((mark) => `<path d="M70 ${y(mark)}H550"/>${text(20, y(mark) + 4, `${mark} s`)}`),
  ];
  const curves = curve('node', '#777', node) + curve('engine', '#c60', engine);
  const style = '<style>svg{background:#fff;font:13px sans-serif}path{stroke:#ddd}</style>';
  const title = text(250, 360, 'imported keys');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="370">${style}${marks.join('')}${title}${curves}</svg>\n`;
}
