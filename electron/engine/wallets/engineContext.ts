/** What the engine's calls work on: built once when it starts. */
import type { EngineState } from './engineState.ts';
import type { Basis } from './readWalletFile.ts';
import type { StartupList } from './settings.ts';
import type { Wallets } from './wallets.ts';

export interface Engine extends Basis {
  readonly state: EngineState;
  readonly startup: StartupList;
  readonly wallets: Wallets;
  /** Those that are being run, oldest first, and since when by `performance.now()`. */
  readonly activeCalls: Set<{ readonly method: string; readonly since: number }>;
  /** `-deprecatedrpc=walletwarningfield`. */
  readonly walletWarningField: boolean;
  /** Whole seconds since it started. */
  uptime(): number;
  /** Unix seconds. */
  now(): number;
  /** Ends the engine once the calls under way are answered. */
  stop(): void;
}
