/** An engine on copies of the recorded wallets, for tests. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { walletPath } from '../../walletfile/testing/wallets.ts';
import { type EngineOptions, type RunningEngine, startEngine } from '../startEngine.ts';
import { workHere } from './workHere.ts';

export interface TestEngine {
  readonly engine: RunningEngine;
  /** The folder that holds the network's folder. */
  readonly dataFolder: string;
  readonly walletsFolder: string;
  /** Sends this body. `credentials`: null for none. */
  post(path: string, body: string, credentials?: string | null): Promise<TestReply>;
  /** Calls a method in JSON-RPC 1.0, which all releases support and which has both fields. */
  call(method: string, params?: unknown, path?: string): Promise<RpcAnswer>;
  log(): string;
}

export interface TestReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

interface RpcAnswer {
  readonly result: unknown;
  readonly error: { readonly code: number; readonly message: string } | null;
}

export type TestOptions = Partial<EngineOptions> & {
  /** Recorded wallets for the folder: their names there, and the names of the recordings. */
  readonly copies?: Readonly<Record<string, string>>;
};

/** A new data folder with nothing in it. */
export function makeDataFolder(): string {
  return realpathSync.native(mkdtempSync(join(tmpdir(), 'engine-')));
}

/** Copies a recorded wallet to `<folder>/<name>/wallet.dat`. */
export function putWallet(folder: string, name: string, recording: string): string {
  const file = join(folder, name, 'wallet.dat');
  mkdirSync(dirname(file), { recursive: true });
  cpSync(walletPath(recording), file);
  return file;
}

/** Starts an engine that stops when the current test ends. */
export async function engineForTest(
  options: TestOptions = {},
  dataFolder = makeTestFolder(),
): Promise<TestEngine> {
  const test = await startTestEngine(dataFolder, options);
  onTestFinished(() => test.engine.stop());
  return test;
}

/** Starts an engine on `<dataFolder>/regtest/wallets`. */
export async function startTestEngine(
  dataFolder: string,
  { copies = {}, ...options }: TestOptions = {},
): Promise<TestEngine> {
  const walletsFolder = join(dataFolder, 'regtest', 'wallets');
  for (const [name, recording] of Object.entries(copies)) putWallet(walletsFolder, name, recording);
  const engine = await startEngine({
    wallets: walletsFolder,
    chain: 'regtest',
    release: 30,
    host: '127.0.0.1',
    port: 0,
    cookie: null,
    login: null,
    state: join(dataFolder, 'state'),
    walletWarningField: false,
    work: workHere(),
    ...options,
  });
  const cookie = readFileSync(engine.cookie, 'utf8');
  const post = async (path: string, body: string, credentials: string | null = cookie) => {
    const authorization = `Basic ${Buffer.from(credentials ?? '').toString('base64')}`;
    const headers = credentials === null ? {} : { authorization };
    const response = await fetch(`${engine.url}${path}`, { method: 'POST', headers, body });
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  const call = async (method: string, params: unknown = [], path = '/') => {
    const { body } = await post(path, JSON.stringify({ jsonrpc: '1.0', id: 1, method, params }));
    return JSON.parse(body);
  };
  const log = () => readFileSync(join(dataFolder, 'regtest', 'debug.log'), 'utf8');
  return { engine, dataFolder, walletsFolder, post, call, log };
}
