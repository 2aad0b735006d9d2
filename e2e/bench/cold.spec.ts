/**
 * Measures first jobs, which are what people run: a program's first call, half a second after its start, of the offline engine and,
 * in turns, of the node that BITCOIND names. The least of some runs counts, because other work on the machine can only add to it.
 * Fails only when there is nothing to measure.
 */
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

test.describe.configure({ mode: 'serial', timeout: 1_800_000 });
test.afterAll(() => report(figures));

const sizes = [
  { keys: 1000, runs: 4, times: 4 },
  { keys: 5000, runs: 4, times: 10 },
  { keys: 20_000, runs: 4, times: 10 },
  { keys: 100_000, runs: 2, times: 10 },
];

for (const { keys, runs, times } of sizes) {
  const title = `${keys.toLocaleString('en')} imported keys`;
  test(title, async () => {
    const { path } = await benchWallet(keys);
    const { engine, node } = await firstJob(path, 'regtest', runs);
    noteTimes(title, times, engine, node);
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
function noteTimes(title: string, times: number, engine: Least, node: Least | null): void {
  const worked = engine.worked === null ? '' : `, ${inShort(engine.worked)} s of work`;
  const note = `${inShort(engine.seconds)} s${worked}`;
  if (node === null) {
    console.log(`first job, ${title}: ${note}`);
    return;
  }
  const ratio = node.seconds / engine.seconds;
  figures.push({
    what: `first job, ${title}`,
    goal: `≥ ${times} × as fast as the node`,
    measured: `${inShort(ratio)} × as fast (${note})`,
    against: `the node’s ${inShort(node.seconds)} s`,
    met: ratio >= times,
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
