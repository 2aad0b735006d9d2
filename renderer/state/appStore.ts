/** Where the user is, what the app runs on, and which node it is connected to. */
import { z } from 'zod';
import { create } from 'zustand';
import type { AppInfo, Input, Target } from '../../shared/contract.ts';
import type { AppErrorShape } from '../../shared/model/errors.ts';
import { network } from '../../shared/model/network.ts';
import {
  type Connection,
  identityOf,
  type NodeAddress,
  type NodeIdentity,
  type NodeStatus,
  sameNode,
} from '../../shared/model/node.ts';
import { isSameNode } from '../../shared/model/nodeIdentity.ts';
import { walletSource } from '../../shared/model/plan.ts';
import { type Settings, USUAL_SETTINGS } from '../../shared/model/settings.ts';
import { bridge } from './bridge/bridge.ts';
import { useNodes } from './nodesStore.ts';
import { attempt, until } from './tasks.ts';
import { useWallets } from './walletsStore.ts';

export const route = z.discriminatedUnion('at', [
  z.object({ at: z.literal('home') }),
  /**
   * One wallet: a file, or a wallet of the connected node. `job`: the job to show instead of the wallet's newest one.
   * `searched`: a file of any kind, to be searched for keys of this network. `unchecked`: made of a descriptor without
   * its checksum. `tab`: the tab to open.
   */
  z.object({
    at: z.literal('wallet'),
    source: walletSource,
    job: z.string().optional(),
    searched: z.object({ network: network.nullable() }).optional(),
    unchecked: z.literal(true).optional(),
    tab: z.string().optional(),
  }),
  z.object({ at: z.literal('wallets') }),
  /** Plans for several wallets, see `usePlans`. */
  z.object({ at: z.literal('batch') }),
  z.object({ at: z.literal('connect') }),
  z.object({ at: z.literal('history') }),
  z.object({ at: z.literal('settings') }),
]);
export type Route = z.infer<typeof route>;
export type WalletRoute = Extract<Route, { at: 'wallet' }>;

interface AppState {
  info: AppInfo | null;
  connection: Connection;
  route: Route;
  help: boolean;
  settings: Settings;
  /** Where the connect page leads once a node is connected. Null: to all wallets. */
  afterConnect: Route | null;
  /** True while a node is being reached at the user's wish. */
  connecting: boolean;
  /** False while the page has lost the app that serves it (browser entry). */
  served: boolean;
  failure: AppErrorShape | null;
  start(): Promise<void>;
  showHelp(shown: boolean): void;
  /** Holds at once. Gives the error where it could not be written down, or null. */
  setSettings(settings: Settings): Promise<AppErrorShape | null>;
  /** Opens the connect page, which leads to `route` once another node is connected. */
  connectThen(route: Route): void;
  /** Connects to a node. On the connect page, goes on from there. Throws AppError. */
  connect(target: Target): Promise<void>;
  /** The same with the offline engine, which it starts on a folder of wallets. */
  workOffline(start: Input<'engine.start'>): Promise<void>;
  disconnect(): Promise<void>;
  /** Gives a function that brings back the current connection, or the state without one. */
  connectionToKeep(): () => Promise<void>;
}

export const useApp = create<AppState>()((set, get) => {
  /** Takes over what the app says of its node, with what follows from it. */
  function settle(connection: Connection): void {
    const before = get().connection;
    set({ connection });
    const [was, is] = [before, connection].map((one) => JSON.stringify(nodeOf(one)?.address));
    if (was !== is) useWallets.getState().clear();
    const arrived = connection.state === 'connected' && (before.state !== 'connected' || was !== is);
    if (arrived) void useWallets.getState().refresh();
    if (arrived && was !== is) leaveConnect();
  }

  /** How often the app has told of its node by itself. */
  let told = 0;

  /** Takes an answer over, unless the app has told more meanwhile: answers and events come on ways of their own. */
  async function settleBy(work: () => Promise<Connection>): Promise<void> {
    const before = told;
    const answer = await work();
    if (told === before) settle(answer);
  }

  const ask = () => settleBy(() => bridge.call('nodes.connection', {}));

  /** The connect page on which a node was chosen. The answer or the event, whichever comes first, leaves it. */
  let chosenAt: Route | null = null;

  /** Goes on from the connect page, unless the user left it. */
  function leaveConnect(): void {
    if (get().route !== chosenAt) return;
    chosenAt = null;
    set(({ afterConnect }) => ({ route: afterConnect ?? { at: 'wallets' }, afterConnect: null }));
  }

  /** What connected to the current node, if it can be repeated without a secret. */
  let again: (() => Promise<void>) | null = null;

  /** Connects to a node that the app has connected to by itself, if that needs no password. */
  async function reachAgain(address: NodeAddress): Promise<void> {
    const { found, recall } = useNodes.getState();
    const near = found?.find((one) => sameNode(one.address, address));
    if (near !== undefined) return get().connect({ by: 'found', id: near.id });
    await recall();
    const known = useNodes
      .getState()
      .profiles.find(
        ({ address: its, login }) => sameNode(its, address) && (login.by === 'cookie' || login.passwordSaved),
      );
    if (known !== undefined) await get().connect({ by: 'profile', id: known.id });
  }

  async function reach(work: () => Promise<Connection>): Promise<void> {
    const { route } = get();
    chosenAt = route.at === 'connect' ? route : null;
    set({ connecting: true });
    try {
      await settleBy(work);
    } finally {
      set({ connecting: false });
    }
    if (get().connection.state === 'connected') leaveConnect();
  }

  return {
    info: null,
    connection: { state: 'none' },
    route: { at: 'home' },
    help: false,
    settings: USUAL_SETTINGS,
    afterConnect: null,
    connecting: false,
    served: true,
    failure: null,

    async start() {
      bridge.on('connection', (connection) => {
        told += 1;
        settle(connection);
      });
      bridge.on('settings', (settings) => set({ settings }));
      bridge.on('showRoute', ({ route }) => {
        if (route === 'help') get().showHelp(true);
        // The shell opens the dialog for a file.
        else if (route !== 'open') go({ at: route });
      });
      bridge.watch((served) => {
        set({ served });
        if (served) void attempt(ask);
      });
      const begun = await attempt(() =>
        Promise.all([
          bridge.call('app.info', { languages: [...(globalThis.navigator?.languages ?? [])] }),
          ask(),
        ]),
      );
      if (!begun.ok) return set({ failure: begun.error });
      const [info] = begun.value;
      set({ info, settings: info.settings });
    },

    showHelp: (help) => set({ help }),

    async setSettings(settings) {
      set({ settings });
      const changed = await attempt(() => bridge.call('settings.change', settings));
      return changed.ok ? null : changed.error;
    },

    connectThen: (route) => set({ route: { at: 'connect' }, afterConnect: route }),

    async connect(target) {
      await reach(() => bridge.call('nodes.connect', target));
      const hasSecret = target.by === 'hand' ? target.login.by === 'password' : 'password' in target;
      again = hasSecret ? null : () => get().connect(target);
    },

    workOffline: (start) => reach(() => bridge.call('engine.start', start)),

    async disconnect() {
      await attempt(() => bridge.call('nodes.disconnect', {}));
      again = null;
      settle({ state: 'none' });
    },

    connectionToKeep() {
      const { connection } = get();
      if (connection.state === 'none') return () => get().disconnect();
      const node = nodeOf(connection);
      if (node?.offline) {
        const { walletsFolder, network } = node;
        return () => get().workOffline({ walletsFolder, network });
      }
      return again ?? (() => (node === null ? Promise.resolve() : reachAgain(node.address)));
    },
  };
});

export function go(route: Route): void {
  const { route: left, connection } = useApp.getState();
  // The page of a file that waits for a node comes back once there is one.
  const waits = (left.at === 'wallet' || left.at === 'batch') && connection.state === 'none';
  useApp.setState({ route, afterConnect: route.at === 'connect' && waits ? left : null });
}

export function openFile(path: string): void {
  go({ at: 'wallet', source: { by: 'file', path } });
}

/** The node in use, also while its line is lost; null when there is none. */
export function useNode(): NodeStatus | null {
  return useApp(({ connection }) => nodeOf(connection));
}

function nodeOf(connection: Connection): NodeStatus | null {
  return 'node' in connection ? connection.node : null;
}

/** Whether the app is connected to this node and no other. */
export function useIsNodeInUse(address: NodeAddress): boolean {
  const node = useNode();
  return node !== null && sameNode(node.address, address);
}

/** As it is told from others by who it is; null while the app is not connected. */
export function nodeInUse(): NodeIdentity | null {
  const { connection } = useApp.getState();
  return connection.state === 'connected' ? identityOf(connection.node) : null;
}

/** Whether it is this node, once the app is connected to one. A node that is started anew may have another port. */
export function isConnectedTo(node: NodeIdentity): Promise<boolean> {
  return until(useApp.subscribe, () => {
    const now = nodeInUse();
    return now && isSameNode(node, now);
  });
}
