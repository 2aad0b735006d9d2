/** A test node: it answers over HTTP from the recordings of one release, with its own data folder, wallets, log and clock. */

import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startLife } from './life.ts';
import { openNodeLog } from './nodeLog.ts';
import { createNodeState } from './nodeState.ts';
import { createNodeWallets } from './nodeWallets.ts';
import { answerFromRecording, type Obstacles, type RpcCall } from './recorded.ts';
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
  /** The node's data folder. Created if missing. */
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
  /** The password in the current cookie. */
  readonly cookiePassword: () => string;
  /** Every call so far, except refused ones. */
  readonly calls: readonly RpcCall[];
  /** Methods that were called but never recorded. A spec that calls one proves nothing, so `app.ts` fails it. */
  readonly unrecorded: readonly string[];
  readonly loaded: () => readonly string[];
  countCalls(method: string): number;
  /** Treats a wallet file with these bytes as the fixture. For repaired files, of which no node was recorded. */
  treatAs(bytes: Uint8Array, fixture: FixtureName): void;
  /** Refuses every call with this text, like a node that is still starting, until called with null. */
  setStarting(text: string | null): void;
  /** Resumes a call that `hold` or `holdAt` paused. */
  resume(): void;
  /** Resolves once a call is paused. */
  untilPaused(): Promise<void>;
  rotateLog(): void;
  truncateLog(): void;
  /** Removes the log file, and may put a folder in its place. The node goes on writing to the file nobody can see. */
  loseLog(replacement: 'nothing' | 'folder'): void;
  /** Cuts every connection and refuses new ones. Running calls go on. */
  cut(): Promise<void>;
  /** Ends the node at once, as SIGKILL does: running calls never finish, and the cookie file stays. */
  kill(): Promise<void>;
  /** Restarts on the same port, with a new cookie and the wallets of the startup list. */
  restart(): Promise<void>;
  /** Ends the node in order, and removes the cookie file. */
  stop(): Promise<void>;
}

export async function startTestNode(options: TestNodeOptions): Promise<TestNode> {
  const { release, dataFolder, scenario = {} } = options;
  const chainFolder = join(dataFolder, 'regtest');
  // The app recognises a node's data folder by its chainstate.
  mkdirSync(join(chainFolder, 'chainstate'), { recursive: true });
  const wallets = createNodeWallets(join(chainFolder, 'wallets'));
  const backupsFolder = writeBackups(dataFolder);
  const log = openNodeLog(join(chainFolder, 'debug.log'));
  const state = createNodeState({ release, scenario, dataFolder, chainFolder, wallets, log });
  for (const [name, fixture] of Object.entries(scenario.wallets ?? defaultWallets)) {
    wallets.place(name, fixtureFile(fixture));
  }
  const many = Array.from(
    { length: scenario.manyWallets ?? 0 },
    (_, index) => `wallet ${String(index + 1).padStart(3, '0')}`,
  );
  for (const name of many) wallets.place(name, fixtureFile('descriptor-hd'));
  wallets.loaded = [...(scenario.loaded ?? []), ...(scenario.manyLoaded ? many : [])];

  const cookieFile = join(chainFolder, '.cookie');
  const obstacles: Obstacles = { starting: null };
  const calls: RpcCall[] = [];
  const unrecorded: string[] = [];
  let password = '';
  const behaviour = answerFromRecording({
    state,
    obstacles,
    logins: () => [
      `__cookie__:${password}`,
      ...(scenario.login ? [`${scenario.login.user}:${scenario.login.password}`] : []),
    ],
    onCall: (call) => calls.push(call),
    onUnrecorded: (method) => unrecorded.push(method),
  });

  function writeCookie(): void {
    password = randomBytes(32).toString('hex');
    writeFileSync(cookieFile, `__cookie__:${password}`, { mode: 0o600 });
  }

  writeCookie();
  const server = await startRpcServer(behaviour, 0, scenario.host);
  const { host, port } = server.address;
  writeConf(dataFolder, port);

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
    treatAs: wallets.treatAs,
    setStarting(text) {
      obstacles.starting = text;
    },
    resume: () => state.life.resume(),
    untilPaused: () => state.life.untilPaused(),
    rotateLog: () => log.rotate(),
    truncateLog: () => log.truncate(),
    loseLog: (replacement) => log.lose(replacement),
    cut: server.close,
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
      writeCookie();
      await server.listen();
    },
    async stop() {
      state.life.end();
      await server.close();
      rmSync(cookieFile, { force: true });
    },
  };
}

/** Writes the `bitcoin.conf` of a node that does not use the default port. */
function writeConf(dataFolder: string, port: number): void {
  const lines = ['regtest=1', 'server=1', '', '[regtest]', `rpcport=${port}`, ''];
  writeFileSync(join(dataFolder, 'bitcoin.conf'), lines.join('\n'));
}

/** Writes the backups that the recordings restored from, and some files that are no wallets, to `<data folder>/backups`. */
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
