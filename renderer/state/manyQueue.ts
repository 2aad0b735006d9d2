/** Several migrations one after another, as pure steps: what is next, what it waits for, and how each stands. */
import type { AppErrorShape } from '../../shared/errors.ts';
import { type Connection, identityOf, type NodeStatus } from '../../shared/node.ts';
import { isSameNode } from '../../shared/nodeIdentity.ts';
import type { Operation } from '../../shared/operation.ts';

/** Why a wallet of the queue was not begun. */
export type NotBegun = 'stopped' | 'left' | 'other-node' | 'no-passphrase';

export type Standing =
  | { state: 'waiting' }
  /** Looked at once more, and handed over. */
  | { state: 'starting' }
  | { state: 'begun'; operation: string }
  /** Not begun because a check, the app or the node refused. */
  | { state: 'refused'; error: AppErrorShape }
  | { state: 'not-begun'; why: NotBegun };

export interface QueueItem {
  wallet: string;
  /** Whether a passphrase has to be typed for it. */
  passphrase: 'needed' | 'perhaps' | 'none';
  /** The user's word that there is a copy, where the app can make none. */
  hasOwnCopy: boolean;
  standing: Standing;
}

export interface Queue {
  /** The node that it was begun on; it goes on with no other one. */
  node: NodeStatus;
  items: readonly QueueItem[];
}

/** What a step depends on besides the queue. */
export interface Around {
  connection: Connection;
  /** True while the last look at a wallet failed for the line, though the line may not be known as lost yet. */
  held: boolean;
  operations: readonly Pick<Operation, 'id' | 'state'>[];
}

type QueueStep =
  | { do: 'begin'; item: QueueItem }
  | { do: 'wait'; for: 'wallet' | 'line' }
  /** What waits shall not be begun any more. */
  | { do: 'drop'; why: NotBegun }
  | { do: 'end' };

/** What is to be done now. The wallet that runs is always waited for, whatever became of the line. */
export function nextStep(queue: Queue, around: Around): QueueStep {
  const { connection, held, operations } = around;
  const waiting = queue.items.find(({ standing }) => standing.state === 'waiting');
  if (waiting && isElsewhere(queue.node, connection)) return { do: 'drop', why: 'other-node' };
  if (queue.items.some((item) => isAtWork(item, operations))) return { do: 'wait', for: 'wallet' };
  if (!waiting) return { do: 'end' };
  if (held || connection.state !== 'connected') return { do: 'wait', for: 'line' };
  return { do: 'begin', item: waiting };
}

/** Whether the app is with another node than the queue's. A node that is started anew may have another port. */
export function isElsewhere(node: NodeStatus, connection: Connection): boolean {
  if (connection.state !== 'connected' && connection.state !== 'lost') return false;
  return !isSameNode(identityOf(node), identityOf(connection.node));
}

export function withStanding(queue: Queue, wallet: string, standing: Standing): Queue {
  return {
    ...queue,
    items: queue.items.map((item) => (item.wallet === wallet ? { ...item, standing } : item)),
  };
}

/** The queue without what waits. */
export function dropped(queue: Queue, why: NotBegun): Queue {
  return {
    ...queue,
    items: queue.items.map((item) =>
      item.standing.state === 'waiting' ? { ...item, standing: { state: 'not-begun', why } } : item,
    ),
  };
}

/** How many have ended well, how many not, and how many are still to come or at work. */
interface QueueCounts {
  all: number;
  done: number;
  failed: number;
  /** Ended without anyone being able to tell how. */
  unknown: number;
  notBegun: number;
  open: number;
}

export function countsOf({ items }: Queue, operations: Around['operations']): QueueCounts {
  const counts = { all: items.length, done: 0, failed: 0, unknown: 0, notBegun: 0, open: 0 };
  for (const item of items) counts[countedAs(item, operations)] += 1;
  return counts;
}

function countedAs(item: QueueItem, operations: Around['operations']): Exclude<keyof QueueCounts, 'all'> {
  const { standing } = item;
  switch (standing.state) {
    case 'waiting':
    case 'starting':
      return 'open';
    case 'refused':
      return 'failed';
    case 'not-begun':
      return 'notBegun';
    case 'begun': {
      const state = operations.find(({ id }) => id === standing.operation)?.state ?? 'unknown';
      return state === 'running' ? 'open' : state;
    }
  }
}

/** Whether the operation belongs to it, also before the answer has come that tells its id. */
export function isQueued(queue: Queue | null, { id, kind, wallet, state }: QueuedFacts): boolean {
  return (queue?.items ?? []).some((item) => {
    const { standing } = item;
    if (standing.state === 'begun') return standing.operation === id;
    return (
      standing.state === 'starting' && state === 'running' && kind === 'migrate' && item.wallet === wallet
    );
  });
}

type QueuedFacts = Pick<Operation, 'id' | 'kind' | 'wallet' | 'state'>;

/** Whether wallets wait for their turn. */
export function hasWaiting({ items }: Queue): boolean {
  return items.some(({ standing }) => standing.state === 'waiting');
}

/** Whether nothing of it waits or runs any more. */
export function isOver(queue: Queue, operations: Around['operations']): boolean {
  return countsOf(queue, operations).open === 0;
}

function isAtWork(item: QueueItem, operations: Around['operations']): boolean {
  return item.standing.state !== 'waiting' && countedAs(item, operations) === 'open';
}
