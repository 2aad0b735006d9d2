/** `npm run kills -- [--count 100] [--seed 1]`: kills the node that BITCOIND names, the app or both in the middle of jobs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stopNodes } from '../nodeKills/campaign.ts';

/** Prints the progress. Returns whether nothing was lost. */
export async function run(args: string[]): Promise<boolean> {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const { values } = parseArgs({ args, options: { count: text('100'), seed: text('1') } });
  if (!process.env.BITCOIND) {
    console.log('No node to stop: BITCOIND names no bitcoind.');
    return false;
  }
  const folder = mkdtempSync(join(tmpdir(), 'kills-'));
  try {
    const { counts } = await stopNodes({
      folder,
      count: Number(values.count),
      seed: Number(values.seed),
      tableFolder: join('test-results', 'kills'),
      log: (line) => console.log(line),
    });
    const { unknown, lost, wrong } = counts;
    console.log(
      `${values.count} stops from seed ${values.seed}: ${unknown} unknown, ${lost} lost, ${wrong} wrong`,
    );
    return unknown + lost + wrong === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
