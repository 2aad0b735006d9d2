/** Starts what is compared: the offline engine as it is built, and the bitcoind that BITCOIND names. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../app/freePort.ts';
import { call, type Program } from './program.ts';

/**
 * On a new folder, with one wallet named `old` or none, as of a release. `seconds` is the time until it said that it is
 * ready.
 */
export async function startEngine(
  folder: string,
  wallet: string | null,
  release = 30,
): Promise<Program & { seconds: number }> {
  const walletsFolder = folderWith(folder, wallet);
  const engine = fileURLToPath(new URL('../../out/main/engine.cjs', import.meta.url));
  const begun = performance.now();
  const options = ['--wallets', walletsFolder, '--chain', 'regtest', '--release', String(release)];
  options.push('--state', join(folder, 'state'));
  const child = spawn(process.execPath, [engine, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const seconds = (performance.now() - begun) / 1000;
  const { url, cookie } = JSON.parse(String(line));
  return { process: child, url, cookie, walletsFolder, seconds };
}

/** A node without a chain on a new folder with the same wallet. */
export async function startNode(bitcoind: string, folder: string, wallet: string): Promise<Program> {
  const walletsFolder = folderWith(folder, wallet);
  const port = await freePort();
  writeFileSync(
    join(folder, 'bitcoin.conf'),
    `regtest=1\nserver=1\n[regtest]\nrpcport=${port}\nlisten=0\nconnect=0\n`,
  );
  const child = spawn(bitcoind, [`-datadir=${folder}`, '-printtoconsole=0'], { stdio: 'ignore' });
  const cookie = join(folder, 'regtest', '.cookie');
  const node = { process: child, url: `http://127.0.0.1:${port}/`, cookie, walletsFolder };
  while (child.exitCode === null) {
    const answered = existsSync(cookie) && (await call(node, 'getnetworkinfo').catch(() => null));
    if (answered) return node;
    await pause(50);
  }
  throw new Error(`bitcoind ended at once (${child.exitCode}).`);
}

function folderWith(folder: string, wallet: string | null): string {
  const walletsFolder = join(folder, 'regtest', 'wallets');
  mkdirSync(walletsFolder, { recursive: true });
  if (wallet === null) return walletsFolder;
  mkdirSync(join(walletsFolder, 'old'));
  copyFileSync(wallet, join(walletsFolder, 'old', 'wallet.dat'));
  return walletsFolder;
}
