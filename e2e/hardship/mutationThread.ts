/** A thread that runs one trial after the other and reports the failures. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { registerBundledSqlite } from '../../electron/walletfile/database/sqliteDatabase.ts';
import { numberedTrials } from './numberedTrials.ts';
import type { Original } from './trial.ts';
import { runTrial } from './trial.ts';

export interface ThreadTask {
  readonly originals: readonly Original[];
  readonly seeds: { readonly first: number; readonly step: number; readonly end: number };
  /** The seed of the running trial, and its start in milliseconds. */
  readonly clock: SharedArrayBuffer;
}

export interface ThreadReport {
  readonly done: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly failures: readonly { readonly seed: number; readonly why: string }[];
  /** Bytes. */
  readonly mostMemory: number;
  readonly slowest: { readonly seed: number; readonly milliseconds: number };
}

/**
 * Bytes that reading may take beyond ten times the file's size: garbage not collected yet, which the thread's limits bound, and
 * SQLite's WebAssembly memory.
 */
const MEMORY_FLOOR = 96 * 2 ** 20;
const MEMORY_PER_BYTE = 10;

/** Trials between two reports. Each report collects the garbage, which takes as long as ten trials. */
const REPORT_AFTER = 1000;

void run(workerData);

async function run({ originals, seeds, clock }: ThreadTask): Promise<void> {
  registerBundledSqlite();
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  const trialOf = numberedTrials(originals);
  const now = new BigInt64Array(clock);
  let outcomes: Record<string, number> = {};
  let failures: { seed: number; why: string }[] = [];
  let [done, mostMemory] = [0, 0];
  let slowest = { seed: 0, milliseconds: 0 };
  const report = () => {
    const sent: ThreadReport = { done, outcomes, failures, mostMemory, slowest };
    parentPort?.postMessage(sent);
    [outcomes, failures, done] = [{}, [], 0];
  };
  for (let seed = seeds.first; seed < seeds.end; seed += seeds.step) {
    const { original, trial } = trialOf(seed);
    Atomics.store(now, 0, BigInt(seed));
    Atomics.store(now, 1, BigInt(Date.now()));
    const before = memory();
    const since = performance.now();
    try {
      const outcome = await runTrial(original, trial);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    } catch (error) {
      failures.push({ seed, why: error instanceof Error ? error.message : String(error) });
    }
    const milliseconds = performance.now() - since;
    if (milliseconds > slowest.milliseconds) slowest = { seed, milliseconds };
    const grown = memory() - before;
    mostMemory = Math.max(mostMemory, grown);
    const most = MEMORY_PER_BYTE * original.bytes.length + MEMORY_FLOOR;
    if (grown > most)
      failures.push({ seed, why: `it took ${grown} bytes of memory for a file of ${original.bytes.length}` });
    done += 1;
    if (failures.length > 0 || done >= REPORT_AFTER) {
      report();
      if (typeof collect === 'function') collect();
    }
  }
  report();
  Atomics.store(now, 1, 0n);
}

function memory(): number {
  const { heapUsed, arrayBuffers, external } = process.memoryUsage();
  return heapUsed + Math.max(arrayBuffers, external);
}
