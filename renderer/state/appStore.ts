/** Where the user is, what the app runs on, and which node it is connected to. */
import { create } from 'zustand';
import type { AppInfo, EventValue, Input, Target, WalletSource } from '../../shared/contract.ts';
import type { AppErrorShape } from '../../shared/errors.ts';
import {
  type Connection,
  identityOf,
  type NodeAddress,
  type NodeIdentity,
  type NodeStatus,
  sameNode,
} from '../../shared/node.ts';
import { attempt } from './attempt.ts';
import { bridge } from './bridge/bridge.ts';
import { useWallets } from './walletsStore.ts';

/** The places of the app. */
export type Place =
  /** A file to open, the nodes of this computer. */
  | { at: 'start' }
  | { at: 'connect' }
  | { at: 'wallets' }
  /** The plans of what is to be done: see `usePlans`. */
  | { at: 'check' }
  /** A crossing that was begun. */
  | { at: 'crossing'; id: string }
  /** A wallet file that is looked into. Needs no node. */
  | { at: 'inspect'; source: WalletSource }
  | { at: 'activity' }
  /** What to do with an old wallet file, and what the words mean. */
  | { at: 'guide' };

interface AppState {
  info: AppInfo | null;
  connection: Connection;
  place: Place;
  /** Where connecting leads: a file that was given before there was a node. Null: the wallets. */
  afterConnect: Place | null;
  /** True while a node is being reached at the user's wish. */
  connecting: boolean;
  /** False while the page has lost the app that serves it (browser entry). */
  served: boolean;
  /** Why the app could not start. */
  failure: AppErrorShape | null;
  start(): Promise<void>;
  go(place: Place): void;
  /** Goes to the connect place, and from there to `place` once there is another node. */
  connectThen(place: Place): void;
  /** Connects and goes to the wallets. Gives the error, or null. */
  connect(target: Target): Promise<AppErrorShape | null>;
  /** The same with the built-in offline engine, which is started on a folder of wallets. */
  workOffline(place: Input<'engine.start'>): Promise<AppErrorShape | null>;
  disconnect(): Promise<void>;
}

/** Where the app opens. */
const START: Place = { at: 'start' };

export const useApp = create<AppState>()((set, get) => {
  /** Takes over what the app says of its node, with what follows from it. */
  function settle(connection: Connection): void {
    const before = get().connection;
    set({ connection });
    const [was, is] = [addressOf(before), addressOf(connection)];
    if (was !== is) useWallets.getState().clear();
    const arrived = connection.state === 'connected' && (before.state !== 'connected' || was !== is);
    if (arrived) void useWallets.getState().refresh();
    if (arrived && was !== is) leaveConnect();
  }

  /** Where a node was chosen: it is left once, by what comes first of the answer and the event. */
  let chosenAt: Place | null = START;

  /** To where the user was going, unless they went elsewhere meanwhile. */
  function leaveConnect(): void {
    if (get().place !== chosenAt) return;
    chosenAt = null;
    set(({ afterConnect }) => ({ place: afterConnect ?? { at: 'wallets' }, afterConnect: null }));
  }

  async function reach(work: () => Promise<Connection>): Promise<AppErrorShape | null> {
    const { place } = get();
    chosenAt = ['start', 'connect'].includes(place.at) ? place : null;
    set({ connecting: true });
    const result = await attempt(work);
    set({ connecting: false });
    if (!result.ok) return result.error;
    // The event of a node that is ready by now may have overtaken the answer that it was starting.
    const overtaken = result.value.state === 'starting' && get().connection.state === 'connected';
    if (!overtaken) settle(result.value);
    if (get().connection.state === 'connected') leaveConnect();
    return null;
  }

  return {
    info: null,
    connection: { state: 'none' },
    place: START,
    afterConnect: null,
    connecting: false,
    served: true,
    failure: null,

    async start() {
      bridge.on('connection', settle);
      bridge.on('showPlace', ({ place }) => get().go(emptyPlace[place]));
      bridge.watch((served) => {
        set({ served });
        if (!served) return;
        void attempt(async () => settle(await bridge.call('nodes.connection', {})));
      });
      const begun = await attempt(() =>
        Promise.all([bridge.call('app.info', {}), bridge.call('nodes.connection', {})]),
      );
      if (!begun.ok) return set({ failure: begun.error });
      const [info, connection] = begun.value;
      set({ info });
      settle(connection);
      if (connection.state === 'lost') leaveConnect();
    },

    go(place) {
      const { place: left, connection } = get();
      // A file that is waiting for a node is gone back to once there is one.
      const waits = ['check', 'inspect'].includes(left.at) && connection.state === 'none';
      set({ place, afterConnect: place.at === 'connect' && waits ? left : null });
    },

    connectThen: (place) => set({ place: { at: 'connect' }, afterConnect: place }),

    connect: (target) => reach(() => bridge.call('nodes.connect', target)),
    workOffline: (place) => reach(() => bridge.call('engine.start', place)),

    async disconnect() {
      await attempt(() => bridge.call('nodes.disconnect', {}));
      settle({ state: 'none' });
      get().go({ at: 'connect' });
    },
  };
});

/** Goes to a place. */
export function go(place: Place): void {
  useApp.getState().go(place);
}

/** Looks into a file of this computer. */
export function openFile(path: string): void {
  go({ at: 'inspect', source: { by: 'file', path } });
}

/** A place of the menu, with nothing chosen in it yet. */
const emptyPlace: Readonly<Record<EventValue<'showPlace'>['place'], Place>> = {
  start: { at: 'start' },
  guide: { at: 'guide' },
};

/** What tells one node from another; null when there is none. */
function addressOf(connection: Connection): string | null {
  if (connection.state !== 'connected' && connection.state !== 'lost') return null;
  const { host, port, tls } = connection.node.address;
  return `${tls} ${host} ${port}`;
}

/** The node in use, also while its line is lost; null when there is none. */
export function useNode(): NodeStatus | null {
  return useApp(({ connection }) =>
    connection.state === 'connected' || connection.state === 'lost' ? connection.node : null,
  );
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
