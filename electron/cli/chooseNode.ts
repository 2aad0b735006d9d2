/** Chooses a command's node: the named node or folder; else the only running node on the wallet's network. */
import { chainNames, chainOfNetwork, type Network } from '../../shared/model/network.ts';
import { type FoundNode, sameNode } from '../../shared/model/node.ts';
import { anyOf, networkName } from '../../shared/wording/format/networkName.ts';
import { oneOf } from '../../shared/wording/format/perRegion.ts';
import { say } from '../../shared/wording/say.ts';
import { authorityOf } from '../bitcoind/rpc/connectionErrors.ts';
import type { Client } from './client.ts';
import { type NodeChoice, UsageError } from './commandLine.ts';
import type { NetworksFound } from './fileNetwork.ts';

type Chosen<B extends NodeChoice['by']> = Extract<NodeChoice, { by: B }>;

/** Where to connect to. */
export type ChosenNode =
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
export function nodeText(node: FoundNode): string {
  return say('Node: {url}, {network}.', { url: urlOf(node), network: networkName(node.network) });
}

const urlOf = ({ address }: FoundNode) => `http://${authorityOf(address)}`;
