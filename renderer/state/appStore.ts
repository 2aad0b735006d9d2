/** Where the user is, what the app runs on, and which node it is connected to. */
import { create } from 'zustand';
import type { Target } from '../../shared/contract.ts';
import type { AppErrorShape } from '../../shared/errors.ts';
import type { AppInfo, Connection, NodeStatus } from '../../shared/model.ts';
import { bridge } from '../bridge.ts';
import { attempt } from './attempt.ts';

/** The places of the app. A wizard is a place too, so that the frame stays around it. */
export type Place =
  | { at: 'connect' }
  | { at: 'wallets' }
  /** `file`: a backup that was dropped, opened or found; `operation`: one that already runs. */
  | { at: 'restore'; file: string | null; operation: string | null }
  | { at: 'migrate'; wallet: string | null; operation: string | null }
  | { at: 'backup'; wallet: string }
  | { at: 'activity' };

interface AppState {
  info: AppInfo | null;
  connection: Connection;
  place: Place;
  /** Why the app could not start. */
  failure: AppErrorShape | null;
  start(): Promise<void>;
  go(place: Place): void;
  /** Connects and goes to the wallets. Gives the error, or null. */
  connect(target: Target): Promise<AppErrorShape | null>;
  disconnect(): Promise<void>;
}

export const useApp = create<AppState>()((set, get) => ({
  info: null,
  connection: { state: 'none' },
  place: { at: 'connect' },
  failure: null,

  async start() {
    bridge.on('connection', (connection) => {
      const before = get().connection.state;
      set({ connection });
      if (before === 'starting' && connection.state === 'connected') get().go({ at: 'wallets' });
    });
    bridge.on('openFile', ({ path }) => get().go({ at: 'restore', file: path, operation: null }));
    const begun = await attempt(async () => ({
      info: await bridge.call('app.info', {}),
      connection: await bridge.call('nodes.connection', {}),
    }));
    if (!begun.ok) return set({ failure: begun.error });
    const { info, connection } = begun.value;
    set({ info, connection });
    if (connection.state === 'connected' || connection.state === 'lost') set({ place: { at: 'wallets' } });
  },

  go: (place) => set({ place }),

  async connect(target) {
    const result = await attempt(() => bridge.call('nodes.connect', target));
    if (!result.ok) return result.error;
    set({ connection: result.value });
    if (result.value.state === 'connected') get().go({ at: 'wallets' });
    return null;
  },

  async disconnect() {
    await attempt(() => bridge.call('nodes.disconnect', {}));
    set({ connection: { state: 'none' }, place: { at: 'connect' } });
  },
}));

/** The node in use, also while its line is lost; null when there is none. */
export function useNode(): NodeStatus | null {
  return useApp(({ connection }) =>
    connection.state === 'connected' || connection.state === 'lost' ? connection.node : null,
  );
}
