/** Finds the nodes on this machine and how to log in to each. */
import { homedir } from 'node:os';
import { AppError } from '../../../shared/model/errors.ts';
import { type FoundNode, sameNode } from '../../../shared/model/node.ts';
import { errorShapeOf } from '../../../shared/wording/errorWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { readNodeStatus } from '../calls/status.ts';
import { listWalletDir } from '../calls/walletCalls.ts';
import { createNodeClient } from '../rpc/client.ts';
import { notANode } from '../rpc/connectionErrors.ts';
import type { NodeLogin } from '../rpc/credentials.ts';
import {
  defaultDataFolders,
  defaultRpcPorts,
  findCandidates,
  type NodeCandidate,
  type RpcPorts,
} from './nodeCandidates.ts';

export type Discovery = ReturnType<typeof createDiscovery>;

interface DiscoveryOptions {
  /** Data folders to search. Default: those of this system. */
  readonly dataFolders?: readonly string[];
  /** Ports to try if no configuration names one. Default: those of the networks. */
  readonly rpcPorts?: RpcPorts;
  /** Milliseconds for each call to a node. Default 4,000. */
  readonly timeoutMs?: number;
}

export function createDiscovery(options: DiscoveryOptions = {}) {
  const { timeoutMs = 4000, rpcPorts = defaultRpcPorts } = options;
  const find = () => findCandidates(options.dataFolders ?? ownDataFolders(), rpcPorts);

  return {
    /**
     * Searches again and asks every candidate at once, with a short timeout. Never throws for a node that does not
     * answer. Does not send a password of `bitcoin.conf`. Sends a cookie only to a server that asks for a login as a
     * node does and owns the cookie.
     */
    async discover(): Promise<FoundNode[]> {
      const found = await find();
      const nodes = await Promise.all(found.map((candidate) => probe(candidate, timeoutMs)));
      return nodes.filter((node, index) => isWorthShowing(node, found[index]?.expected ?? false, nodes));
    },
    /** How to reach a node by the id from `discover`. Throws AppError `bad_input` if it is gone. */
    async loginOf(id: string): Promise<NodeLogin> {
      // Folders and bitcoin.conf may have changed since `discover`.
      const candidate = (await find()).find((each) => each.id === id);
      if (candidate === undefined)
        throw new AppError('bad_input', say('No longer found.'), say('Search again, or connect by hand.'));
      return { label: LABEL, address: candidate.address, credentials: candidate.login };
    },
  };
}

async function probe(candidate: NodeCandidate, timeoutMs: number): Promise<FoundNode> {
  const { id, dataFolder, network, address, login, partlyRead } = candidate;
  const limits = { address, timeoutMs, connectTimeoutMs: timeoutMs, retryPausesMs: [] };
  const credentials = login.by === 'password' ? 'config' : login.by;
  const partly = partlyRead ? { partlyRead } : {};
  const found = { id, dataFolder, network, address, credentials, ...partly } as const;
  // Another program on the port would receive the login, so it must first ask for one as a node does.
  const anonymous = createNodeClient({ ...limits, credentials: { by: 'none' } });
  const client = createNodeClient({ ...limits, credentials: login });
  try {
    const refusal = await anonymous.call('uptime').then(
      () => notANode(address, say('no login needed')),
      (thrown: unknown) => thrown,
    );
    const isAsked = refusal instanceof AppError && refusal.code === 'credentials_missing';
    if (!isAsked || login.by === 'none') throw refusal;
    // A cookie is valid for one run of the node. A password is permanent, so it is sent only when the user connects.
    if (login.by === 'password') return { ...found, state: { state: 'asks-login' } };
    const node = await readNodeStatus(client, { local: true, label: LABEL });
    const wallets = await listWalletDir(client).then(
      (list) => list.length,
      () => null,
    );
    return { ...found, state: { state: 'ready', node, wallets } };
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'starting_up') {
      return { ...found, state: { state: 'starting', message: thrown.node?.message ?? thrown.message } };
    }
    return { ...found, state: { state: 'failed', error: errorShapeOf(thrown) } };
  } finally {
    await Promise.all([anonymous.close(), client.close()]);
  }
}

/**
 * A data folder alone is no evidence of a node. Without a cookie or a configuration it counts only if a node answers,
 * and that node does not belong to another data folder on the same port.
 */
function isWorthShowing(node: FoundNode, expected: boolean, all: readonly FoundNode[]): boolean {
  if (expected || node.state.state !== 'failed') return true;
  if (node.state.error.code !== 'credentials_missing') return false;
  return !all.some((other) => other.state.state !== 'failed' && sameNode(other.address, node.address));
}

/** The page shows the network next to it. */
const LABEL = say('This computer');

/** The default data folders on this system for this user. */
export function ownDataFolders(): string[] {
  return defaultDataFolders({ platform: process.platform, env: process.env, home: homedir() });
}
