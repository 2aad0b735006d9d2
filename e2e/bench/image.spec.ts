/**
 * Measures the search of a disk image for deleted wallets: its speed, compared with reading alone, and its memory.
 * `npm run bench -- image`.
 */
import { spawn } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { fixtureFile } from '../testNode/walletFixture.ts';
import { inShort, report } from './figures.ts';
import { peakMemory } from './program.ts';

const GIB = 2 ** 30;
const PAGE = 4096;
const WALLETS = ['legacy-hd', 'legacy-hd-encrypted', 'legacy-imported'] as const;
const command = 'npm run bench -- image';

test('searches a disk image', async () => {
  test.setTimeout(600_000);
  const folder = await mkdtemp(join(tmpdir(), 'bench-image-'));
  try {
    const [sparse, dense] = [join(folder, 'sparse.img'), join(folder, 'dense.img')];
    makeSparse(sparse);
    makeDense(dense);
    const found = await searched(sparse, folder);
    expect(found.wallets).toHaveLength(WALLETS.length);
    const runs: { read: number; search: number }[] = [];
    let isFromDisk = true;
    for (let run = 0; run < 3; run += 1) {
      isFromDisk = dropCaches() && isFromDisk;
      const read = secondsToRead(dense);
      dropCaches();
      runs.push({ read, search: (await searched(dense, folder)).seconds });
    }
    const read = Math.min(...runs.map((run) => run.read));
    const speed = GIB / Math.min(...runs.map((run) => run.search));
    await report([
      {
        what: 'a disk image of 8 GiB, with three deleted wallets in pieces: memory to find them',
        goal: '≤ 256 MB',
        measured: `${inShort(found.memory / 256e6)} × (${inShort(found.memory / 1e6)} MB; in ${inShort(found.seconds)} s)`,
        against: '256 MB',
        met: found.memory <= 256e6,
        command,
      },
      {
        what: '1 GiB of a disk: searching it for wallets',
        goal: '≥ 250 MB/s, half of what a SATA disk reads',
        measured: `${inShort(speed / 250e6)} × (${inShort(speed / 1e6)} MB/s)`,
        against: `250 MB/s; reading alone ${inShort(GIB / read / 1e6)} MB/s${isFromDisk ? '' : ', from memory'}`,
        met: speed >= 250e6,
        command,
      },
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** Writes wallets with a gap after every third page. */
function makeSparse(path: string): void {
  const file = openSync(path, 'w');
  ftruncateSync(file, 8 * GIB);
  for (const [number, name] of WALLETS.entries()) {
    const bytes = readFileSync(fixtureFile(name));
    let at = (1 + 2 * number) * GIB + 512 * 7;
    for (let page = 0; page * PAGE < bytes.length; page += 1) {
      writeSync(file, bytes, page * PAGE, PAGE, at);
      at += page % 3 === 0 ? 37 * PAGE : PAGE;
    }
  }
  closeSync(file);
}

function makeDense(path: string): void {
  const noise = randomFillSync(Buffer.alloc(GIB / 16));
  const file = openSync(path, 'w');
  for (let part = 0; part < 16; part += 1) writeSync(file, noise);
  // The system cannot drop pages from its cache before they are on the disk.
  fsyncSync(file);
  closeSync(file);
}

/** Empties the system's file cache, which only root can on Linux. Returns whether it did. */
function dropCaches(): boolean {
  try {
    writeFileSync('/proc/sys/vm/drop_caches', '1');
    return true;
  } catch {
    return false;
  }
}

function secondsToRead(path: string): number {
  const file = openSync(path, 'r');
  const bytes = Buffer.alloc(8 << 20);
  const since = performance.now();
  while (readSync(file, bytes, 0, bytes.length, null) > 0);
  closeSync(file);
  return (performance.now() - since) / 1000;
}

interface SearchResult {
  readonly seconds: number;
  /** The peak memory of the process, in bytes. */
  readonly memory: number;
  readonly wallets: readonly unknown[];
}

async function searched(path: string, folder: string): Promise<SearchResult> {
  const ferry = fileURLToPath(new URL('../../out/main/ferry.cjs', import.meta.url));
  const since = performance.now();
  const child = spawn(process.execPath, [ferry, 'search', path, '--json', '--data', join(folder, 'data')], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  let memory = 0;
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const sampling = setInterval(() => {
    memory = Math.max(memory, (peakMemory({ process: child }) ?? 0) * 2 ** 20);
  }, 50);
  await once(child, 'close');
  clearInterval(sampling);
  return { seconds: (performance.now() - since) / 1000, memory, ...JSON.parse(output) };
}
