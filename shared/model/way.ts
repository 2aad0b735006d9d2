/** Which way fits a wallet file: a node of its network, or the built-in engine where there is none. */
import type { ConditionCode } from './conditions.ts';
import type { Inspection } from './inspection.ts';
import type { Hazard } from './migrationPreview.ts';
import type { Network } from './network.ts';
import type { Connection, FoundNode, NodeStatus } from './node.ts';

export type Way =
  /** The node in use, or the engine that runs already. Never one elsewhere: it would open another file of that path. */
  | { by: 'in-use'; node: NodeStatus }
  /** A node of this computer that the app is not connected to. */
  | { by: 'found'; id: string; node: NodeStatus }
  | { by: 'engine'; network: Network };

/** Whether releases refuse a wallet's file, or give up a legacy one's migration, for what is in it. */
export function needsRescue({
  kind,
  file: { format },
  problems,
  conditions,
  migration,
}: Pick<Inspection, 'kind' | 'file' | 'problems' | 'conditions' | 'migration'>): boolean {
  if (conditions.some(({ code }) => !UNMENDED.has(code))) return true;
  if (kind === 'descriptor') return problems.some(({ lost }) => lost);
  if (format.kind !== 'berkeley-db') return false;
  const stands =
    migration !== null &&
    (migration.obstacles.length + migration.strayTransactions.total > 0 ||
      migration.hazards.some((hazard) => MENDED.has(hazard)));
  return !format.cleanlyClosed || stands || problems.some(({ lost }) => lost);
}

/** What a rescue does nothing about, and what only releases before 30 mind. */
const UNMENDED: ReadonlySet<ConditionCode> = new Set([
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

/** What neither a node nor the engine migrates as it is, and a rescue leaves out or puts right. */
const MENDED: ReadonlySet<Hazard> = new Set(['chain-gap', 'stray-labels', 'odd-labels']);

interface Known {
  network: Network;
  /** Of the file. A copy of a legacy one is placed in the wallets folder of a node that loads none, and for a rescue. */
  kind: Inspection['kind'];
  rescues: boolean;
  connection: Connection;
  found: readonly FoundNode[];
}

/** The ways there are, the fitting one first. The engine is always among them. */
export function waysFor({ network, kind, rescues, connection, found }: Known): [Way, ...Way[]] {
  const node = connection.state === 'connected' ? connection.node : null;
  const inUse = node?.local && node.network === network ? node : null;
  const here: Way = inUse?.offline ? { by: 'in-use', node: inUse } : { by: 'engine', network };
  // Before 24 a node migrates no wallet, and restores none before 23.
  const ready = found.flatMap(({ id, state }): Way[] =>
    state.state === 'ready' && state.node.network === network && state.node.release.migrates !== 'no'
      ? [{ by: 'found', id, node: state.node }]
      : [],
  );
  const nodes: Way[] = inUse && !inUse.offline ? [{ by: 'in-use', node: inUse }] : ready;
  // One whose wallets folder is not known has to be told it first.
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
