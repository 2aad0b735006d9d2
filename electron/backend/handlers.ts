/** The handlers of requests: their type, the services they use, and the helpers that the features share. */
import type { AppInfo, EventName, EventValue, Input, Output, RequestName } from '../../shared/contract.ts';
import type { NodeStatus } from '../../shared/model/node.ts';
import type { SearchProgress } from '../../shared/model/search/searches.ts';
import type { NodeConnection } from '../bitcoind/connection/connection.ts';
import type { OfflineEngine } from '../bitcoind/connection/offlineEngine.ts';
import type { Discovery } from '../bitcoind/discovery/discovery.ts';
import type { Profiles } from '../bitcoind/discovery/profiles.ts';
import type { Plans } from '../jobs/plan/plans.ts';
import type { WalletFiles } from '../jobs/plan/walletFiles.ts';
import type { BusyWallets } from '../jobs/run/busyWallets.ts';
import type { Jobs } from '../jobs/run/jobs.ts';
import type { Interruptions } from '../jobs/safetyCopies/interruptions.ts';
import type { SafetyCopies } from '../jobs/safetyCopies/safetyCopies.ts';
import type { FileTasks } from '../workers/fileTasks.ts';
import type { WalletWork } from '../workers/walletWork.ts';
import type { Host } from './host.ts';
import type { PageWrites } from './pageWrites.ts';
import type { SettingsStore } from './settings.ts';

/** The services that handlers use. */
export interface RequestDeps {
  readonly host: Host;
  readonly info: Omit<AppInfo, 'settings'>;
  readonly settings: SettingsStore;
  readonly profiles: Profiles;
  readonly discovery: Discovery;
  readonly connection: NodeConnection;
  readonly engine: OfflineEngine;
  readonly busy: BusyWallets;
  readonly tasks: FileTasks;
  readonly walletWork: WalletWork;
  readonly walletFiles: WalletFiles;
  readonly plans: Plans;
  readonly copies: SafetyCopies;
  readonly interruptions: Interruptions;
  readonly jobs: Jobs;
  /** Null in a terminal: the user typed every path there. */
  readonly writes: PageWrites | null;
  emit<N extends EventName>(name: N, value: EventValue<N>): void;
  failed(request: string, error: unknown): void;
  pageListens(): void;
  /** Ends the engine unless somebody is connected to it or a job runs in it. */
  leaveEngine(): void;
}

/** The handler of each request whose name starts with `F` and a dot. `signal` aborts when nobody waits for the answer. */
export type Handlers<F extends string> = {
  readonly [N in Extract<RequestName, `${F}.${string}`>]: (
    input: Input<N>,
    signal: AbortSignal,
  ) => Promise<Output<N>>;
};

/**
 * Makes handlers of work on a file: the work ends with its request, or when the page cancels its task. `endless` work may
 * take hours.
 */
export function taskRunner(tasks: FileTasks) {
  return <I extends { task?: string | undefined }, O>(
    work: (input: NoInfer<I>, signal: AbortSignal) => Promise<O>,
    { endless = false } = {},
  ) =>
    (input: I, signal: AbortSignal): Promise<O> =>
      tasks.run({ signal, task: input.task, endless }, (taskSignal) => work(input, taskSignal));
}

/** Emits the progress of the search that runs as `task`. */
export function searchReporter({ emit }: Pick<RequestDeps, 'emit'>, task: string) {
  return (progress: SearchProgress) => emit('searchProgress', { task, ...progress });
}

/** Makes a handler of work that has no result. */
export function withoutResult<I>(work: (input: I) => unknown) {
  return async (input: I): Promise<Record<string, never>> => {
    await work(input);
    return {};
  };
}

/** Null while no node is connected. */
export function currentNode(connection: NodeConnection): NodeStatus | null {
  const current = connection.current();
  return 'node' in current ? current.node : null;
}
