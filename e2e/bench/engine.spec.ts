/**
 * Measures the offline engine at rest, the inspection of files, and the memory for both. `cold.spec.ts` compares jobs with a node.
 * `npm run bench -- engine` runs this alone. Times are in seconds, memory in MiB of the whole process. Fails only when there is nothing
 * to measure.
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
  stop,
} from './program.ts';

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

for (const { keys, runs } of [
  { keys: 1000, runs: 5 },
  { keys: 5000, runs: 5 },
  { keys: 100_000, runs: 1 },
]) {
  test(`a wallet of ${keys} imported keys`, async () => {
    const { path, origin } = await benchWallet(keys);
    const inspected = Array.from({ length: runs }, () => inspectOnce(path));
    const of = `a legacy wallet of ${keys.toLocaleString('en')} imported keys`;
    noteSeconds(`${of}: inspecting it`, inspected, origin, keys <= 5000 ? 0.15 : 1.5);
    noteMemory(
      `${of}: memory to inspect it`,
      inspected.map(({ mebibytes }) => mebibytes),
    );
    noteMemory(`${of}: memory to migrate it`, [await memoryToMigrate(path)]);
    expect(inspected).toHaveLength(runs);
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

/** The most memory in MiB; null where the system does not tell. */
async function memoryToMigrate(path: string): Promise<number | null> {
  return inFolder(async (folder) => {
    const engine = await startEngine(folder, path);
    await atRest(engine);
    await call(engine, 'migratewallet', ['old']);
    const mebibytes = peakMemory(engine);
    await stop(engine);
    return mebibytes;
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

function noteSeconds(
  what: string,
  runs: readonly { readonly seconds: number }[],
  origin: string,
  most: number,
): void {
  const seconds = median(runs.map((run) => run.seconds));
  const told = `${inShort(seconds)} s, a ${origin} wallet`;
  note({ what, goal: `≤ ${most} s`, ratio: seconds / most, most: 1, note: told, against: `${most} s` });
}

function noteMemory(what: string, mebibytes: readonly (number | null)[]): void {
  const known = mebibytes.filter((one) => one !== null);
  if (known.length === 0) return;
  const gigabytes = (Math.max(...known) * 2 ** 20) / 1e9;
  const told = `at most ${inShort(gigabytes * 1000)} MB`;
  note({ what, goal: '≤ 1 GB', ratio: gigabytes, most: 1, note: told, against: '1 GB' });
}

/** What HTTP itself costs: the same answer as the engine's, without looking at what is asked. */
async function startBareServer(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('{"result":[],"error":null,"id":1}'));
  });
  const { port } = await listen(server);
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}
