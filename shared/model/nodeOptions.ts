/** Chooses what works on a wallet file: a node of its network, or else the offline engine. */
import type { Inspection } from './inspection.ts';
import type { Network } from './network.ts';
import type { Connection, FoundNode, NodeStatus } from './node.ts';

export type NodeOption =
  /** The connected node or engine. Never a remote one: the same path names another file there. */
  | { by: 'in-use'; node: NodeStatus }
  /** A node on this computer that the app is not connected to. */
  | { by: 'found'; id: string; node: NodeStatus }
  | { by: 'engine'; network: Network };

interface WalletNeeds {
  network: Network;
  /** Of the file. For a rescue, or a node that loads no legacy wallets, the app places a copy in the node's wallets folder. */
  kind: Inspection['kind'];
  rescues: boolean;
  connection: Connection;
  found: readonly FoundNode[];
}

/** The possible nodes, the best first. The engine is always one of them. */
export function nodeOptionsFor({
  network,
  kind,
  rescues,
  connection,
  found,
}: WalletNeeds): [NodeOption, ...NodeOption[]] {
  const node = connection.state === 'connected' ? connection.node : null;
  const inUse = node?.local && node.network === network ? node : null;
  const here: NodeOption = inUse?.offline ? { by: 'in-use', node: inUse } : { by: 'engine', network };
  // Releases before 24 migrate no wallet, and releases before 23 restore none.
  const ready = found.flatMap(({ id, state }): NodeOption[] =>
    state.state === 'ready' && state.node.network === network && state.node.release.migrates !== 'no'
      ? [{ by: 'found', id, node: state.node }]
      : [],
  );
  const nodes: NodeOption[] = inUse && !inUse.offline ? [{ by: 'in-use', node: inUse }] : ready;
  // The user has to name a wallets folder that the app does not know.
  const [fit, unfit] = [true, false].map((wanted) =>
    nodes.filter((option) => canHandle(option, { kind, rescues }) === wanted),
  );
  const [first, ...others] = inUse?.offline
    ? [here, ...(fit ?? []), ...(unfit ?? [])]
    : [...(fit ?? []), here, ...(unfit ?? [])];
  return first ? [first, ...others] : [here];
}

function canHandle(option: NodeOption, { kind, rescues }: Pick<WalletNeeds, 'kind' | 'rescues'>): boolean {
  if (option.by === 'engine' || kind !== 'legacy') return true;
  return (option.node.release.loadsLegacy && !rescues) || option.node.walletsFolder !== null;
}
