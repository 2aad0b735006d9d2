/** Handlers of the requests about nodes and the offline engine. */
import { isSameAddress, type NodeStatus } from '../../shared/model/node.ts';
import type { NodeConnection } from '../bitcoind/connection/connection.ts';
import { type Handlers, type RequestDeps, withoutResult } from './requests.ts';

export function nodeRequests({
  discovery,
  profiles,
  connection,
  engine,
  settings,
  jobs,
  pathGuard,
}: RequestDeps): Handlers<'nodes' | 'engine'> {
  /** Ends the engine unless somebody is connected to it or a job runs in it. */
  function stopUnusedEngine(): void {
    const address = engine.address();
    const now = connection.current();
    const isInUse =
      address !== null &&
      ((now.state === 'connected' && isSameAddress(now.node.address, address)) ||
        jobs.running(address).length > 0);
    // The first engine has no address while it starts.
    if (!isInUse) void engine.stop();
  }

  return {
    'nodes.discover': async () => ({ nodes: await discovery.discover() }),
    'nodes.profiles': async () => ({ profiles: await profiles.list() }),
    'nodes.forget': withoutResult(({ id }) => profiles.forget(id)),
    'nodes.connect': async (target) => {
      const reached = await connection.connect(target);
      stopUnusedEngine();
      return reached;
    },
    'nodes.useWalletsFolder': async ({ path }) => {
      await pathGuard?.refuseWalletsFolder(path);
      return connection.useWalletsFolder(path);
    },
    'nodes.disconnect': withoutResult(async () => {
      await connection.disconnect();
      settings.rememberNode(null);
      stopUnusedEngine();
    }),
    'nodes.connection': async () => connection.current(),

    'engine.place': async ({ network }) => ({ walletsFolder: engine.folderOf(network) }),
    'engine.start': async (target) => {
      if (target.walletsFolder !== null) await pathGuard?.refuseWalletsFolder(target.walletsFolder);
      return engine.start(target);
    },
  };
}

/** Null while no node is connected. */
export function currentNode(connection: NodeConnection): NodeStatus | null {
  const current = connection.current();
  return 'node' in current ? current.node : null;
}
