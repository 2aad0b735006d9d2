/**
 * Measures the offline engine, and beside it, in turns, the node that BITCOIND names. `npm run bench -- engine` runs
 * this alone. Times are in seconds, memory in MiB of the whole process. Fails only when there is nothing to measure.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { benchWallet } from './benchWallets.ts';
import { type Figure, inShort, median, report } from './figures.ts';
import { atRest, call, type Program, peakMemory, stop } from './program.ts';
import { startEngine, startNode } from './startPrograms.ts';

const bitcoind = process.env.BITCOIND;
const command = 'npm run bench -- engine';
const figures: Omit<Figure, 'date'>[] = [];

test.describe.configure({ mode: 'serial', timeout: 1_800_000 });
test.afterAll(() => report(figures));

test('start and a short call', async () => {
  const starts: number[] = [];
  const calls: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    await inFolder(async (folder) => {
      const engine = await startEngine(folder, null);
      starts.push(engine.seconds);
      await atRest(engine);
      for (let sent = 0; sent < (run === 0 ? 200 : 0); sent += 1) {
        calls.push(await secondsOf(() => call(engine, 'listwallets')));
      }
      await stop(engine);
    });
  }
  figures.push({
    what: 'the offline engine: from start to ready',
    goal: '≤ 0.5 s',
    measured: `${inShort(median(starts) / 0.5)} × (${inShort(median(starts))} s)`,
    against: '0.5 s',
    met: median(starts) <= 0.5,
    command,
  });
  figures.push({
    what: 'the offline engine: listwallets',
    goal: 'none',
    measured: `median ${inShort(median(calls) * 1000)} ms of ${calls.length} calls`,
    against: 'nothing',
    met: null,
    command,
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
    const inspected = Array.from({ length: runs }, () => inspect(path));
    const ofEngine: Run[] = [];
    const ofNode: Run[] = [];
    // In turns, so that both meet the same moods of the machine.
    for (let run = 0; run < runs; run += 1) {
      if (bitcoind) ofNode.push(await migrate((folder) => startNode(bitcoind, folder, path)));
      ofEngine.push(await migrate((folder) => startEngine(folder, path)));
    }
    const of = `a legacy wallet of ${keys.toLocaleString('en')} imported keys (${origin})`;
    note(`${of}: inspecting it`, inspected);
    note(`${of}: migrating it in the engine`, ofEngine);
    if (bitcoind) noteRatio(`${of}: migrating it beside a node`, ofNode, ofEngine);
    expect(ofEngine).toHaveLength(runs);
  });
}

interface Run {
  readonly seconds: number;
  /** MiB, null where the system does not tell. */
  readonly mebibytes: number | null;
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

function inspect(wallet: string): Run {
  const script = fileURLToPath(new URL('inspectOnce.cjs', import.meta.url));
  const thread = fileURLToPath(new URL('../../out/main/walletThread.cjs', import.meta.url));
  const told = execFileSync(process.execPath, [script, thread, wallet], { encoding: 'utf8' });
  const { ok, seconds, mebibytes } = JSON.parse(told);
  if (!ok) throw new Error('The wallet could not be inspected.');
  return { seconds, mebibytes };
}

function note(what: string, runs: readonly Run[]): void {
  const memory = runs.flatMap(({ mebibytes }) => mebibytes ?? []);
  const most = memory.length > 0 ? `, at most ${Math.max(...memory)} MiB` : '';
  figures.push({
    what,
    goal: 'none',
    measured: `${inShort(secondsIn(runs))} s${most}`,
    against: 'nothing',
    met: null,
    command,
  });
}

/** How many times as fast the engine was, of the medians, and of the run in which it was best. */
function noteRatio(what: string, ofNode: readonly Run[], ofEngine: readonly Run[]): void {
  const each = ofNode.map(({ seconds }, run) => seconds / (ofEngine[run]?.seconds ?? Number.NaN));
  const ratio = secondsIn(ofNode) / secondsIn(ofEngine);
  figures.push({
    what,
    goal: '≥ 5 × as fast as the node',
    measured: `${inShort(ratio)} × as fast (in the best run ${inShort(Math.max(...each))} ×)`,
    against: `the node’s ${inShort(secondsIn(ofNode))} s`,
    met: ratio >= 5,
    command: `BITCOIND=… ${command}`,
  });
}

function secondsIn(runs: readonly Run[]): number {
  return median(runs.map(({ seconds }) => seconds));
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'ferry-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
