/**
 * Chooses a command's node and connects to it: the named node or folder; else the only running node on the wallet's
 * network, which its file shows. Waits until it is ready.
 */
import { readdir, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Login, NodeTarget, Output } from '../../shared/contract.ts';
import { AppError } from '../../shared/model/errors.ts';
import { FileError } from '../../shared/model/findings/fileError.ts';
import { passphraseNeed } from '../../shared/model/inspection.ts';
import { networkOfFolder } from '../../shared/model/job.ts';
import { shellQuoted } from '../../shared/model/names/visibleText.ts';
import { chainNames, chainOfNetwork, type Network } from '../../shared/model/network.ts';
import {
  authorityOf,
  type Connection,
  type FoundNode,
  isSameAddress,
  mayConnect,
  type NodeStatus,
} from '../../shared/model/node.ts';
import { anyNetwork, networkName } from '../../shared/wording/format/names.ts';
import { oneOf } from '../../shared/wording/format/perRegion.ts';
import { say } from '../../shared/wording/say.ts';
import { walletFilePath } from '../bitcoind/calls/walletsFolder.ts';
import { existsAs, realPath } from '../files/openFile.ts';
import type { Client, CommandDeps } from './client.ts';
import { type NodeChoice, UsageError } from './commandLine.ts';
import { readSecret, type Terminal } from './terminal.ts';
import { IS_WINDOWS } from './usage.ts';

/**
 * `networksOf`: finds the networks of the command's wallet. Throws AppError for an unreachable node, and UsageError if the
 * node is ambiguous or its password is missing.
 */
export async function connect(
  choice: NodeChoice,
  networksOf: () => Promise<NetworksFound>,
  { client, terminal }: Pick<CommandDeps, 'client' | 'terminal'>,
): Promise<NodeStatus> {
  const chosen = await chooseNode(choice, networksOf, client);
  if (chosen.by === 'offline') {
    const { walletsFolder, network } = chosen;
    return waitUntilConnected(client, terminal, () => client.ask('engine.start', { walletsFolder, network }));
  }
  if (chosen.by === 'found') terminal.err([nodeText(chosen.node)]);
  const target: NodeTarget =
    chosen.by === 'found'
      ? { by: 'found', id: chosen.node.id }
      : { by: 'hand', address: chosen.address, login: await loginOf(chosen.login, terminal) };
  return waitUntilConnected(client, terminal, () => client.ask('nodes.connect', target));
}

async function loginOf(
  login: Extract<NodeChoice, { by: 'node' }>['login'],
  terminal: Terminal,
): Promise<Login> {
  if (login.by === 'cookie') return login;
  const { user, fd } = login;
  const password =
    fd === null ? await terminal.secret(say('Node password:')) : await readSecret(fd, terminal.stdin);
  if (password === null) throw new UsageError(say('Add --password-fd N.'));
  return { by: 'password', user, password, save: false };
}

/** Waits while the node is starting. */
async function waitUntilConnected(
  client: Client,
  terminal: Terminal,
  begin: () => Promise<Connection>,
): Promise<NodeStatus> {
  let leave = () => {};
  const later = new Promise<NodeStatus>((resolve, reject) => {
    leave = client.on('connection', (connection) => {
      if (connection.state === 'starting') terminal.progress(connection.message, connection.message);
      if (connection.state === 'connected') resolve(connection.node);
      if (connection.state === 'lost') reject(AppError.fromShape(connection.error));
    });
  });
  // The connection may fail before the answer arrives.
  later.catch(() => {});
  try {
    const reached = await begin();
    return reached.state === 'connected' ? reached.node : await later;
  } finally {
    leave();
    terminal.progress(null, null);
  }
}

type ChoiceBy<B extends NodeChoice['by']> = Extract<NodeChoice, { by: B }>;

type ChosenNode =
  | ChoiceBy<'node'>
  | (Omit<ChoiceBy<'offline'>, 'network'> & { readonly network: Network })
  | { readonly by: 'found'; readonly node: FoundNode };

/**
 * `networksOf`: finds the networks of the command's wallet, called only if the command line names no network. Throws
 * UsageError with the choices unless exactly one node fits.
 */
export async function chooseNode(
  choice: NodeChoice,
  networksOf: () => Promise<NetworksFound>,
  client: Pick<Client, 'ask'>,
): Promise<ChosenNode> {
  if (choice.by === 'node') return choice;
  const networks = choice.network === undefined ? await networksOf() : [choice.network];
  if (choice.by === 'offline') return { ...choice, network: onlyNetwork(networks) };
  const { nodes } = await client.ask('nodes.discover', {});
  return { by: 'found', node: onlyNode(nodes, choice.address, networks) };
}

/** The network of the offline engine. Without a wallet any network does, because commands can only list there. */
function onlyNetwork(networks: NetworksFound): Network {
  if (networks === 'no-wallet') return 'main';
  const [only, ...others] = networks ?? [];
  if (only !== undefined && others.length === 0) return only;
  const chains = networks === null ? chainNames : networks.map(chainOfNetwork);
  const options = oneOf(chains.map((chain) => `--chain ${chain}`));
  throw new UsageError(say('Unknown network. Add {options}.', { options }));
}

function onlyNode(
  found: readonly FoundNode[],
  address: ChoiceBy<'running'>['address'],
  networks: NetworksFound,
): FoundNode {
  const running = found.filter(isRunning);
  if (address !== null) {
    const named = running.find((node) => isSameAddress(node.address, address));
    if (named !== undefined && named.credentials !== 'none') return named;
    throw new UsageError(say('--node needs --cookie FILE or --user NAME.'));
  }
  if (running.length === 0)
    throw new UsageError(
      say('No node found on this computer. Add {options}.', { options: OTHER_PLACES }),
      adviceLines(found),
    );
  const wanted = networks === null || networks === 'no-wallet' ? null : networks;
  const fitting = running.filter(({ network }) => wanted?.includes(network) ?? true);
  const [only, ...others] = fitting;
  if (only === undefined)
    throw new UsageError(
      say('No node found on {networks}. Add {options}.', {
        networks: anyNetwork(wanted ?? []),
        options: OTHER_PLACES,
      }),
      [...running.map(nodeText), ...adviceLines(found)],
    );
  if (others.length > 0) throw new UsageError(say('Several nodes run. Add one:'), fitting.map(optionFor));
  if (only.credentials === 'none') throw new UsageError(say('The node needs a login.'), [optionFor(only)]);
  return only;
}

/** Whether the node runs, even if it needs a login that the app does not have. */
function isRunning(node: FoundNode): boolean {
  if (mayConnect(node)) return true;
  return node.state.state === 'failed' && node.state.error.code === 'credentials_missing';
}

const OTHER_PLACES = oneOf(['--node URL --cookie FILE', '--node URL --user NAME', '--offline DIR']);

/** `--node http://127.0.0.1:8332 (Main network)`. */
function optionFor(node: FoundNode): string {
  const login = node.credentials === 'none' ? ' --user NAME' : '';
  return `--node ${urlOf(node)}${login}  (${networkName(node.network)})`;
}

/**
 * What to do about nodes that do not answer, each sentence once. Warns of a bitcoin.conf that was only partly read: its node may
 * listen elsewhere.
 */
export function adviceLines(nodes: readonly FoundNode[]): string[] {
  const lines = nodes.flatMap(({ state, partlyRead, dataFolder: folder }) => {
    const { error, walletsFolder = null } = state.state === 'failed' ? state : {};
    return [
      ...(error?.hint ? [`${error.message} ${error.hint}`] : []),
      ...(walletsFolder === null ? [] : [`--offline ${shellQuoted(walletsFolder, IS_WINDOWS, 'DIR')}`]),
      ...(partlyRead ? [say('bitcoin.conf in {folder}: only partly read.', { folder })] : []),
    ];
  });
  return [...new Set(lines)];
}

/** Describes the node in a sentence. */
function nodeText(node: FoundNode): string {
  return say('Node: {url}, {network}.', { url: urlOf(node), network: networkName(node.network) });
}

const urlOf = ({ address }: FoundNode) => `http://${authorityOf(address)}`;

/** The possible networks; null if unknown. `no-wallet`: there is no wallet. */
export type NetworksFound = readonly Network[] | null | 'no-wallet';

/** The networks of a wallet file in any state. `no-wallet` for another coin's or another file: the plan says what it is. */
export async function networksOfFile(client: Client, path: string): Promise<NetworksFound> {
  return networksIn(
    (await inspectedFile(client, path)) ?? (await inspectedFile(client, path, { rescue: true })),
  );
}

function networksIn(inspected: Output<'wallet.inspect'> | null): NetworksFound {
  if (inspected === null || inspected.coin.verdict === 'other') return 'no-wallet';
  const { name, candidates } = inspected.network;
  if (name !== 'unknown') return [name];
  return candidates.length === 0 ? null : candidates;
}

/** Null for a file that is no wallet; for a `rescue`, one from which nothing can be read. */
function inspectedFile(
  client: Client,
  path: string,
  how: { rescue?: true } = {},
): Promise<Output<'wallet.inspect'> | null> {
  return orNullOnError(
    client.ask('wallet.inspect', { source: { by: 'file', path }, unlisted: true, ...how }),
  );
}

/** The networks of a text with keys, or of a file that holds such a text or a wallet. */
export async function networksOfText(
  client: Client,
  from: { by: 'file'; path: string } | { by: 'text'; text: string },
): Promise<NetworksFound> {
  const wallet = from.by === 'file' ? await inspectedFile(client, from.path) : null;
  if (wallet !== null) return networksIn(wallet);
  const open = (network?: Network) =>
    orNullOnError(client.ask('wallet.fromText', { from, network, withoutDamaged: true }));
  const opened = await open();
  if (opened?.action === 'restore') return networksOfFile(client, opened.path);
  if (opened?.action === 'rescue' && opened.networks.length > 0) {
    const { path, networks } = opened;
    if (networks.length <= TEST_NETWORKS.length) return networks;
    // As in the window: a BIP 38 key does not show its network, and nearly all are of the main one.
    const inspected = await inspectedFile(client, path, { rescue: true });
    return inspected !== null && passphraseNeed(inspected)?.opensAll ? ['main'] : null;
  }
  // Descriptors look the same on all test networks.
  if ((await open('testnet3'))?.action === 'restore') return TEST_NETWORKS;
  return from.by === 'file' ? networksOfFile(client, from.path) : 'no-wallet';
}

const TEST_NETWORKS: readonly Network[] = ['testnet3', 'testnet4', 'signet', 'regtest'];

/** The networks of one wallet in a wallets folder, or of all its wallets (null). */
export async function networksOfFolder(
  client: Client,
  folder: string,
  name: string | null,
): Promise<NetworksFound> {
  const own = name === null ? null : await walletFilePath(folder, name);
  const files = own === null ? await smallestWalletFiles(folder) : [own];
  const all = await Promise.all(files.map((path) => networksOfFile(client, path)));
  const found = all.filter((each) => each !== 'no-wallet');
  const known = new Set(found.flatMap((each) => (each?.length === 1 ? each : [])));
  if (known.size > 0) return [...known];
  const path = await realPath(folder).catch(() => resolve(folder));
  const { jobs } = await client.ask('jobs.list', {});
  const ofFolder = networkOfFolder(path, jobs);
  if (ofFolder !== null) return [ofFolder];
  if (found.length === 0) return 'no-wallet';
  return found.find((each) => each !== null) ?? null;
}

/** Throws AppError `folder_missing`. */
export async function mustBeFolder(path: string): Promise<void> {
  if (await existsAs(path, 'folder')) return;
  throw new FileError('folder_missing', { code: 'folder_missing', folder: path });
}

/** The smallest files: a folder holds wallets of one network, so a few files are enough. */
async function smallestWalletFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder).catch(() => []);
  const paths = await Promise.all(['', ...entries].map((name) => walletFilePath(folder, name)));
  const files = [...new Set(paths)].filter((path) => path !== null);
  const found = await Promise.all(
    files.map(async (path) => ({ path, size: (await stat(path).catch(() => null))?.size ?? null })),
  );
  return found
    .filter(({ size }) => size !== null)
    .toSorted((one, other) => (one.size ?? 0) - (other.size ?? 0))
    .slice(0, MAX_FILES)
    .map(({ path }) => path);
}

const MAX_FILES = 8;

/** Null on an AppError. Throws any other error. */
function orNullOnError<T>(work: Promise<T>): Promise<T | null> {
  return work.catch((error) => {
    if (!(error instanceof AppError)) throw error;
    return null;
  });
}
