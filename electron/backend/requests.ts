/**
 * Answers the contract's requests: decodes and checks the input, calls the handler, checks and encodes the output. Includes
 * the handlers for the app itself. Each other feature has its own file.
 */
import { z } from 'zod/mini';
import {
  type AppInfo,
  type EventName,
  type EventValue,
  type Input,
  isRequestName,
  type Output,
  type RequestName,
  requestTable,
} from '../../shared/contract.ts';
import { AppError } from '../../shared/model/errors.ts';
import type { SearchProgress } from '../../shared/model/searches.ts';
import { checkedInput, errorShapeOf } from '../../shared/wording/findings/findingWords.ts';
import { notSent } from '../../shared/wording/findings/hints.ts';
import { configureRegion, say } from '../../shared/wording/say.ts';
import type { NodeConnection } from '../bitcoind/connection/connection.ts';
import type { OfflineEngine } from '../bitcoind/connection/offlineEngine.ts';
import type { Discovery } from '../bitcoind/discovery/discovery.ts';
import type { Profiles } from '../bitcoind/discovery/profiles.ts';
import { writeError } from '../files/fileError.ts';
import type { Plans } from '../jobs/plan/plans.ts';
import type { WalletFiles } from '../jobs/plan/walletFiles.ts';
import type { BusyWallets } from '../jobs/run/busyWallets.ts';
import type { Jobs } from '../jobs/run/jobs.ts';
import type { Interruptions } from '../jobs/safetyCopies/interruptions.ts';
import type { SafetyCopies } from '../jobs/safetyCopies/safetyCopies.ts';
import type { FileTasks, WalletWork } from '../workers/walletWork.ts';
import type { Host, Services } from './host.ts';
import type { PathGuard } from './pathGuard.ts';
import type { SettingsStore } from './settings.ts';

/** `Services['call']`. */
export function answerRequests(
  deps: Pick<RequestDeps, 'pathGuard' | 'failed'>,
  handlers: Handlers<string>,
): Services['call'] {
  async function answer<N extends RequestName>(name: N, input: unknown, signal: AbortSignal) {
    const shapes = requestTable[name];
    const data = checkedInput(shapes.input.safeParse(input));
    deps.pathGuard?.refuseNetworkPaths(data);
    return z.encode(shapes.output, await handlers[name](data, signal));
  }
  return async (name, input, signal = new AbortController().signal) => {
    try {
      if (!isRequestName(name)) {
        throw new AppError('bad_input', say('Unknown request.'), notSent());
      }
      return { ok: true, value: await answer(name, input, signal) };
    } catch (thrown) {
      deps.failed(isRequestName(name) ? name : 'unknown request', thrown);
      return { ok: false, error: errorShapeOf(thrown) };
    }
  };
}

/** The handlers of the requests about the app itself. */
export function appRequests(deps: RequestDeps): Handlers<'app' | 'settings' | 'tasks'> {
  const { host, info, settings, tasks, emit } = deps;
  return {
    'app.info': async ({ languages }) => {
      if (languages !== undefined) configureRegion(languages);
      // The page listens to events before it sends this, its first request.
      deps.pageListens();
      return { ...info, settings: settings.current() };
    },
    'app.at': withoutResult(({ route, waits = false }) => {
      deps.pageWaits(waits);
      host.routeChanged?.(route);
    }),
    'settings.change': withoutResult((next) => {
      try {
        settings.change(next);
      } catch (error) {
        throw writeError(error, info.dataFolder);
      } finally {
        emit('settings', settings.current());
      }
    }),
    'tasks.cancel': withoutResult(({ task }) => tasks.cancel(task)),
  };
}

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
  readonly pathGuard: PathGuard | null;
  emit<N extends EventName>(name: N, value: EventValue<N>): void;
  failed(request: string, error: unknown): void;
  pageListens(): void;
  pageWaits(waits: boolean): void;
}

/** The handler of each request whose name starts with `F` and a dot. `signal` aborts when nobody waits for the answer. */
export type Handlers<F extends string> = {
  readonly [N in Extract<RequestName, `${F}.${string}`>]: (
    input: Input<N>,
    signal: AbortSignal,
  ) => Promise<Output<N>>;
};

/**
 * Makes handlers of work on a file. The work ends when the page cancels its task, and with its request unless it `outlives` that.
 * `endless` work may take hours.
 */
export function taskRunner(tasks: FileTasks) {
  return <I extends { task?: string | undefined }, O>(
    work: (input: NoInfer<I>, signal: AbortSignal) => Promise<O>,
    { endless = false, outlives = false } = {},
  ) =>
    (input: I, signal: AbortSignal): Promise<O> =>
      tasks.run({ signal: outlives ? NEVER : signal, task: input.task, endless }, (taskSignal) =>
        work(input, taskSignal),
      );
}

const NEVER = new AbortController().signal;

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
