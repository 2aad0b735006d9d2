/** Starts the bitcoind that BITCOIND names on regtest, with the chain and wallets of the fixtures. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../app/machine.ts';
import { type FixtureName, fixtureFile } from '../testNode/walletFixture.ts';

export interface RealNode {
  /** 310000 is release 31.0. */
  readonly version: number;
  readonly port: number;
  readonly dataFolder: string;
  readonly walletsFolder: string;
  readonly cookieFile: string;
  /** The file with its standard error since the last start. */
  readonly errorsFile: string;
  /** Calls a method of the node or of one wallet, past the app. Throws the node's error. */
  call(method: string, params?: unknown[], wallet?: string): Promise<unknown>;
  /** Copies a file to the wallets folder as the wallet of that name, without loading it. */
  putWallet(name: string, file: string): void;
  stop(): Promise<void>;
  /** Kills it at once. */
  kill(): Promise<void>;
  /** Restarts it, with a new cookie. `more`: options for this start only. Throws if it ends at once. */
  start(more?: readonly string[]): Promise<void>;
}

export interface RealNodeOptions {
  /** More options of its command line. */
  readonly options?: readonly string[];
  /** `none`: a chain with only the first block. */
  readonly chain?: 'recorded' | 'none';
  /** More environment variables, read at each start. */
  readonly env?: () => Readonly<Record<string, string>>;
}

export async function startRealNode(
  dataFolder: string,
  wallets: Readonly<Record<string, FixtureName>>,
  { options = [], chain = 'recorded', env = () => ({}) }: RealNodeOptions = {},
): Promise<RealNode> {
  const program = process.env.BITCOIND;
  if (!program) throw new Error('BITCOIND names no bitcoind.');
  const chainFolder = join(dataFolder, 'regtest');
  const walletsFolder = join(chainFolder, 'wallets');
  const cookieFile = join(chainFolder, '.cookie');
  const errorsFile = join(dataFolder, 'errors.txt');
  mkdirSync(walletsFolder, { recursive: true });
  const recorded = fileURLToPath(new URL('../fixtures/chain.tar.xz', import.meta.url));
  if (chain === 'recorded') execFileSync('tar', ['xJf', recorded, '-C', chainFolder]);
  function putWallet(name: string, file: string): void {
    mkdirSync(join(walletsFolder, name));
    copyFileSync(file, join(walletsFolder, name, 'wallet.dat'));
  }
  for (const [name, fixture] of Object.entries(wallets)) putWallet(name, fixtureFile(fixture));
  const port = await freePort();
  writeFileSync(
    join(dataFolder, 'bitcoin.conf'),
    `regtest=1\nserver=1\n[regtest]\nrpcport=${port}\nlisten=0\nconnect=0\n`,
  );

  let running: ChildProcess | null = null;

  async function call(method: string, params: unknown[] = [], wallet?: string): Promise<unknown> {
    const path = wallet === undefined ? '' : `wallet/${encodeURIComponent(wallet)}`;
    const response = await fetch(`http://127.0.0.1:${port}/${path}`, {
      method: 'POST',
      headers: { authorization: `Basic ${readFileSync(cookieFile).toString('base64')}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
    if (error) throw new Error(error.message);
    return result;
  }

  async function start(more: readonly string[] = []): Promise<void> {
    const args = [`-datadir=${dataFolder}`, '-printtoconsole=0', ...options, ...more];
    const errors = openSync(errorsFile, 'w');
    const child = spawn(program ?? '', args, {
      stdio: ['ignore', 'ignore', errors],
      env: { ...process.env, ...env() },
    });
    closeSync(errors);
    await once(child, 'spawn');
    running = child;
    while (child.exitCode === null) {
      const answered = existsSync(cookieFile) && (await call('getnetworkinfo').catch(() => null));
      if (answered) return;
      await pause(50);
    }
    throw new Error(`bitcoind ended at once (${child.exitCode}).`);
  }

  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (running === null || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    running.kill(signal);
    await ended;
  }

  await start();
  const { version } = (await call('getnetworkinfo')) as { version: number };
  return {
    version,
    port,
    dataFolder,
    walletsFolder,
    cookieFile,
    errorsFile,
    call,
    putWallet,
    start,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}
