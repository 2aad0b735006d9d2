/** Chooses what works on a wallet file: a node of its network, or else the offline engine. */
import type { ConditionCode } from './conditions.ts';
import type { Inspection } from './inspection.ts';
import type { Hazard } from './migrationPreview.ts';
import type { Network } from './network.ts';
import type { Connection, FoundNode, NodeStatus } from './node.ts';

export type Way =
  /** The connected node or engine. Never a remote one: the same path names another file there. */
  | { by: 'in-use'; node: NodeStatus }
  /** A node on this computer that the app is not connected to. */
  | { by: 'found'; id: string; node: NodeStatus }
  | { by: 'engine'; network: Network };

/** Whether releases refuse the wallet's file, or abort the migration of a legacy one, because of its contents. */
export function needsRescue({
  kind,
  file: { format },
  problems,
  conditions,
  migration,
}: Pick<Inspection, 'kind' | 'file' | 'problems' | 'conditions' | 'migration'>): boolean {
  if (conditions.some(({ code }) => !NOT_REPAIRED.has(code))) return true;
  if (kind === 'descriptor') return problems.some(({ lost }) => lost);
  if (format.kind !== 'berkeley-db') return false;
  const failsMigration =
    migration !== null &&
    (migration.obstacles.length + migration.strayTransactions.total > 0 ||
      migration.hazards.some((hazard) => REPAIRED.has(hazard)));
  return !format.cleanlyClosed || failsMigration || problems.some(({ lost }) => lost);
}

/** Conditions that a rescue leaves unchanged, and those that only releases before 30 refuse. */
const NOT_REPAIRED: ReadonlySet<ConditionCode> = new Set([
  'transaction-amount',
  'descriptor-orphan',
  'flags-blank',
  'keys-mixed',
  'master-missing',
  'pool-damaged',
  'pool-key',
  'chain-twice',
  'chain-unknown',
]);

/** Hazards that fail a migration by a node and by the engine, and that a rescue repairs or leaves out. */
const REPAIRED: ReadonlySet<Hazard> = new Set(['chain-gap', 'stray-labels', 'odd-labels']);

interface Known {
  network: Network;
  /** Of the file. For a rescue, or a node that loads no legacy wallets, the app places a copy in the node's wallets folder. */
  kind: Inspection['kind'];
  rescues: boolean;
  connection: Connection;
  found: readonly FoundNode[];
}

/** The possible ways, the best first. The engine is always one of them. */
export function waysFor({ network, kind, rescues, connection, found }: Known): [Way, ...Way[]] {
  const node = connection.state === 'connected' ? connection.node : null;
  const inUse = node?.local && node.network === network ? node : null;
  const here: Way = inUse?.offline ? { by: 'in-use', node: inUse } : { by: 'engine', network };
  // Releases before 24 migrate no wallet, and releases before 23 restore none.
  const ready = found.flatMap(({ id, state }): Way[] =>
    state.state === 'ready' && state.node.network === network && state.node.release.migrates !== 'no'
      ? [{ by: 'found', id, node: state.node }]
      : [],
  );
  const nodes: Way[] = inUse && !inUse.offline ? [{ by: 'in-use', node: inUse }] : ready;
  // The user has to name a wallets folder that the app does not know.
  const [fit, unfit] = [true, false].map((wanted) =>
    nodes.filter((way) => canTake(way, { kind, rescues }) === wanted),
  );
  const [first, ...others] = inUse?.offline
    ? [here, ...(fit ?? []), ...(unfit ?? [])]
    : [...(fit ?? []), here, ...(unfit ?? [])];
  return first ? [first, ...others] : [here];
}

function canTake(way: Way, { kind, rescues }: Pick<Known, 'kind' | 'rescues'>): boolean {
  if (way.by === 'engine' || kind !== 'legacy') return true;
  return (way.node.release.loadsLegacy && !rescues) || way.node.walletsFolder !== null;
}
