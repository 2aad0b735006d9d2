/** Finds the way back to the node that unfinished work was begun on, where the app can log in by itself. */
import { type FoundNode, identityOf, type NodeIdentity, sameNode } from '../../../shared/model/node.ts';
import { isSameNode } from '../../../shared/model/nodeIdentity.ts';
import type { Discovery } from '../discovery/discovery.ts';
import type { Profiles } from '../discovery/profiles.ts';
import { pause } from '../rpc/pause.ts';
import type { NodeConnection } from './connection.ts';
import type { OfflineEngine } from './offlineEngine.ts';

export interface ReconnectDeps {
  readonly connection: Pick<NodeConnection, 'current' | 'isConnecting' | 'connect'>;
  readonly engine: Pick<OfflineEngine, 'start'>;
  readonly discovery: Pick<Discovery, 'discover'>;
  readonly profiles: Pick<Profiles, 'list'>;
}

/**
 * Tries until the app is connected to a node, this one or another that the user chose. A node that needs a password
 * which is not kept is left to the user. Never throws.
 */
export async function reconnect(
  node: NodeIdentity,
  ways: ReconnectDeps,
  { signal, everyMs = 15_000 }: { signal: AbortSignal; everyMs?: number },
): Promise<void> {
  while (!signal.aborted && ways.connection.current().state === 'none') {
    try {
      if (isFree(ways)) await tryOnce(node, ways);
    } catch {
      // It may not run yet: the next turn may find it.
    }
    if (ways.connection.current().state !== 'none') return;
    await pause(everyMs, signal);
  }
}

async function tryOnce(node: NodeIdentity, ways: ReconnectDeps): Promise<void> {
  const { address, network, walletsFolder } = node;
  if (node.offline) {
    await ways.engine.start({ walletsFolder, network });
    return;
  }
  const found = (await ways.discovery.discover()).find((each) => isFound(each, node));
  if (found && isFree(ways)) {
    await ways.connection.connect({ by: 'found', id: found.id });
    return;
  }
  const profile = (await ways.profiles.list()).find(
    (each) => sameNode(each.address, address) && (each.login.by === 'cookie' || each.login.passwordSaved),
  );
  if (profile && isFree(ways)) await ways.connection.connect({ by: 'profile', id: profile.id });
}

/** What the user began is not cut short. */
function isFree({ connection }: ReconnectDeps): boolean {
  return connection.current().state === 'none' && !connection.isConnecting();
}

/** Of one that tells nothing yet, its place decides; once connected, all the rest. */
function isFound({ address, network, state }: FoundNode, known: NodeIdentity): boolean {
  if (state.state === 'ready') return isSameNode(known, identityOf(state.node));
  return state.state !== 'failed' && network === known.network && sameNode(address, known.address);
}
