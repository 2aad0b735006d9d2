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
import { attempt } from './attempt.ts';
import { bridge } from './bridge/bridge.ts';
import { until } from './until.ts';
import { useWallets } from './walletsStore.ts';

/** The places of the app. */
export const place = z.discriminatedUnion('at', [
  /** A file to open, the nodes of this computer. */
  z.object({ at: z.literal('start') }),
  z.object({ at: z.literal('connect') }),
  z.object({ at: z.literal('wallets') }),
  /** The plans of what is to be done: see `usePlans`. */
  z.object({ at: z.literal('check') }),
  /** A job that was begun. */
  z.object({ at: z.literal('job'), id: z.string() }),
  /**
   * A wallet file that is looked into. Needs no node. `searched`: for keys, whatever it is, of this network. `unchecked`: it was
   * made of a descriptor without its checksum.
   */
  z.object({
    at: z.literal('inspect'),
    source: walletSource,
    searched: z.object({ network: network.nullable() }).optional(),
    unchecked: z.literal(true).optional(),
  }),
  z.object({ at: z.literal('activity') }),
  z.object({ at: z.literal('settings') }),
]);
export type Place = z.infer<typeof place>;

interface AppState {
  info: AppInfo | null;
  connection: Connection;
  place: Place;
  /** Whether the help stands beside the place. */
  help: boolean;
  settings: Settings;
  /** Where connecting leads: a file that was given before there was a node. Null: the wallets. */
  afterConnect: Place | null;
  /** True while a node is being reached at the user's wish. */
  connecting: boolean;
  /** False while the page has lost the app that serves it (browser entry). */
  served: boolean;
  /** Why the app could not start. */
  failure: AppErrorShape | null;
  start(): Promise<void>;
  showHelp(shown: boolean): void;
  /** Holds at once. Gives the error where it could not be written down, or null. */
  setSettings(settings: Settings): Promise<AppErrorShape | null>;
  /** Goes to the connect place, and from there to `place` once there is another node. */
  connectThen(place: Place): void;
  /** Connects and goes to the wallets. Throws AppError. */
  connect(target: Target): Promise<void>;
  /** The same with the built-in offline engine, which is started on a folder of wallets. */
  workOffline(place: Input<'engine.start'>): Promise<void>;
  disconnect(): Promise<void>;
}

/** Where the app opens. */
const START: Place = { at: 'start' };

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

  /** Where a node was chosen: it is left once, by what comes first of the answer and the event. */
  let chosenAt: Place | null = null;

  /** To where the user was going, unless they went elsewhere meanwhile. */
  function leaveConnect(): void {
    if (get().place !== chosenAt) return;
    chosenAt = null;
    set(({ afterConnect }) => ({ place: afterConnect ?? { at: 'wallets' }, afterConnect: null }));
  }

  async function reach(work: () => Promise<Connection>): Promise<void> {
    const { place } = get();
    chosenAt = ['start', 'connect'].includes(place.at) ? place : null;
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
    place: START,
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
      bridge.on('showPlace', ({ place }) => {
        if (place === 'help') get().showHelp(true);
        else go({ at: place });
      });
      bridge.watch((served) => {
        set({ served });
        if (served) void attempt(ask);
      });
      const begun = await attempt(() => Promise.all([bridge.call('app.info', {}), ask()]));
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

    connectThen: (place) => set({ place: { at: 'connect' }, afterConnect: place }),

    connect: (target) => reach(() => bridge.call('nodes.connect', target)),
    workOffline: (place) => reach(() => bridge.call('engine.start', place)),

    async disconnect() {
      await attempt(() => bridge.call('nodes.disconnect', {}));
      settle({ state: 'none' });
      go({ at: 'connect' });
    },
  };
});

/** Goes to a place. */
export function go(place: Place): void {
  const { place: left, connection } = useApp.getState();
  // A file that is waiting for a node is gone back to once there is one.
  const waits = ['check', 'inspect'].includes(left.at) && connection.state === 'none';
  useApp.setState({ place, afterConnect: place.at === 'connect' && waits ? left : null });
}

/** Looks into a file of this computer. */
export function openFile(path: string): void {
  go({ at: 'inspect', source: { by: 'file', path } });
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
