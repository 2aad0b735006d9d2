/** Finds the way back to the node that unfinished work was begun on, where the app can log in by itself. */
import type { Target } from '../../../shared/contract.ts';
import {
  type Connection,
  type FoundNode,
  identityOf,
  type NodeIdentity,
  type Profile,
  sameNode,
} from '../../../shared/node.ts';
import { isSameNode } from '../../../shared/nodeIdentity.ts';
import { pause } from '../rpc/pause.ts';
import type { EnginePlace } from './offlineEngine.ts';

export interface WaysBack {
  current(): Connection;
  /** Whether a node is being reached now: what the user began is not cut short. */
  isConnecting(): boolean;
  connect(target: Target): Promise<unknown>;
  startEngine(place: EnginePlace): Promise<unknown>;
  found(): Promise<readonly FoundNode[]>;
  profiles(): Promise<readonly Profile[]>;
}

/**
 * Tries until the app is connected to a node, this one or another that the user chose. A node that needs a password
 * which is not kept is left to the user. Never throws.
 */
export async function reachAgain(
  node: NodeIdentity,
  ways: WaysBack,
  { signal, everyMs = 15_000 }: { signal: AbortSignal; everyMs?: number },
): Promise<void> {
  while (!signal.aborted && ways.current().state === 'none') {
    try {
      if (isFree(ways)) await tryOnce(node, ways);
    } catch {
      // It may not run yet: the next turn may find it.
    }
    if (ways.current().state !== 'none') return;
    await pause(everyMs, signal);
  }
}

async function tryOnce(node: NodeIdentity, ways: WaysBack): Promise<void> {
  const { address, network, walletsFolder } = node;
  if (node.offline) {
    await ways.startEngine({ walletsFolder, network });
    return;
  }
  const found = (await ways.found()).find((each) => isFound(each, node));
  if (found && isFree(ways)) {
    await ways.connect({ by: 'found', id: found.id });
    return;
  }
  const profile = (await ways.profiles()).find(
    (each) => sameNode(each.address, address) && (each.login.by === 'cookie' || each.login.passwordSaved),
  );
  if (profile && isFree(ways)) await ways.connect({ by: 'profile', id: profile.id });
}

function isFree(ways: WaysBack): boolean {
  return ways.current().state === 'none' && !ways.isConnecting();
}

/** Of one that tells nothing yet, its place decides; once connected, all the rest. */
function isFound({ address, network, state }: FoundNode, known: NodeIdentity): boolean {
  if (state.state === 'ready') return isSameNode(known, identityOf(state.node));
  return state.state !== 'failed' && network === known.network && sameNode(address, known.address);
}
