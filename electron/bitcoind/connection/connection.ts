/** The one node the app is connected to: reached, waited for, lost and found again. */
import type { Target } from '../../../shared/contract.ts';
import type { Connection } from '../../../shared/model/node.ts';
import type { Discovery } from '../discovery/discovery.ts';
import type { Profiles } from '../discovery/profiles.ts';
import { createNodeClient, type NodeClientOptions } from '../rpc/client.ts';
import { authorityOf, connectingCancelled, notConnected } from '../rpc/connectionErrors.ts';
import type { NodeLogin } from '../rpc/credentials.ts';
import type { NodeClient, Session } from '../rpc/session.ts';
import { createNodeWatch, type NodeWatch, type StartedNode, type WatchPauses } from './nodeWatch.ts';

interface ConnectionOptions {
  readonly profiles: Pick<Profiles, 'remember' | 'used' | 'loginOf'>;
  readonly discovery: Pick<Discovery, 'loginOf'>;
  /** Every change of `current()`, in order; not called twice for the same. */
  onChange(connection: Connection): void;
  /** Called before any job loads a wallet in a node. Throws AppError for a wallet that must not be loaded. */
  readonly mayLoad?: (session: Session, name: string) => Promise<void>;
  readonly pauses?: WatchPauses;
  /** Limits of the clients. */
  readonly client?: Omit<NodeClientOptions, 'address' | 'credentials'>;
}

export type NodeConnection = ReturnType<typeof createConnection>;

export function createConnection(options: ConnectionOptions) {
  // Work that was begun on a node goes on when the app connects to another one, so its client must live. An idle
  // client holds no connection.
  const clients = new Set<NodeClient>();
  let watch: NodeWatch | null = null;
  /** The one that a `connect` is about to reach. */
  let reaching: NodeWatch | null = null;
  let current: Connection = { state: 'none' };
  let attempts = 0;
  let pending = 0;

  function tell(next: Connection): void {
    if (JSON.stringify(next) === JSON.stringify(current)) return;
    current = next;
    options.onChange(next);
  }

  /** A newer wish ends what an older one still waits for. */
  function newAttempt(): () => boolean {
    reaching?.stop();
    attempts += 1;
    const mine = attempts;
    return () => mine === attempts;
  }

  function leave(next: NodeWatch | null): void {
    watch?.stop();
    watch = next;
  }

  async function reach(login: NodeLogin, isNewest: () => boolean, own?: StartedNode): Promise<Connection> {
    const { label, address, credentials } = login;
    const client = guardClient(
      createNodeClient({ ...options.client, address, credentials }),
      async (name) => {
        const session = next.session();
        if (session !== null) await options.mayLoad?.(session, name);
      },
    );
    const next = createNodeWatch({
      client,
      label,
      pauses: options.pauses ?? {},
      own,
      onLook: (connection) => {
        if (watch === next) tell(connection);
      },
    });
    reaching = next;
    try {
      const reached = await next.reach();
      if (!isNewest()) throw connectingCancelled();
      clients.add(client);
      leave(next);
      tell(reached);
      next.start();
      return reached;
    } catch (thrown) {
      await client.close();
      throw isNewest() ? thrown : connectingCancelled();
    } finally {
      if (reaching === next) reaching = null;
    }
  }

  function whilePending<T>(attempt: () => Promise<T>): Promise<T> {
    pending += 1;
    return attempt().finally(() => {
      pending -= 1;
    });
  }

  return {
    /**
     * Connects and stays with the node. Resolves with `starting` for a node that is starting up, and goes on
     * waiting for it. Throws AppError for a node that cannot be reached or refuses the login; the app then stays
     * with the node it had. A later `connect` takes the place of this one.
     */
    connect: (target: Target) =>
      whilePending(async () => {
        const isNewest = newAttempt();
        const login = await loginFor(target, options);
        if (!isNewest()) throw connectingCancelled();
        const reached = await reach(login, isNewest);
        // The node let us in. That the list of profiles could not be written is no reason to leave it.
        await login.remember().catch(() => undefined);
        return reached;
      }),
    /** The same for a node that the app itself started; nothing of it is remembered. */
    connectTo: (own: StartedNode) => whilePending(() => reach(own, newAttempt(), own)),
    /** Whether a node is being reached now. */
    isConnecting: () => pending > 0,
    async disconnect(): Promise<void> {
      newAttempt();
      leave(null);
      tell({ state: 'none' });
    },
    /** Asks the node at once how it is, because something has happened to it. */
    lookNow: () => watch?.lookNow(),
    /** Has the session tell of the node that listens now. Never throws. */
    catchUp: async () => watch?.catchUp(),
    /** Takes a folder for that of the node's wallets. Throws AppError where the node does not prove it. */
    async useWalletsFolder(folder: string): Promise<Connection> {
      if (watch === null) throw notConnected();
      await watch.useWalletsFolder(folder);
      return current;
    },
    current: () => current,
    /** Stays usable while the connection is lost. Throws AppError `not_connected` before a node was ready. */
    session(): Session {
      const session = watch?.session() ?? null;
      if (session === null) throw notConnected();
      return session;
    },
    /** Cuts every line, also those of work begun on nodes that the app has left. */
    async close(): Promise<void> {
      newAttempt();
      leave(null);
      await Promise.all([...clients].map((client) => client.close()));
    },
  };
}

interface TargetLogin extends NodeLogin {
  /** Called once the node has let the app in. */
  remember(): Promise<unknown>;
}

async function loginFor(target: Target, { profiles, discovery }: ConnectionOptions): Promise<TargetLogin> {
  switch (target.by) {
    case 'found':
      return { ...(await discovery.loginOf(target.id)), remember: async () => undefined };
    case 'profile':
      return {
        ...(await profiles.loginOf(target.id, target.password)),
        remember: () => profiles.used(target.id, target.password),
      };
    case 'hand': {
      const { address, login } = target;
      return {
        label: authorityOf(address),
        address,
        credentials: login,
        remember: () => profiles.remember(address, login),
      };
    }
  }
}

/**
 * A client that calls `mayLoad` with the wallet's name before `loadwallet`: some files crash the node. `mayLoad` throws an
 * AppError if the call must not be sent.
 */
export function guardClient(client: NodeClient, mayLoad: (name: string) => Promise<void>): NodeClient {
  return {
    ...client,
    async call(method, params, options) {
      const name = method === 'loadwallet' ? Object.values(params ?? {})[0] : undefined;
      if (typeof name === 'string') await mayLoad(name);
      return client.call(method, params, options);
    },
    overOneConnection: (work) => client.overOneConnection((line) => work(guardClient(line, mayLoad))),
  };
}
