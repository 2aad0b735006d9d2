/** `npm run kills -- [--node] [--count 200] [--seed 1]`: kills the engine or, with `--node`, the node that BITCOIND names. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleEngine } from '../app/engineProcess.ts';
import { stopNodes } from '../nodeKills/campaign.ts';
import { kill } from './kills.ts';

/** Prints the progress. Returns whether nothing was lost. */
export async function run(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: {
      count: { type: 'string' },
      seed: { type: 'string', default: '1' },
      node: { type: 'boolean', default: false },
    },
  });
  const seed = Number(values.seed);
  if (values.node && !process.env.BITCOIND) {
    console.log('No node to stop: BITCOIND names no bitcoind.');
    return false;
  }
  const folder = mkdtempSync(join(tmpdir(), 'kills-'));
  try {
    if (values.node) return await runOnNode(folder, Number(values.count ?? 100), seed);
    const program = await bundleEngine(join(folder, 'bundle'));
    const { kills, outcomes, failures } = await kill({
      program,
      folder,
      count: Number(values.count ?? 200),
      seed,
      log: (line) => console.log(line),
    });
    for (const [what, times] of Object.entries(outcomes).sort())
      console.log(`${String(times).padStart(5)}  ${what}`);
    for (const failure of failures) console.log(`FAILED ${failure}`);
    console.log(`${kills} kills from seed ${values.seed}: ${failures.length} lost something`);
    return failures.length === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runOnNode(folder: string, count: number, seed: number): Promise<boolean> {
  const result = await stopNodes({
    folder,
    count,
    seed,
    tableFolder: join('test-results', 'kills'),
    log: (line) => console.log(line),
  });
  const { unknown, lost, wrong } = result.counts;
  console.log(`${count} stops from seed ${seed}: ${unknown} unknown, ${lost} lost, ${wrong} wrong`);
  return unknown + lost + wrong === 0;
}
