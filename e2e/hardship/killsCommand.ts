/** `npm run kills -- [--count 200] [--seed 1]` */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleEngine } from './engineProcess.ts';
import { kill } from './kills.ts';

/** Prints how it goes. Gives whether nothing was lost. */
export async function run(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: { count: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
  });
  const folder = mkdtempSync(join(tmpdir(), 'kills-'));
  try {
    const program = await bundleEngine(join(folder, 'bundle'));
    const { kills, met, failures } = await kill({
      program,
      folder,
      count: Number(values.count),
      seed: Number(values.seed),
      say: (line) => console.log(line),
    });
    for (const [what, times] of Object.entries(met).sort())
      console.log(`${String(times).padStart(5)}  ${what}`);
    for (const failure of failures) console.log(`FAILED ${failure}`);
    console.log(`${kills} kills from seed ${values.seed}: ${failures.length} lost something`);
    return failures.length === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
