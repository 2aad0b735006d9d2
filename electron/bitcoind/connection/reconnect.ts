/** Reconnects to the node of an unfinished job, if the app can log in by itself. */
import { type FoundNode, identityOf, type NodeIdentity, sameNode } from '../../../shared/model/node.ts';
import { isSameNode } from '../../../shared/model/nodeIdentity.ts';
import type { Discovery } from '../discovery/discovery.ts';
import type { Profiles } from '../discovery/profiles.ts';
import { pause } from '../rpc/client.ts';
import type { NodeConnection } from './connection.ts';
import type { OfflineEngine } from './offlineEngine.ts';

export interface ReconnectDeps {
  readonly connection: Pick<NodeConnection, 'current' | 'isConnecting' | 'connect'>;
  readonly engine: Pick<OfflineEngine, 'start'>;
  readonly discovery: Pick<Discovery, 'discover'>;
  readonly profiles: Pick<Profiles, 'list'>;
}

/**
 * Retries until the app is connected to a node, including another one that the user chose. Leaves a node whose
 * password is not saved to the user. Never throws.
 */
export async function reconnect(
  node: NodeIdentity,
  deps: ReconnectDeps,
  { signal, everyMs = 15_000 }: { signal: AbortSignal; everyMs?: number },
): Promise<void> {
  while (!signal.aborted && deps.connection.current().state === 'none') {
    try {
      if (isFree(deps)) await tryOnce(node, deps);
    } catch {
      // The node may not be running yet: try again later.
    }
    if (deps.connection.current().state !== 'none') return;
    await pause(everyMs, signal);
  }
}

async function tryOnce(node: NodeIdentity, deps: ReconnectDeps): Promise<void> {
  const { address, network, walletsFolder } = node;
  if (node.offline) {
    await deps.engine.start({ walletsFolder, network });
    return;
  }
  const found = (await deps.discovery.discover()).find((each) => isFound(each, node));
  if (found && isFree(deps)) {
    await deps.connection.connect({ by: 'found', id: found.id });
    return;
  }
  const profile = (await deps.profiles.list()).find(
    (each) => sameNode(each.address, address) && (each.login.by === 'cookie' || each.login.passwordSaved),
  );
  if (profile && isFree(deps)) await deps.connection.connect({ by: 'profile', id: profile.id });
}

/** Never interrupts a connection that the user started. */
function isFree({ connection }: ReconnectDeps): boolean {
  return connection.current().state === 'none' && !connection.isConnecting();
}

/** A node that is not ready is matched by network and address; after connecting, the whole identity decides. */
function isFound({ address, network, state }: FoundNode, known: NodeIdentity): boolean {
  if (state.state === 'ready') return isSameNode(known, identityOf(state.node));
  return state.state !== 'failed' && network === known.network && sameNode(address, known.address);
}
