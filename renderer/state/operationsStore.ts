/** Every operation the app knows of, newest first, as its snapshots arrive. */
import { create } from 'zustand';
import type { Input } from '../../shared/contract.ts';
import type { AppErrorShape } from '../../shared/errors.ts';
import type { Operation } from '../../shared/operation.ts';
import { attempt } from './attempt.ts';
import { bridge } from './bridge/bridge.ts';
import { useWallets } from './walletsStore.ts';

type Started = { operation: Operation } | { error: AppErrorShape };

interface OperationsState {
  operations: Operation[];
  /** Fetches what runs already and listens; called once when the page starts. */
  start(): Promise<void>;
  restore(input: Input<'restore.start'>): Promise<Started>;
  /** The passphrase goes straight through to the main process; nothing of it stays here. */
  migrate(input: Input<'migrate.start'>): Promise<Started>;
  /** The same for the passphrase. */
  restoreMigrate(input: Input<'restoreMigrate.start'>): Promise<Started>;
  backUp(input: Input<'backup.start'>): Promise<Started>;
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
    const listed = result.value.operations;
    set(({ operations }) => {
      // Snapshots that came while the list was on its way are newer than it.
      const newer = operations.filter((operation) => !before.includes(operation));
      const unlisted = newer.filter(({ id }) => !listed.some((operation) => operation.id === id));
      const merged = listed.map((operation) => newer.find(({ id }) => id === operation.id) ?? operation);
      return { operations: [...unlisted, ...merged] };
    });
  }

  async function begin(work: () => Promise<Operation>): Promise<Started> {
    const result = await attempt(work);
    if (!result.ok) return { error: result.error };
    // Its first events may have come before this answer; they are newer.
    const known = useOperations.getState().operations.find(({ id }) => id === result.value.id);
    if (!known) receive(result.value);
    return { operation: known ?? result.value };
  }

  return {
    operations: [],
    async start() {
      bridge.on('operation', receive);
      bridge.watch((reachable) => reachable && void list());
      await list();
    },
    restore: (input) => begin(() => bridge.call('restore.start', input)),
    migrate: (input) => begin(() => bridge.call('migrate.start', input)),
    restoreMigrate: (input) => begin(() => bridge.call('restoreMigrate.start', input)),
    backUp: (input) => begin(() => bridge.call('backup.start', input)),
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
