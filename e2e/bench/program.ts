/** Starts the engine or a node to measure it: its calls, its memory, and whether it is idle. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod/mini';
import type { Network } from '../../shared/model/network.ts';
import { chainOfNetwork } from '../../shared/model/network.ts';
import { launchEngine } from '../app/engineProcess.ts';
import { freePort } from '../app/machine.ts';
import { builtEngine, type EngineRelease } from '../app/startEngine.ts';

export interface Program {
  readonly process: ChildProcess;
  readonly url: string;
  /** The path of the cookie file. */
  readonly cookie: string;
}

/** Calls a method without a time limit. Throws the program's error. */
export async function call(
  { url, cookie }: Program,
  method: string,
  params: unknown[] = [],
): Promise<unknown> {
  const authorization = `Basic ${readFileSync(cookie).toString('base64')}`;
  const sent = request(url, { method: 'POST', headers: { authorization } });
  sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const [response] = await once(sent, 'response');
  let body = '';
  for await (const part of response.setEncoding('utf8')) body += part;
  const { result, error } = JSON.parse(body);
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** The peak memory of the process so far, in MiB; null if the system does not report it. */
export function peakMemory(program: Pick<Program, 'process'>): number | null {
  return memoryOf(program, /^VmHWM:\s+(\d+) kB$/m);
}

/** The memory of the process now, in MiB; null if the system does not report it. */
export function memoryNow(program: Program): number | null {
  return memoryOf(program, /^VmRSS:\s+(\d+) kB$/m);
}

function memoryOf({ process: { pid } }: Pick<Program, 'process'>, line: RegExp): number | null {
  const kilobytes = line.exec(ofSystem(pid, 'status'))?.[1];
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024);
}

/**
 * Waits until the program is idle, including the work it does some seconds after its start, like a user who reads a page
 * first.
 */
export async function atRest(program: Program): Promise<void> {
  await pause(LEFT_ALONE_MS);
  let before = processorTime(program);
  for (let waited = 0; waited < MAX_WAIT_MS; waited += STEP_MS) {
    await pause(STEP_MS);
    const now = processorTime(program);
    if (before !== null && now !== null && now - before <= IDLE_TICKS && waited >= STEP_MS) return;
    before = now;
  }
}

/** Ends the program. */
export async function stop({ process: child }: Program): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

const LEFT_ALONE_MS = 6000;
const STEP_MS = 500;
const MAX_WAIT_MS = 20_000;
/** Hundredths of a second. */
const IDLE_TICKS = 1;

/** The processor time of all threads, in hundredths of a second; null if the system does not report it. */
export function processorTime({ process: { pid } }: Program): number | null {
  const fields = statFields(pid);
  const [user, system] = [fields[11], fields[12]];
  return user === undefined || system === undefined ? null : Number(user) + Number(system);
}

/** The fields after the program's name, which is in brackets and may contain anything. */
export function statFields(pid: number | undefined): string[] {
  return ofSystem(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];
}

/** What Linux tells of a process in a file of `/proc`; empty if it tells nothing. */
export function ofSystem(pid: number | undefined, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** Starts the engine on a new folder with one wallet named `old`, or none. `seconds` is the time until it is ready. */
export async function startEngine(
  folder: string,
  wallet: string | null,
  release: EngineRelease = 30,
  network: Network = 'regtest',
): Promise<Program & { seconds: number }> {
  const wallets = folderWith(folder, wallet, network);
  const startedAt = performance.now();
  const { child, url, cookieFile } = await launchEngine({
    program: builtEngine,
    wallets,
    release,
    chain: chainOfNetwork(network),
  });
  const seconds = (performance.now() - startedAt) / 1000;
  return { process: child, url, cookie: cookieFile, seconds };
}

/** Starts a node without a chain on a new folder with the same wallet. */
export async function startNode(
  bitcoind: string,
  folder: string,
  wallet: string,
  network: Network = 'regtest',
): Promise<Program> {
  folderWith(folder, wallet, network);
  const port = await freePort();
  const chain = chainOfNetwork(network);
  writeFileSync(
    join(dataFolder(folder), 'bitcoin.conf'),
    `chain=${chain}\nserver=1\n[${chain}]\nrpcport=${port}\nlisten=0\nconnect=0\n`,
  );
  const child = spawn(bitcoind, [`-datadir=${dataFolder(folder)}`, '-printtoconsole=0'], { stdio: 'ignore' });
  const cookie = join(dataFolder(folder), chainFolder(network), '.cookie');
  const node = { process: child, url: `http://127.0.0.1:${port}/`, cookie };
  while (child.exitCode === null) {
    const answered = existsSync(cookie) && (await call(node, 'getnetworkinfo').catch(() => null));
    if (answered) return node;
    await pause(50);
  }
  throw new Error(`bitcoind ended at once (${child.exitCode}).`);
}

function folderWith(folder: string, wallet: string | null, network: Network): string {
  const walletsFolder = join(dataFolder(folder), chainFolder(network), 'wallets');
  mkdirSync(walletsFolder, { recursive: true });
  if (wallet === null) return walletsFolder;
  mkdirSync(join(walletsFolder, 'old'));
  copyFileSync(wallet, join(walletsFolder, 'old', 'wallet.dat'));
  return walletsFolder;
}

/** The seconds and the peak memory, in MiB, of inspecting a wallet in a process of its own. */
export function inspectOnce(wallet: string): { seconds: number; mebibytes: number } {
  const script = fileURLToPath(new URL('inspectOnce.cjs', import.meta.url));
  const thread = fileURLToPath(new URL('../../out/main/walletThread.cjs', import.meta.url));
  const output = execFileSync(process.execPath, [script, thread, wallet], { encoding: 'utf8' });
  return inspection.parse(JSON.parse(output));
}

const inspection = z.object({ ok: z.literal(true), seconds: z.number(), mebibytes: z.number() });

/** How long the work takes. */
export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

/** Does work in a new folder, and removes that. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'ferry-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Not the folder itself: the engine's own is beside the one of the main chain. */
function dataFolder(folder: string): string {
  return join(folder, 'data');
}

/** Below the data folder. */
function chainFolder(network: Network): string {
  return network === 'main' ? '' : network;
}
