/** Finds the way back to the node that unfinished work was begun on, where the app can log in by itself. */
import type { Target } from '../../shared/contract.ts';
import {
  type Connection,
  type FoundNode,
  type Network,
  type NodeAddress,
  type Profile,
  sameNode,
} from '../../shared/model.ts';
import type { EnginePlace } from './offlineEngine.ts';
import { pause } from './pause.ts';

/** What is remembered of a node that work was begun on. */
export interface KnownNode {
  address: NodeAddress;
  network: Network;
  walletsFolder: string | null;
  /** True for the app's own offline engine. */
  offline: boolean;
}

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
  node: KnownNode,
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

async function tryOnce(
  { address, network, walletsFolder, offline }: KnownNode,
  ways: WaysBack,
): Promise<void> {
  if (offline) {
    await ways.startEngine({ walletsFolder, network });
    return;
  }
  const found = (await ways.found()).find((each) => isFound(each, { address, network, walletsFolder }));
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

/** By its address, or by its wallets folder where it listens at another port now. */
function isFound(
  { address, network, state }: FoundNode,
  known: Pick<KnownNode, 'address' | 'network' | 'walletsFolder'>,
): boolean {
  if (network !== known.network || state.state === 'failed') return false;
  if (sameNode(address, known.address)) return true;
  return (
    state.state === 'ready' &&
    known.walletsFolder !== null &&
    state.node.walletsFolder === known.walletsFolder
  );
}
