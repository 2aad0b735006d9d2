/** What the engine's calls work on: built once when it starts. */
import type { EngineState } from './engineState.ts';
import type { Basis } from './readWalletFile.ts';
import type { StartupList } from './settings.ts';
import type { Wallets } from './wallets.ts';

export interface Engine extends Basis {
  readonly state: EngineState;
  readonly startup: StartupList;
  readonly wallets: Wallets;
  readonly activeCalls: ReturnType<typeof makeActiveCalls>;
  /** `-deprecatedrpc=walletwarningfield`. */
  readonly walletWarningField: boolean;
  /** Whole seconds since it started. */
  uptime(): number;
  /** Unix seconds. */
  now(): number;
  /** Ends the engine once the calls under way are answered. */
  stop(): void;
}

/** The calls that are being run, for `getrpcinfo`. */
export function makeActiveCalls() {
  const running = new Set<{ method: string; since: number }>();
  return {
    /** Begins a call; the function it gives ends it. */
    begin: (method: string): (() => void) => {
      const call = { method, since: performance.now() };
      running.add(call);
      return () => void running.delete(call);
    },
    /** Oldest first; durations in microseconds. */
    list: () =>
      [...running].map(({ method, since }) => ({
        method,
        duration: Math.round((performance.now() - since) * 1000),
      })),
  };
}
