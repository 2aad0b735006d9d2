/**
 * Measures the offline engine at rest and the inspection of files, and beside them, in turns, the node that BITCOIND names. For first
 * jobs see `cold.spec.ts`. `npm run bench -- engine` runs this alone. Times are in seconds, memory in MiB of the whole process. Fails
 * only when there is nothing to measure.
 */
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { listen } from '../../electron/http/loopback.ts';
import { benchWallet } from './benchWallets.ts';
import { type Figure, inShort, median, report } from './figures.ts';
import {
  atRest,
  call,
  inFolder,
  inspectOnce,
  type Program,
  peakMemory,
  secondsOf,
  startEngine,
  startNode,
  stop,
} from './program.ts';

const bitcoind = process.env.BITCOIND;
const command = 'npm run bench -- engine';
const figures: Omit<Figure, 'date'>[] = [];

test.describe.configure({ mode: 'serial', timeout: 1_800_000 });
test.afterAll(() => report(figures));

test('start and a short call', async () => {
  const starts: number[] = [];
  const calls: number[] = [];
  const empty: number[] = [];
  const bare = await startBareServer();
  for (let run = 0; run < 5; run += 1) {
    await inFolder(async (folder) => {
      const engine = await startEngine(folder, null);
      starts.push(engine.seconds);
      await atRest(engine);
      for (let sent = 0; sent < (run === 0 ? 200 : 0); sent += 1) {
        calls.push(await secondsOf(() => call(engine, 'listwallets')));
        empty.push(await secondsOf(() => call({ ...engine, url: bare.url }, 'listwallets')));
      }
      await stop(engine);
    });
  }
  bare.close();
  const ready = median(starts);
  note({
    what: 'the offline engine: from start to ready',
    goal: '≤ 0.5 s',
    ratio: ready / 0.5,
    most: 1,
    note: `${inShort(ready)} s`,
    against: '0.5 s',
  });
  note({
    what: 'the offline engine: listwallets',
    goal: '≤ 2 × an answer without work',
    ratio: median(calls) / median(empty),
    most: 2,
    note: `median ${inShort(median(calls) * 1000)} ms of ${calls.length} calls`,
    against: `a server that answers at once ${inShort(median(empty) * 1000)} ms`,
  });
  expect(calls).toHaveLength(200);
});

/** From the smallest, so that each can be held against the one before it. */
const sizes = [
  { keys: 1000, runs: 5 },
  { keys: 5000, runs: 5 },
  { keys: 100_000, runs: 1 },
];
let smaller: Measured | null = null;

for (const { keys, runs } of sizes) {
  test(`a wallet of ${keys} imported keys`, async () => {
    const { path, origin } = await benchWallet(keys);
    const inspected = Array.from({ length: runs }, () => inspectOnce(path));
    const migrated: Run[] = [];
    const ofNode: Run[] = [];
    // In turns, so that both meet the same moods of the machine.
    for (let run = 0; run < runs; run += 1) {
      if (bitcoind) ofNode.push(await migrate((folder) => startNode(bitcoind, folder, path)));
      migrated.push(await migrate((folder) => startEngine(folder, path)));
    }
    const of = `a legacy wallet of ${keys.toLocaleString('en')} imported keys`;
    noteSeconds(`${of}: inspecting it`, inspected, origin, keys <= 5000 ? 0.15 : 1.5);
    noteMemory(`${of}: memory to inspect it`, inspected);
    noteGrowth(`${of}: migrating it`, origin, keys, migrated, smaller);
    noteMemory(`${of}: memory to migrate it`, migrated);
    if (bitcoind) noteNode(`${of}: migrating it beside a node`, ofNode, migrated);
    smaller = { keys, migrated };
    expect(migrated).toHaveLength(runs);
  });
}

test('answers while it works on a large wallet', async () => {
  const keys = 100_000;
  const { path } = await benchWallet(keys);
  await inFolder(async (folder) => {
    const engine = await startEngine(folder, path, 28);
    await atRest(engine);
    const copy = join(folder, 'copy.dat');
    // The engine replaces no file.
    const looks = (copiedTo: string): Work[] => [
      ['getwalletinfo'],
      ['listdescriptors'],
      ['listtransactions', ['*', 1000]],
      ['listunspent'],
      ['getaddressesbylabel', ['']],
      ['backupwallet', [copiedTo]],
    ];
    const work: Work[] = [
      ['loadwallet', ['old']],
      // The legacy wallet has no descriptors to list.
      ...looks(copy).filter(([method]) => method !== 'listdescriptors'),
      ['unloadwallet', ['old']],
      ['restorewallet', ['restored', copy]],
      ['unloadwallet', ['restored']],
      ['migratewallet', ['old']],
      ...looks(join(folder, 'another copy.dat')),
      ['unloadwallet', ['old']],
      ['loadwallet', ['old']],
    ];
    let [longest, during] = [0, ''];
    for (const one of work) {
      const silent = await silenceDuring(engine, one);
      if (silent > longest) [longest, during] = [silent, one[0]];
    }
    await stop(engine);
    note({
      what: `the offline engine: getrpcinfo while it works on a wallet of ${keys.toLocaleString('en')} keys`,
      goal: '≤ 0.5 s',
      ratio: longest / 0.5,
      most: 1,
      note: `most ${inShort(longest)} s of ${work.length} calls, in ${during}`,
      against: '0.5 s',
    });
  });
});

type Work = readonly [method: string, params?: unknown[]];

/** The longest that `getrpcinfo` was not answered while a call was, in seconds. */
async function silenceDuring(engine: Program, [method, params]: Work): Promise<number> {
  let [longest, isDone] = [0, false];
  const working = call(engine, method, params).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    longest = Math.max(longest, await secondsOf(() => call(engine, 'getrpcinfo')));
    await pause(20);
  }
  await working;
  return longest;
}

interface Run {
  readonly seconds: number;
  /** MiB, null where the system does not tell. */
  readonly mebibytes: number | null;
}

interface Measured {
  readonly keys: number;
  readonly migrated: readonly Run[];
}

async function migrate(start: (folder: string) => Promise<Program>): Promise<Run> {
  return inFolder(async (folder) => {
    const program = await start(folder);
    await atRest(program);
    const seconds = await secondsOf(() => call(program, 'migratewallet', ['old']));
    const mebibytes = peakMemory(program);
    await stop(program);
    return { seconds, mebibytes };
  });
}

interface Ratio {
  readonly what: string;
  readonly goal: string;
  /** What was measured, in parts of what it is held against. */
  readonly ratio: number;
  /** The ratio that still meets the goal. */
  readonly most: number;
  /** What was measured, with its unit. */
  readonly note: string;
  readonly against: string;
}

function note({ what, goal, ratio, most, note: told, against }: Ratio): void {
  const measured = `${inShort(ratio)} × (${told})`;
  figures.push({ what, goal, measured, against, met: ratio <= most, command });
}

function noteSeconds(what: string, runs: readonly Run[], origin: string, most: number): void {
  const seconds = secondsIn(runs);
  const told = `${inShort(seconds)} s, a ${origin} wallet`;
  note({ what, goal: `≤ ${most} s`, ratio: seconds / most, most: 1, note: told, against: `${most} s` });
}

/** Time may grow as the keys do, and not faster. The smallest is held against nothing: there is no row of it. */
function noteGrowth(
  what: string,
  origin: string,
  keys: number,
  runs: readonly Run[],
  than: Measured | null,
): void {
  if (than === null) return;
  const most = keys / than.keys;
  const before = secondsIn(than.migrated);
  note({
    what,
    goal: `≤ ${most} × that of ${than.keys.toLocaleString('en')} keys`,
    ratio: secondsIn(runs) / before,
    most,
    note: `${inShort(secondsIn(runs))} s, a ${origin} wallet`,
    against: `${than.keys.toLocaleString('en')} keys ${inShort(before)} s`,
  });
}

function noteMemory(what: string, runs: readonly Run[]): void {
  const known = runs.flatMap(({ mebibytes }) => mebibytes ?? []);
  if (known.length === 0) return;
  const gigabytes = (Math.max(...known) * 2 ** 20) / 1e9;
  const told = `at most ${inShort(gigabytes * 1000)} MB`;
  note({ what, goal: '≤ 1 GB', ratio: gigabytes, most: 1, note: told, against: '1 GB' });
}

/** How many times as fast the engine was, of the medians, and of the run in which it was best. */
function noteNode(what: string, ofNode: readonly Run[], ofEngine: readonly Run[]): void {
  const each = ofNode.map(({ seconds }, run) => seconds / (ofEngine[run]?.seconds ?? Number.NaN));
  const ratio = secondsIn(ofNode) / secondsIn(ofEngine);
  figures.push({
    what,
    goal: '≥ 5 × as fast as the node',
    measured: `${inShort(ratio)} × as fast (${inShort(secondsIn(ofEngine))} s; in the best run ${inShort(Math.max(...each))} ×)`,
    against: `the node’s ${inShort(secondsIn(ofNode))} s`,
    met: ratio >= 5,
    command: `BITCOIND=/path/to/bitcoind ${command}`,
  });
}

function secondsIn(runs: readonly Run[]): number {
  return median(runs.map(({ seconds }) => seconds));
}

/** What HTTP itself costs: the same answer as the engine's, without looking at what is asked. */
async function startBareServer(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('{"result":[],"error":null,"id":1}'));
  });
  const { port } = await listen(server);
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}
