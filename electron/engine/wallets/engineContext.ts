/** What the engine's calls work on: built once when it starts. */
import { basename, dirname, join, resolve } from 'node:path';
import type { Network } from '../../../shared/network.ts';
import type { Dialect } from '../rpc/dialect.ts';
import type { EngineState } from './engineState.ts';
import type { EngineLog } from './log.ts';
import type { StartupList } from './settings.ts';
import type { Wallets } from './wallets.ts';
import type { Work } from './work.ts';

export interface Engine {
  readonly dialect: Dialect;
  readonly network: Network;
  readonly layout: FolderLayout;
  readonly state: EngineState;
  readonly log: EngineLog;
  readonly startup: StartupList;
  readonly wallets: Wallets;
  readonly activeCalls: ActiveCalls;
  readonly work: Work;
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

/** Where the engine keeps its files beside a folder of wallets: as a node lays them out. */
export interface FolderLayout {
  readonly walletsFolder: string;
  /** `wallets` lies in the chain's folder; a wallets folder of another name is the chain's folder itself. */
  readonly chainFolder: string;
  readonly log: string;
  readonly settings: string;
  /** Not a node's `.cookie`: a node that starts later writes its own there. */
  readonly cookie: string;
}

export function folderLayout(wallets: string): FolderLayout {
  const walletsFolder = resolve(wallets);
  const chainFolder = basename(walletsFolder) === 'wallets' ? dirname(walletsFolder) : walletsFolder;
  return {
    walletsFolder,
    chainFolder,
    log: join(chainFolder, 'debug.log'),
    settings: join(chainFolder, 'settings.json'),
    cookie: join(chainFolder, '.engine.cookie'),
  };
}

/** The calls that are being run, for `getrpcinfo`. */
interface ActiveCalls {
  /** Begins a call; the function it gives ends it. */
  begin(method: string): () => void;
  /** Oldest first; durations in microseconds. */
  list(): { method: string; duration: number }[];
}

export function makeActiveCalls(): ActiveCalls {
  const running = new Set<{ method: string; since: number }>();
  return {
    begin: (method) => {
      const call = { method, since: performance.now() };
      running.add(call);
      return () => running.delete(call);
    },
    list: () =>
      [...running].map(({ method, since }) => ({
        method,
        duration: Math.round((performance.now() - since) * 1000),
      })),
  };
}
