/** Finds the nodes on this machine and how to log in to each: the usual data folders, their ports, and `bitcoin.conf`. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, normalize, posix, win32 } from 'node:path';
import { promisify } from 'node:util';
import { AppError, type ErrorCode } from '../../../shared/model/errors.ts';
import { type Network, networks } from '../../../shared/model/network.ts';
import {
  type FoundNode,
  isLoopback,
  isSameAddress,
  type NodeAddress,
  type NodeStatus,
} from '../../../shared/model/node.ts';
import { errorShapeOf } from '../../../shared/wording/findings/findingWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { isLocked, seesLocksOf } from '../../files/lock/fileInUse.ts';
import { existsAs } from '../../files/openFile.ts';
import { once } from '../../walletfile/bytes/once.ts';
import { guessWalletsFolder } from '../calls/proveWalletsFolder.ts';
import { readNodeStatus } from '../calls/status.ts';
import { createNodeClient } from '../rpc/client.ts';
import type { Credentials, NodeLogin } from '../rpc/credentials.ts';
import { notANodeError } from '../rpc/rpcErrors.ts';
import { type BitcoinConf, readBitcoinConf } from './bitcoinConf.ts';

export type Discovery = ReturnType<typeof createDiscovery>;

interface DiscoveryOptions {
  /** Data folders to search. Default: those of this system. */
  readonly dataFolders?: readonly string[];
  /** Ports to try if no configuration names one. Default: those of the networks. */
  readonly rpcPorts?: RpcPorts;
  /** Milliseconds for each call to a node. Default 4,000. */
  readonly timeoutMs?: number;
}

export function createDiscovery(options: DiscoveryOptions = {}) {
  const { timeoutMs = 4000, rpcPorts = defaultRpcPorts } = options;
  const find = async () => findCandidates(options.dataFolders ?? (await ownDataFolders()), rpcPorts);
  /** Of nodes that did not run when the app looked. */
  const stoppedFolders = new Set<string>();
  /** What a search found, by its id. `status`: if the node was ready in the last one. */
  const known = new Map<string, { candidate: NodeCandidate; status: NodeStatus | undefined }>();
  const look = async (candidate: NodeCandidate) => {
    const { id } = candidate;
    const node = await explainSilence(await probe(candidate, timeoutMs, known.get(id)?.status), candidate);
    known.set(id, { candidate, status: node.state.state === 'ready' ? node.state.node : undefined });
    return node;
  };

  return {
    /**
     * Searches again and asks every candidate at once, with a short timeout. Never throws for a node that does not
     * answer. Does not send a password of `bitcoin.conf`. Sends a cookie only to a server that asks for a login as a
     * node does and owns the cookie.
     */
    async discover(): Promise<FoundNode[]> {
      const found = await find();
      const nodes = await Promise.all(found.map(look));
      for (const { state } of nodes)
        if (state.state === 'failed' && state.walletsFolder) stoppedFolders.add(state.walletsFolder);
      return nodes.filter((node, index) => isWorthShowing(node, found[index]?.expected ?? false, nodes));
    },
    /** The wallets folders of nodes that `discover` found stopped. */
    stoppedFolders: () => [...stoppedFolders],
    /** How to reach a node by the id from `discover`. Throws AppError `bad_input` if it is gone. */
    async loginOf(id: string): Promise<NodeLogin> {
      const before = known.get(id);
      // Its cookie and bitcoin.conf may have changed since `discover`.
      const now = before ? await candidatesIn(dirname(before.candidate.confFile), rpcPorts) : [];
      const isIt = (each: NodeCandidate) => each.id === id;
      const candidate = now.find(isIt) ?? (await find()).find(isIt);
      if (candidate === undefined)
        throw new AppError('bad_input', say('No longer found.'), say('Search again, or connect by hand.'));
      const { address, login, dataFolder, network } = candidate;
      const folder = chainFolder(dataFolder, network);
      return { label: LABEL, address, credentials: login, chainFolder: folder, status: before?.status };
    },
  };
}

async function probe(
  candidate: NodeCandidate,
  timeoutMs: number,
  previous: NodeStatus | undefined,
): Promise<FoundNode> {
  const { id, dataFolder, network, address, login, partlyRead } = candidate;
  const limits = { address, timeoutMs, connectTimeoutMs: timeoutMs, retryPausesMs: [] };
  const credentials = login.by === 'password' ? 'config' : login.by;
  const partly = partlyRead ? { partlyRead } : {};
  const found = { id, dataFolder, network, address, credentials, ...partly } as const;
  // Another program on the port would receive the login, so it must first ask for one as a node does.
  const anonymous = createNodeClient({ ...limits, credentials: { by: 'none' } });
  const client = createNodeClient({ ...limits, credentials: login });
  try {
    const refusal = await anonymous.call('uptime').then(
      () => notANodeError(address, say('no login needed')),
      (thrown: unknown) => thrown,
    );
    const isAsked = refusal instanceof AppError && refusal.code === 'credentials_missing';
    if (!isAsked || login.by === 'none') throw refusal;
    // A cookie is valid for one run of the node. A password is permanent, so it is sent only when the user connects.
    if (login.by === 'password') return { ...found, state: { state: 'asks-login' } };
    const node = await readNodeStatus(client, { local: true, label: LABEL, previous });
    return { ...found, state: { state: 'ready', node } };
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'starting_up') {
      return { ...found, state: { state: 'starting', message: thrown.node?.message ?? thrown.message } };
    }
    return { ...found, state: { state: 'failed', error: errorShapeOf(thrown) } };
  } finally {
    await Promise.all([anonymous.close(), client.close()]);
  }
}

/**
 * Says why nobody answers for a data folder with a chain: a running node holds its lock. Without `-server`, as Bitcoin-Qt runs by
 * default, it writes no cookie, nor with `rpcauth`; with one, it listens at another port.
 */
async function explainSilence(node: FoundNode, candidate: NodeCandidate): Promise<FoundNode> {
  const { dataFolder, network, confFile: file, login } = candidate;
  const chainPath = chainFolder(dataFolder, network);
  const isSilent = node.state.state === 'failed' && node.state.error.code === 'cannot_connect';
  if (!isSilent || !(await existsAs(join(chainPath, 'blocks'), 'folder'))) return node;
  const failed = (code: ErrorCode, message: string, hint: string) =>
    ({ state: 'failed', error: { code, message, hint } }) as const;
  if (isLocked(join(chainPath, '.lock'))) {
    const hint = say('Restart it with server=1 in {file}, or connect by hand.', { file });
    return login.by === 'none'
      ? { ...node, state: failed('not_available_here', WITHOUT_SERVER, hint) }
      : node;
  }
  // A node in a virtual machine or on another computer may use the folder.
  if (!seesLocksOf(chainPath)) return node;
  const folders = await likelyWalletsFolders(chainPath, network);
  const exist = await Promise.all(folders.map((folder) => existsAs(folder, 'folder')));
  const state = failed('cannot_connect', NOT_RUNNING, say('Start it, or work without a node.'));
  return { ...node, state: { ...state, walletsFolder: folders[exist.indexOf(true)] ?? chainPath } };
}

const WITHOUT_SERVER = say('Bitcoin Core is running, but doesn’t answer RPC.');
const NOT_RUNNING = say('Bitcoin Core is not running.');

/**
 * A data folder alone is no evidence of a node. Without a cookie or a configuration it counts only if a node answers that does not
 * belong to another data folder on the same port, or if its lock shows what is wrong: of the stopped nodes of a data folder the first,
 * if none there runs.
 */
function isWorthShowing(node: FoundNode, expected: boolean, all: readonly FoundNode[]): boolean {
  if (expected || node.state.state !== 'failed') return true;
  const { error, walletsFolder } = node.state;
  if (walletsFolder) {
    const siblings = all.filter(({ dataFolder }) => dataFolder === node.dataFolder);
    if (siblings.some(({ state }) => state.state !== 'failed')) return false;
    return siblings.find(({ state }) => state.state === 'failed' && state.walletsFolder) === node;
  }
  if (error.code === 'not_available_here') return true;
  if (error.code !== 'credentials_missing') return false;
  return !all.some((other) => other.state.state !== 'failed' && isSameAddress(other.address, node.address));
}

/** The page shows the network next to it. */
const LABEL = say('This computer');

/** The data folders on this system for this user, the likeliest first; they need not exist. */
export async function ownDataFolders(): Promise<string[]> {
  const chosen = await chosenInQt();
  return [...new Set([...(chosen === null ? [] : [chosen]), ...defaultDataFolders(thisSystem())])];
}

/** Looked up once: on Windows and macOS it starts a program, and the app looks for nodes every few seconds. */
const chosenInQt = once(() => dataFolderOfQt(thisSystem()));

function thisSystem(): Surroundings {
  return { platform: process.platform, env: process.env, home: homedir() };
}

interface NodeCandidate {
  /** Stable for a data folder and network. */
  readonly id: string;
  readonly dataFolder: string;
  readonly network: Network;
  /** Always a loopback address: a cookie never goes to another host. */
  readonly address: NodeAddress;
  readonly login: Credentials;
  readonly confFile: string;
  /** Whether a cookie or `bitcoin.conf` indicates a node, so that no answer is worth showing. */
  readonly expected: boolean;
  /** Whether that `bitcoin.conf` was read only in part. */
  readonly partlyRead: boolean;
}

/** Every network of every data folder that has a folder, a cookie or settings in `bitcoin.conf`. */
async function findCandidates(dataFolders: readonly string[], rpcPorts: RpcPorts): Promise<NodeCandidate[]> {
  const perFolder = await Promise.all(dataFolders.map((folder) => candidatesIn(folder, rpcPorts)));
  const byId = new Map<string, NodeCandidate>();
  // The bitcoin.conf of another folder may name an earlier data folder; the first candidate wins.
  for (const candidate of perFolder.flat()) if (!byId.has(candidate.id)) byId.set(candidate.id, candidate);
  return [...byId.values()];
}

async function candidatesIn(folder: string, rpcPorts: RpcPorts): Promise<NodeCandidate[]> {
  if (!(await existsAs(folder, 'folder'))) return [];
  const conf = await readBitcoinConf(folder);
  const candidates = await Promise.all(
    networks.map((network) => candidateFor(folder, conf, network, rpcPorts[network])),
  );
  return candidates.filter((candidate) => candidate !== null);
}

async function candidateFor(
  folder: string,
  conf: BitcoinConf | null,
  network: Network,
  rpcPort: number,
): Promise<NodeCandidate | null> {
  const otherFolder = conf?.value(network, 'datadir');
  const dataFolder = normalize(otherFolder && isAbsolute(otherFolder) ? otherFolder : folder);
  const chainPath = chainFolder(dataFolder, network);
  const cookieFile = cookiePath(conf, network, chainPath);
  const hasCookie = cookieFile !== null && (await existsAs(cookieFile, 'file'));
  const named = conf?.mentions(network) ?? false;
  if (!hasCookie && !named && !(await existsAs(chainPath, 'folder'))) return null;
  return {
    id: createHash('sha256').update(`${network}\n${dataFolder}`).digest('hex').slice(0, 32),
    dataFolder,
    network,
    address: endpointOf(conf, network, rpcPort),
    login: passwordOf(conf, network) ?? (hasCookie ? { by: 'cookie', cookieFile } : { by: 'none' }),
    confFile: join(folder, 'bitcoin.conf'),
    expected: hasCookie || named,
    partlyRead: conf?.partly ?? false,
  };
}

/** A node with a password writes no cookie: `InitRPCAuthentication` of `src/httprpc.cpp`. */
function passwordOf(conf: BitcoinConf | null, network: Network): Credentials | null {
  const password = conf?.value(network, 'rpcpassword');
  if (!conf || !password) return null;
  // Not the owners of the folders that it names, which may be other users.
  return { by: 'password', user: conf.value(network, 'rpcuser') ?? '', password, owners: [conf.owner] };
}

/** Null if `norpccookiefile=1` disables the cookie. A relative path starts at the chain folder. */
function cookiePath(conf: BitcoinConf | null, network: Network, chainPath: string): string | null {
  const set = conf?.value(network, 'rpccookiefile');
  if (set === null) return null;
  const file = set || '.cookie';
  return isAbsolute(file) ? file : join(chainPath, file);
}

/** The node's loopback address. `rpcbind` counts only with `rpcallowip`: `HTTPBindAddresses` of `src/httpserver.cpp`. */
function endpointOf(conf: BitcoinConf | null, network: Network, rpcPort: number): NodeAddress {
  const port = portOf(conf?.value(network, 'rpcport')) ?? rpcPort;
  const bound = conf?.values(network, 'rpcallowip').length ? conf.values(network, 'rpcbind') : [];
  for (const each of bound) {
    const { host, port: ownPort } = splitHostPort(each);
    const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
    if (isLoopback(reached)) return { host: reached, port: ownPort ?? port, tls: false };
  }
  return { host: '127.0.0.1', port, tls: false };
}

function splitHostPort(text: string): { host: string; port: number | undefined } {
  const bracketed = /^\[(.*)\](?::(\d+))?$/.exec(text) ?? /^([^:]*)(?::(\d+))?$/.exec(text);
  return { host: bracketed?.[1] ?? text, port: portOf(bracketed?.[2]) };
}

function portOf(text: string | null | undefined): number | undefined {
  const port = Number.parseInt(text ?? '', 10);
  return port >= 1 && port <= 65535 ? port : undefined;
}

interface Surroundings {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/**
 * Default data folders of a system, the likeliest first; they need not exist. `GetDefaultDataDir` of
 * `src/common/args.cpp`, and on Linux also those of the snap package and of the service file in `contrib/init`.
 */
export function defaultDataFolders({ platform, env, home }: Surroundings): string[] {
  if (platform === 'win32') {
    // The node uses Roaming if it exists, and Local for a new folder.
    const roaming = env.APPDATA || win32.join(home, 'AppData', 'Roaming');
    const local = env.LOCALAPPDATA || win32.join(home, 'AppData', 'Local');
    return [win32.join(roaming, 'Bitcoin'), win32.join(local, 'Bitcoin')];
  }
  if (platform === 'darwin') return [posix.join(home, 'Library', 'Application Support', 'Bitcoin')];
  return [
    posix.join(home, '.bitcoin'),
    posix.join(home, 'snap', 'bitcoin-core', 'common', '.bitcoin'),
    '/var/lib/bitcoind',
  ];
}

/**
 * The data folder that the user chose when Bitcoin-Qt first started; null if there is none (`Intro` of `src/qt/intro.cpp`). Qt keeps it
 * as its `QSettings` does: in a file on Linux, where other characters than ASCII may be escaped, else with the system's settings.
 */
export async function dataFolderOfQt(
  { platform, env, home }: Surroundings,
  run = async (program: string, args: readonly string[]) =>
    (await promisify(execFile)(program, args, { windowsHide: true, timeout: 4000 })).stdout,
): Promise<string | null> {
  const read = async () => {
    if (platform === 'win32') {
      const key = ['HKCU\\Software\\Bitcoin\\Bitcoin-Qt', '/v', 'strDataDir'];
      // By its path: Windows looks for a program in the current folder first.
      const reg = win32.join(env.SystemRoot || 'C:\\Windows', 'System32', 'reg.exe');
      const found = /strDataDir +REG_SZ +(.+)/.exec(await run(reg, ['query', ...key]))?.[1];
      // It writes in the code page of the console, in which other characters than ASCII are not UTF-8.
      return found?.includes('\ufffd') ? null : found;
    }
    if (platform === 'darwin')
      return run('/usr/bin/defaults', ['read', 'org.bitcoin.Bitcoin-Qt', 'strDataDir']);
    const settings = env.XDG_CONFIG_HOME || posix.join(home, '.config');
    const text = await readFile(posix.join(settings, 'Bitcoin', 'Bitcoin-Qt.conf'), 'utf8');
    return /^strDataDir="?(.*?)"?$/m
      .exec(text)?.[1]
      ?.replace(/\\x([0-9a-f]{1,4})|\\(.)/gi, (_, code, char) =>
        code ? String.fromCharCode(Number.parseInt(code, 16)) : char,
      );
  };
  const folder = (await read().catch(() => null))?.trim();
  return folder && (platform === 'win32' ? win32 : posix).isAbsolute(folder) ? folder : null;
}

/** `src/chainparamsbase.cpp`. */
export function chainFolder(dataFolder: string, network: Network): string {
  return join(dataFolder, network === 'main' ? '' : network);
}

/** Where a node with this chain folder may keep its wallets: in the folder that `bitcoin.conf` names, or in the default one. */
export async function likelyWalletsFolders(chainPath: string, network: Network): Promise<string[]> {
  const dataFolder = network === 'main' ? chainPath : dirname(chainPath);
  const named = (await readBitcoinConf(dataFolder))?.value(network, 'walletdir');
  return [...(named && isAbsolute(named) ? [named] : []), await guessWalletsFolder(chainPath)];
}

export type RpcPorts = Readonly<Record<Network, number>>;

/** `src/chainparamsbase.cpp`. */
export const defaultRpcPorts: RpcPorts = {
  main: 8332,
  testnet3: 18332,
  testnet4: 48332,
  signet: 38332,
  regtest: 18443,
};
