/** A real node of its own on regtest: the bitcoind that BITCOIND names, with the chain and wallets of the fixtures. */
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
  /** What it wrote to its standard error since it was last started. */
  readonly errorsFile: string;
  /** Calls a method at once, of the node or of one wallet; for what the app is not asked to do. */
  call(method: string, params?: unknown[], wallet?: string): Promise<unknown>;
  /** Puts a file where the node finds it as the wallet of that name. It is not loaded. */
  putWallet(name: string, file: string): void;
  stop(): Promise<void>;
  /** Ends it at once, as a loss of power does. */
  kill(): Promise<void>;
  /** Starts it again, with a new cookie. `more`: options for this start alone. Throws where it ends at once. */
  start(more?: readonly string[]): Promise<void>;
}

export interface RealNodeOptions {
  /** Of its command line, beside those for its folder. */
  readonly options?: readonly string[];
  /** `none`: a chain of its own with the first block alone. */
  readonly chain?: 'recorded' | 'none';
  /** Of its environment, beside that of this process. Asked at each start. */
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
    const given = [`-datadir=${dataFolder}`, '-printtoconsole=0', ...options, ...more];
    const errors = openSync(errorsFile, 'w');
    const child = spawn(program ?? '', given, {
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
