/** A node to test against: the recordings of one release over HTTP, with a data folder, wallets, a log and time. */

import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startLife } from './life.ts';
import { openNodeLog } from './nodeLog.ts';
import { createNodeState } from './nodeState.ts';
import { createNodeWallets } from './nodeWallets.ts';
import { asRecorded, type Obstacles, type RpcCall } from './recorded.ts';
import type { ReleaseName } from './recording.ts';
import { startRpcServer } from './rpcServer.ts';
import { defaultWallets, type Scenario } from './scenario.ts';
import { type FixtureName, fixtureFile } from './walletFixture.ts';

export type { ReleaseName } from './recording.ts';
export { releases } from './recording.ts';
export type { Scenario } from './scenario.ts';
export { type FixtureName, fixtureFile, fixturePassphrase } from './walletFixture.ts';

export interface TestNodeOptions {
  release: ReleaseName;
  /** The node's data folder, made where it is not there. */
  dataFolder: string;
  scenario?: Scenario;
}

export interface TestNode {
  readonly release: ReleaseName;
  readonly port: number;
  readonly url: string;
  readonly cookieFile: string;
  readonly logPath: string;
  readonly dataFolder: string;
  readonly walletsFolder: string;
  readonly backupsFolder: string;
  /** The password of the cookie at the moment. */
  readonly cookiePassword: () => string;
  /** Every call so far, the refused ones left out. */
  readonly calls: readonly RpcCall[];
  /** Methods that were asked for and never recorded: a spec that ends with one here proves nothing about them. */
  readonly unrecorded: readonly string[];
  readonly loaded: () => readonly string[];
  countCalls(method: string): number;
  /** Takes a wallet file of these bytes for the fixture: what a rescue makes of it was not recorded. */
  know(bytes: Uint8Array, like: FixtureName): void;
  /** The next `n` requests meet a full work queue. */
  setBusy(n: number): void;
  /** Refuses every call with this text, as a node that is starting, until it is called with null. */
  setStarting(text: string | null): void;
  /** Lets a rescan that stands still go on. */
  letGo(): void;
  /** Resolves once a call stands still. */
  standsStill(): Promise<void>;
  rotateLog(): void;
  truncateLog(): void;
  /** The log's file is removed, or a folder put in its place; the node goes on writing where nobody sees it. */
  loseLog(inItsPlace: 'nothing' | 'folder'): void;
  /** Cuts every connection and refuses new ones; what runs goes on. */
  cut(): Promise<void>;
  /** Listens again after `cut`. */
  mend(): Promise<void>;
  /** Ends the process at once: what runs stays as it is, the cookie file stays behind. */
  kill(): Promise<void>;
  /** Starts again on the same port, with a new cookie and the wallets of the startup list. */
  restart(): Promise<void>;
  /** An orderly end. */
  stop(): Promise<void>;
}

export async function startTestNode(options: TestNodeOptions): Promise<TestNode> {
  const { release, dataFolder, scenario = {} } = options;
  const chainFolder = join(dataFolder, 'regtest');
  // Where a node keeps its chain, by which its folder is known as one.
  mkdirSync(join(chainFolder, 'chainstate'), { recursive: true });
  const wallets = createNodeWallets(join(chainFolder, 'wallets'));
  const backupsFolder = writeBackups(dataFolder);
  const log = openNodeLog(join(chainFolder, 'debug.log'));
  const state = createNodeState({ release, scenario, dataFolder, chainFolder, wallets, log });
  for (const [name, fixture] of Object.entries(scenario.wallets ?? defaultWallets)) {
    wallets.place(name, fixtureFile(fixture));
  }
  for (let number = 1; number <= (scenario.manyWallets ?? 0); number += 1) {
    wallets.place(`wallet ${String(number).padStart(3, '0')}`, fixtureFile('descriptor-hd'));
  }
  wallets.loaded = [...(scenario.loaded ?? [])];

  const cookieFile = join(chainFolder, '.cookie');
  const obstacles: Obstacles = { busy: 0, starting: null };
  const calls: RpcCall[] = [];
  const unrecorded: string[] = [];
  const useCookie = !(scenario.login && scenario.loginInConf);
  let password = '';
  const behaviour = asRecorded({
    state,
    obstacles,
    logins: () => [
      ...(useCookie ? [`__cookie__:${password}`] : []),
      ...(scenario.login ? [`${scenario.login.user}:${scenario.login.password}`] : []),
    ],
    onCall: (call) => calls.push(call),
    onUnrecorded: (method) => unrecorded.push(method),
  });

  function makeCookie(): void {
    password = randomBytes(32).toString('hex');
    if (useCookie) writeFileSync(cookieFile, `__cookie__:${password}`, { mode: 0o600 });
  }

  makeCookie();
  const server = await startRpcServer(behaviour, 0, scenario.host);
  const { host, port } = server.address;
  writeConf(dataFolder, port, scenario);

  return {
    release,
    port,
    url: `http://${host}:${port}/`,
    cookieFile,
    logPath: log.path,
    dataFolder,
    walletsFolder: wallets.folder,
    backupsFolder,
    cookiePassword: () => password,
    calls,
    unrecorded,
    loaded: () => wallets.loaded,
    countCalls: (method) => calls.filter((call) => call.method === method).length,
    know: wallets.know,
    setBusy(n) {
      obstacles.busy = n;
    },
    setStarting(text) {
      obstacles.starting = text;
    },
    letGo: () => state.life.letGo(),
    standsStill: () => state.life.standsStill(),
    rotateLog: () => log.rotate(),
    truncateLog: () => log.truncate(),
    loseLog: (inItsPlace) => log.lose(inItsPlace),
    cut: server.close,
    mend: server.listen,
    async kill() {
      state.life.end();
      state.running.clear();
      await server.close();
    },
    async restart() {
      state.life.end();
      state.running.clear();
      await server.close();
      state.life = startLife();
      wallets.loaded = state.loadOnStartup().filter((name) => wallets.exists(name));
      makeCookie();
      await server.listen();
    },
    async stop() {
      state.life.end();
      await server.close();
      rmSync(cookieFile, { force: true });
    },
  };
}

/** Writes `bitcoin.conf` for a node on `port`, as its owner would for a node that is not on the usual one. */
function writeConf(dataFolder: string, port: number, { login, loginInConf }: Scenario): void {
  const lines = ['regtest=1', 'server=1'];
  if (login && loginInConf) lines.push(`rpcuser=${login.user}`, `rpcpassword=${login.password}`);
  lines.push('', '[regtest]', `rpcport=${port}`, '');
  writeFileSync(join(dataFolder, 'bitcoin.conf'), lines.join('\n'));
}

/** The files that the recordings restored from, in `<data folder>/backups`, and things that are no wallets. */
function writeBackups(dataFolder: string): string {
  const folder = join(dataFolder, 'backups');
  mkdirSync(folder, { recursive: true });
  const descriptor = fixtureFile('descriptor-hd');
  copyFileSync(descriptor, join(folder, 'descriptor.bak'));
  copyFileSync(fixtureFile('descriptor-encrypted'), join(folder, 'encrypted.bak'));
  copyFileSync(fixtureFile('legacy-hd'), join(folder, 'legacy.bak'));
  writeFileSync(join(folder, 'truncated.bak'), readFileSync(descriptor).subarray(0, 10_000));
  writeFileSync(join(folder, 'notes.txt'), 'The old wallet is on the blue stick.\n');
  writeFileSync(join(folder, 'picture.png'), PNG);
  writeFileSync(join(folder, 'empty.bak'), '');
  return folder;
}

/** One transparent pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
