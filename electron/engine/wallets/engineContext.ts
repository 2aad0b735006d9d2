/** The state that the engine's RPC methods share. Built once at start. */
import type { EngineState } from './engineState.ts';
import type { Basis } from './readWalletFile.ts';
import type { StartupList } from './settings.ts';
import type { Wallets } from './wallets.ts';

export interface Engine extends Basis {
  readonly state: EngineState;
  readonly startup: StartupList;
  readonly wallets: Wallets;
  /** The calls that run now, oldest first. `since`: their start by `performance.now()`. */
  readonly activeCalls: Set<{ readonly method: string; readonly since: number }>;
  /** `-deprecatedrpc=walletwarningfield`. */
  readonly walletWarningField: boolean;
  /** Whole seconds since the engine started. */
  uptime(): number;
  /** Unix seconds. */
  now(): number;
  /** Ends the engine after it has answered the running calls. */
  stop(): void;
}
