/** Every operation the app knows of, newest first, as its snapshots arrive. */
import { create } from 'zustand';
import type { Operation } from '../../shared/operation.ts';
import { attempt } from './attempt.ts';
import { bridge } from './bridge/bridge.ts';
import { until } from './until.ts';
import { useWallets } from './walletsStore.ts';

interface OperationsState {
  operations: Operation[];
  /** Whether the list came, so that what is not in it is not there. */
  listed: boolean;
  /** Paths of what the app wrote down of operations that it cannot tell of any more. */
  unreadable: string[];
  /** Fetches what runs already and listens; called once when the page starts. */
  start(): Promise<void>;
  /** One that was begun just now: its first events may have come before. */
  note(operation: Operation): void;
  stopWaiting(id: string): Promise<void>;
}

export const useOperations = create<OperationsState>()((set, get) => {
  /** A snapshot takes its place, or the first one when it is new. */
  function receive(operation: Operation): void {
    set(({ operations }) => ({
      operations: operations.some(({ id }) => id === operation.id)
        ? operations.map((known) => (known.id === operation.id ? operation : known))
        : [operation, ...operations],
    }));
    // What ended has changed which wallets there are.
    if (operation.state !== 'running') void useWallets.getState().refresh();
  }

  async function list(): Promise<void> {
    const before = get().operations;
    const result = await attempt(() => bridge.call('operations.list', {}));
    if (!result.ok) return;
    const { operations: listed, unreadable } = result.value;
    set(({ operations }) => {
      // Snapshots that came while the list was on its way are newer than it.
      const newer = operations.filter((operation) => !before.includes(operation));
      const unlisted = newer.filter(({ id }) => !listed.some((operation) => operation.id === id));
      const merged = listed.map((operation) => newer.find(({ id }) => id === operation.id) ?? operation);
      return { operations: [...unlisted, ...merged], unreadable, listed: true };
    });
  }

  return {
    operations: [],
    unreadable: [],
    listed: false,
    async start() {
      bridge.on('operation', receive);
      bridge.watch((reachable) => reachable && void list());
      await list();
    },
    note(operation) {
      if (!get().operations.some(({ id }) => id === operation.id)) receive(operation);
    },
    async stopWaiting(id) {
      await attempt(() => bridge.call('operations.stopWaiting', { id }));
    },
  };
});

/** One operation by its id, live; null when it is not known. */
export function useOperation(id: string | null): Operation | null {
  return useOperations(({ operations }) => operations.find((operation) => operation.id === id) ?? null);
}

export const isRunning = (operation: Operation): boolean => operation.state === 'running';

/** Resolves once it does not run any more. */
export function ended(id: string): Promise<true> {
  return until(useOperations.subscribe, () => {
    const now = useOperations.getState().operations.find((operation) => operation.id === id);
    return (now !== undefined && !isRunning(now)) || null;
  });
}
