/**
 * Chooses a command's node and connects to it: the named node or folder; else the only running node on the wallet's
 * network. Waits until it is ready.
 */
import type { Login } from '../../shared/contract.ts';
import { AppError } from '../../shared/model/errors.ts';
import { chainNames, chainOfNetwork, type Network } from '../../shared/model/network.ts';
import { type Connection, type FoundNode, type NodeStatus, sameNode } from '../../shared/model/node.ts';
import { anyOf, networkName } from '../../shared/wording/format/networkName.ts';
import { oneOf } from '../../shared/wording/format/perRegion.ts';
import { say } from '../../shared/wording/say.ts';
import { authorityOf } from '../bitcoind/rpc/connectionErrors.ts';
import type { Client, CommandDeps } from './client.ts';
import { type NodeChoice, UsageError } from './commandLine.ts';
import type { NetworksFound } from './fileNetwork.ts';
import { readSecret, type Terminal } from './terminal.ts';

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
  switch (chosen.by) {
    case 'offline': {
      const { walletsFolder, network } = chosen;
      return connected(client, terminal, () => client.ask('engine.start', { walletsFolder, network }));
    }
    case 'found': {
      const { id } = chosen.node;
      terminal.err([nodeText(chosen.node)]);
      return connected(client, terminal, () => client.ask('nodes.connect', { by: 'found', id }));
    }
    case 'node': {
      const { address } = chosen;
      const login = await loginOf(chosen.login, terminal);
      return connected(client, terminal, () => client.ask('nodes.connect', { by: 'hand', address, login }));
    }
  }
}

async function loginOf(
  login: Extract<NodeChoice, { by: 'node' }>['login'],
  terminal: Terminal,
): Promise<Login> {
  if (login.by === 'cookie') return login;
  const { user, fd } = login;
  const password =
    fd === null ? await terminal.secret(say('Node password:')) : await readSecret(fd, terminal.stdin);
  if (password === null) throw new UsageError(say('Give the password with --password-fd N.'));
  return { by: 'password', user, password, save: false };
}

/** Waits while the node is starting. */
async function connected(
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

type Chosen<B extends NodeChoice['by']> = Extract<NodeChoice, { by: B }>;

/** Where to connect to. */
type ChosenNode =
  | Chosen<'node'>
  | (Omit<Chosen<'offline'>, 'network'> & { readonly network: Network })
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
  throw new UsageError(say('The wallet’s network is not certain. Add {options}.', { options }));
}

function onlyNode(
  found: readonly FoundNode[],
  address: Chosen<'running'>['address'],
  networks: NetworksFound,
): FoundNode {
  const running = found.filter(isRunning);
  if (address !== null) {
    const named = running.find((node) => sameNode(node.address, address));
    if (named !== undefined && named.credentials !== 'none') return named;
    throw new UsageError(say('--node needs --cookie FILE or --user NAME.'));
  }
  if (running.length === 0)
    throw new UsageError(
      say('No node runs on this computer. Add {options}.', { options: OTHER_PLACES }),
      partlyReadLines(found),
    );
  const wanted = networks === null || networks === 'no-wallet' ? null : networks;
  const fitting = running.filter(({ network }) => wanted?.includes(network) ?? true);
  const [only, ...others] = fitting;
  if (only === undefined)
    throw new UsageError(
      say('No node runs on {networks}. Add {options}.', {
        networks: anyOf(wanted ?? []),
        options: OTHER_PLACES,
      }),
      [...running.map(nodeText), ...partlyReadLines(found)],
    );
  if (others.length > 0)
    throw new UsageError(say('Several nodes run. Add one of these:'), fitting.map(optionFor));
  if (only.credentials === 'none') throw new UsageError(say('The node needs a login.'), [optionFor(only)]);
  return only;
}

/** Whether the node runs, even if it is starting, needs a login or answers too late. */
function isRunning({ state }: FoundNode): boolean {
  if (state.state !== 'failed') return true;
  return state.error.code === 'timed_out' || state.error.code === 'credentials_missing';
}

const OTHER_PLACES = oneOf(['--node URL --cookie FILE', '--node URL --user NAME', '--offline DIR']);

/** `--node http://127.0.0.1:8332 (Main network)`. */
function optionFor(node: FoundNode): string {
  const login = node.credentials === 'none' ? ' --user NAME' : '';
  return `--node ${urlOf(node)}${login}  (${networkName(node.network)})`;
}

/** Warns once per data folder whose bitcoin.conf was only partly read: its node may listen elsewhere. */
export function partlyReadLines(nodes: readonly FoundNode[]): string[] {
  const folders = new Set(nodes.flatMap(({ partlyRead, dataFolder }) => (partlyRead ? [dataFolder] : [])));
  return [...folders].map((folder) =>
    say('bitcoin.conf in {folder} includes too many files. Some were not read.', { folder }),
  );
}

/** Describes the node in a sentence. */
function nodeText(node: FoundNode): string {
  return say('Node: {url}, {network}.', { url: urlOf(node), network: networkName(node.network) });
}

const urlOf = ({ address }: FoundNode) => `http://${authorityOf(address)}`;
