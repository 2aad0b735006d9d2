/** Handlers of the requests about nodes and the offline engine. */
import { type Handlers, type RequestDeps, withoutResult } from './handlers.ts';

export function nodeRequests({
  discovery,
  profiles,
  connection,
  engine,
  settings,
  writes,
  leaveEngine,
}: RequestDeps): Handlers<'nodes' | 'engine'> {
  return {
    'nodes.discover': async () => ({ nodes: await discovery.discover() }),
    'nodes.profiles': async () => ({ profiles: await profiles.list() }),
    'nodes.forget': withoutResult(({ id }) => profiles.forget(id)),
    'nodes.connect': async (target) => {
      const reached = await connection.connect(target);
      leaveEngine();
      return reached;
    },
    'nodes.useWalletsFolder': async ({ path }) => {
      await writes?.refuseWalletsFolder(path);
      return connection.useWalletsFolder(path);
    },
    'nodes.disconnect': withoutResult(async () => {
      await connection.disconnect();
      settings.rememberNode(null);
      leaveEngine();
    }),
    'nodes.connection': async () => connection.current(),

    'engine.place': async ({ network }) => ({ walletsFolder: engine.folderOf(network) }),
    'engine.start': async (target) => {
      if (target.walletsFolder !== null) await writes?.refuseWalletsFolder(target.walletsFolder);
      return engine.start(target);
    },
  };
}
