/** The app's connection to one node: connects, waits, notices a loss, recovers, and reconnects at the next start. */
import { dirname } from 'node:path';
import type { NodeTarget } from '../../../shared/contract.ts';
import {
  authorityOf,
  type Connection,
  type FoundNode,
  identityOf,
  isSameAddress,
  isSameNode,
  type NodeAddress,
  type NodeIdentity,
} from '../../../shared/model/node.ts';
import { type Discovery, likelyWalletsFolders } from '../discovery/discovery.ts';
import type { Profiles } from '../discovery/profiles.ts';
import { createNodeClient, type NodeClientOptions, waitUnlessAborted } from '../rpc/client.ts';
import type { NodeLogin } from '../rpc/credentials.ts';
import { connectingCancelledError, notConnectedError } from '../rpc/rpcErrors.ts';
import type { NodeClient, Session } from '../rpc/session.ts';
import { createNodeWatch, type NodeWatch, type StartedNode, type WatchPauses } from './nodeWatch.ts';
import type { OfflineEngine } from './offlineEngine.ts';

interface ConnectionOptions {
  readonly profiles: Pick<Profiles, 'remember' | 'recordUse' | 'loginOf'>;
  readonly discovery: Pick<Discovery, 'loginOf'>;
  /** The wallets folders that a node at this address had before. */
  readonly knownFolders?: (address: NodeAddress) => Promise<readonly string[]>;
  /** Called for every change of `current()`, in order, never twice for the same value. */
  onChange(connection: Connection): void;
  /** Called before any job loads a wallet in a node. Throws AppError if the wallet must not be loaded. */
  readonly mayLoad?: (session: Session, name: string) => Promise<void>;
  readonly pauses?: WatchPauses;
  /** Limits of the RPC clients. */
  readonly client?: Omit<NodeClientOptions, 'address' | 'credentials'>;
}

export type NodeConnection = ReturnType<typeof createConnection>;

export function createConnection(options: ConnectionOptions) {
  // A job continues on its node after the app connects to another one, so its client stays open. An idle client holds
  // no connection.
  const clients = new Set<NodeClient>();
  let watch: NodeWatch | null = null;
  /** The node that a `connect` is still trying to reach. */
  let reaching: NodeWatch | null = null;
  let current: Connection = { state: 'none' };
  let attempts = 0;
  let pending = 0;

  function update(next: Connection): void {
    if (JSON.stringify(next) === JSON.stringify(current)) return;
    current = next;
    options.onChange(next);
  }

  /** A newer attempt cancels an older one. */
  function newAttempt(): () => boolean {
    reaching?.stop();
    attempts += 1;
    const mine = attempts;
    return () => mine === attempts;
  }

  function switchTo(next: NodeWatch | null): void {
    watch?.stop();
    watch = next;
  }

  async function reach(
    login: NodeLogin,
    isNewest: () => boolean,
    started?: StartedNode,
  ): Promise<Connection> {
    const { label, address, credentials, status } = login;
    const { chainFolder = credentials.by === 'cookie' ? dirname(credentials.cookieFile) : undefined } = login;
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
      known: status,
      pauses: options.pauses ?? {},
      started,
      folders: async (network) => [
        ...(chainFolder === undefined ? [] : await likelyWalletsFolders(chainFolder, network)),
        ...((await options.knownFolders?.(address)) ?? []),
      ],
      onPoll: (connection) => {
        if (watch === next) update(connection);
      },
    });
    reaching = next;
    try {
      const reached = await next.reach();
      if (!isNewest()) throw connectingCancelledError();
      clients.add(client);
      switchTo(next);
      update(reached);
      next.start();
      return reached;
    } catch (thrown) {
      await client.close();
      throw isNewest() ? thrown : connectingCancelledError();
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
     * Connects to a node. Resolves with `starting` for a node that is starting up, and keeps waiting for it. Throws
     * AppError if the node cannot be reached or refuses the login; the app then keeps its current node. A later
     * `connect` replaces this one.
     */
    connect: (target: NodeTarget) =>
      whilePending(async () => {
        const isNewest = newAttempt();
        const login = await loginFor(target, options);
        if (!isNewest()) throw connectingCancelledError();
        const reached = await reach(login, isNewest);
        // The node accepted the login. Failing to write the list of profiles must not end the connection.
        await login.remember().catch(() => undefined);
        return reached;
      }),
    /** Connects to a node that the app started itself. Nothing about it is remembered. */
    connectToStarted: (started: StartedNode) => whilePending(() => reach(started, newAttempt(), started)),
    /** Whether an attempt to connect is running. */
    isConnecting: () => pending > 0,
    async disconnect(): Promise<void> {
      newAttempt();
      switchTo(null);
      update({ state: 'none' });
    },
    /** Refreshes the status at once, because something happened to the node. */
    pollNow: () => watch?.pollNow(),
    /** Refreshes the session if another program listens at the address now. Never throws. */
    refreshIfReplaced: async () => watch?.pollIfReplaced(),
    /** Uses this folder as the node's wallets folder. Throws AppError if the node does not prove it. */
    async useWalletsFolder(folder: string): Promise<Connection> {
      if (watch === null) throw notConnectedError();
      await watch.useWalletsFolder(folder);
      return current;
    },
    current: () => current,
    /**
     * Stays usable while the connection is lost. Throws AppError `not_connected` before the node was ready for the
     * first time.
     */
    session(): Session {
      const session = watch?.session() ?? null;
      if (session === null) throw notConnectedError();
      return session;
    },
    /** Closes every connection, including those of jobs on earlier nodes. */
    async close(): Promise<void> {
      newAttempt();
      switchTo(null);
      await Promise.all([...clients].map((client) => client.close()));
    },
  };
}

interface TargetLogin extends NodeLogin {
  /** Called after the node accepts the login. */
  remember(): Promise<unknown>;
}

async function loginFor(
  target: NodeTarget,
  { profiles, discovery }: ConnectionOptions,
): Promise<TargetLogin> {
  switch (target.by) {
    case 'found':
      return { ...(await discovery.loginOf(target.id)), remember: async () => undefined };
    case 'profile':
      return {
        ...(await profiles.loginOf(target.id, target.password)),
        remember: () => profiles.recordUse(target.id, target.password),
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
    overOneConnection: (work) =>
      client.overOneConnection((connection) => work(guardClient(connection, mayLoad))),
  };
}

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
  { signal, pollMs = 15_000 }: { signal: AbortSignal; pollMs?: number },
): Promise<void> {
  while (!signal.aborted && deps.connection.current().state === 'none') {
    try {
      if (mayConnect(deps)) await tryOnce(node, deps);
    } catch {
      // The node may not be running yet: try again later.
    }
    if (deps.connection.current().state !== 'none') return;
    await waitUnlessAborted(pollMs, signal);
  }
}

async function tryOnce(node: NodeIdentity, deps: ReconnectDeps): Promise<void> {
  const { address, network, walletsFolder } = node;
  if (node.offline) {
    await deps.engine.start({ walletsFolder, network });
    return;
  }
  const found = (await deps.discovery.discover()).find((each) => isFound(each, node));
  if (found && mayConnect(deps)) {
    await deps.connection.connect({ by: 'found', id: found.id });
    return;
  }
  const profile = (await deps.profiles.list()).find(
    (each) =>
      isSameAddress(each.address, address) && (each.login.by === 'cookie' || each.login.passwordSaved),
  );
  if (profile && mayConnect(deps)) await deps.connection.connect({ by: 'profile', id: profile.id });
}

/** Never interrupts a connection that the user started. */
function mayConnect({ connection }: ReconnectDeps): boolean {
  return connection.current().state === 'none' && !connection.isConnecting();
}

/** A node that is not ready is matched by network and address; after connecting, the whole identity decides. */
function isFound({ address, network, state }: FoundNode, known: NodeIdentity): boolean {
  if (state.state === 'ready') return isSameNode(known, identityOf(state.node));
  return state.state !== 'failed' && network === known.network && isSameAddress(address, known.address);
}
