/** What the engine's calls work on: built once when it starts. */
import type { Network } from '../../../shared/network.ts';
import type { ActiveCalls } from '../rpc/activeCalls.ts';
import type { Dialect } from '../rpc/dialect.ts';
import type { EngineState } from './engineState.ts';
import type { FolderLayout } from './folderLayout.ts';
import type { EngineLog } from './log.ts';
import type { StartupList } from './settings.ts';
import type { Wallets } from './wallets.ts';
import type { FileWork, HeavyWork } from './work.ts';

export interface Engine {
  readonly dialect: Dialect;
  readonly network: Network;
  readonly layout: FolderLayout;
  readonly state: EngineState;
  readonly log: EngineLog;
  readonly startup: StartupList;
  readonly wallets: Wallets;
  readonly activeCalls: ActiveCalls;
  readonly heavyWork: HeavyWork;
  readonly fileWork: FileWork;
  /** `-deprecatedrpc=walletwarningfield`. */
  readonly walletWarningField: boolean;
  /** Aborted once the engine is to end: work that was not committed yet is given up. */
  readonly stopping: AbortSignal;
  /** Whole seconds since it started. */
  uptime(): number;
  /** Unix seconds. */
  now(): number;
  /** Ends the engine once the calls under way are answered. */
  stop(): void;
}
