/** The wallets that the benches work on: recorded ones, and made ones of any size. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { writeSampleDump } from './sampleDump.ts';

interface BenchWallet {
  readonly keys: number;
  /** `recorded`: a node made it. `made`: the project's own coders did, and `db5.3_load`. */
  readonly origin: 'recorded' | 'made';
  readonly path: string;
}

/**
 * Recorded ones are `legacy-many-<keys>.dat.xz` in the folder that FERRY_BENCH_WALLETS names, and unpacked by `xz`.
 * Throws where a made one is needed and `db5.3_load` (Debian's `db5.3-util`) is not there.
 */
export async function benchWallet(keys: number): Promise<BenchWallet> {
  mkdirSync(cache, { recursive: true });
  const recorded = join(recordings ?? '', `legacy-many-${keys}.dat.xz`);
  if (recordings && existsSync(recorded)) return { keys, origin: 'recorded', path: unpacked(recorded, keys) };
  return { keys, origin: 'made', path: await walletOfKeys(keys) };
}

const recordings = process.env.FERRY_BENCH_WALLETS;
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'wallet-ferry-bench');

function unpacked(packed: string, keys: number): string {
  const path = join(cache, `recorded-${keys}.dat`);
  if (existsSync(path)) return path;
  execFileSync('sh', ['-c', 'xz --decompress --stdout "$1" > "$2"', 'sh', packed, `${path}.part`]);
  renameSync(`${path}.part`, path);
  return path;
}

async function walletOfKeys(keys: number): Promise<string> {
  const path = join(cache, `made-${keys}.dat`);
  if (existsSync(path)) return path;
  const dump = join(cache, `made-${keys}.txt`);
  rmSync(`${path}.part`, { force: true });
  await writeSampleDump(dump, keys);
  execFileSync('db5.3_load', ['-f', dump, `${path}.part`]);
  renameSync(`${path}.part`, path);
  rmSync(dump);
  return path;
}
