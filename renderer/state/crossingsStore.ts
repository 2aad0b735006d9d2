/** Every crossing the app knows of, newest first, as its snapshots arrive. */
import { create } from 'zustand';
import type { Crossing } from '../../shared/model/crossing.ts';
import { attempt } from './attempt.ts';
import { bridge } from './bridge/bridge.ts';
import { until } from './until.ts';
import { useWallets } from './walletsStore.ts';

interface CrossingsState {
  crossings: Crossing[];
  /** Whether the list came, so that what is not in it is not there. */
  listed: boolean;
  /** Paths of what the app wrote down of crossings that it cannot tell of any more. */
  unreadable: string[];
  /** Fetches what runs already and listens; called once when the page starts. */
  start(): Promise<void>;
  /** One that was begun just now: its first events may have come before. */
  note(crossing: Crossing): void;
}

export const useCrossings = create<CrossingsState>()((set, get) => {
  function receive(crossing: Crossing): void {
    set(({ crossings }) => ({ crossings: put(crossings, crossing) }));
    // What ended has changed which wallets there are.
    if (crossing.state !== 'running') void useWallets.getState().refresh();
  }

  async function list(): Promise<void> {
    const before = get().crossings;
    const result = await attempt(() => bridge.call('crossings.list', {}));
    if (!result.ok) return;
    const { crossings: listed, unreadable } = result.value;
    // Snapshots that came while the list was on its way are newer than it.
    const newer = get().crossings.filter((crossing) => !before.includes(crossing));
    set({ crossings: newer.reduceRight(put, listed), unreadable, listed: true });
  }

  return {
    crossings: [],
    unreadable: [],
    listed: false,
    async start() {
      bridge.on('crossing', receive);
      bridge.watch((reachable) => reachable && void list());
      await list();
    },
    note(crossing) {
      if (!get().crossings.some(({ id }) => id === crossing.id)) receive(crossing);
    },
  };
});

/** A snapshot takes its place, or the first one when it is new. */
function put(crossings: Crossing[], crossing: Crossing): Crossing[] {
  return crossings.some(({ id }) => id === crossing.id)
    ? crossings.map((known) => (known.id === crossing.id ? crossing : known))
    : [crossing, ...crossings];
}

export const isRunning = (crossing: Crossing): boolean => crossing.state === 'running';

/** Resolves once it does not run any more. */
export function ended(id: string): Promise<true> {
  return until(useCrossings.subscribe, () => {
    const now = useCrossings.getState().crossings.find((crossing) => crossing.id === id);
    return (now !== undefined && !isRunning(now)) || null;
  });
}
