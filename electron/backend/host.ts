/** The interfaces between the services and the entry points: what each entry point provides, and what it can call. */
import type { AppInfo, EventName, EventValue, Input, RequestReply, Settings } from '../../shared/contract.ts';
import { continuesWithoutApp, isBeingChecked, isSent, type Job } from '../../shared/model/job.ts';
import { OTHERS_WAIT, STAYS_UNLOCKED } from '../../shared/wording/jobWords.ts';
import { say } from '../../shared/wording/say.ts';
import type { StartEngineProcess } from '../bitcoind/connection/offlineEngine.ts';
import type { SecretStore } from '../bitcoind/discovery/profiles.ts';

export type PickOptions = Input<'files.pick'>;

export interface Host {
  readonly entry: AppInfo['entry'];
  readonly secrets: SecretStore;
  /** Called when the page shows another route, for an entry point with a menu. */
  routeChanged?(route: string): void;
  canShowInFolder(): boolean;
  /** Opens the file manager with an existing file selected. Throws AppError `not_available_here`. */
  showInFolder(path: string): Promise<void>;
  /** Shows the system's dialog; null if the user closed it. Throws `not_available_here` if the system has none. */
  pickFile(options: PickOptions): Promise<string | null>;
  /** Prints the page, which shows the record on paper then, as a PDF; missing if the entry point cannot. */
  printPdf?(): Promise<Uint8Array>;
  /** Starts the offline engine as a process that ends with the app. */
  readonly startEngine: StartEngineProcess;
}

/** The back end, as every entry point sees it. */
export interface Services {
  /**
   * Runs one request of the contract on its encoded input. Never throws: the answer holds the error. `signal` aborts when
   * nobody waits for the answer any more, which ends work that only reads a file.
   */
  call(name: string, input: unknown, signal?: AbortSignal): Promise<RequestReply>;
  /** Passes on every event, encoded, until the returned function is called. */
  subscribe(listener: (name: EventName, value: unknown) => void): () => void;
  settings(): Settings;
  running(): readonly Job[];
  /** Whether the page has plans or backups that wait for their start, and end with it. */
  waits(): boolean;
  /** Tells the page to open a file that the system passed to the app. */
  openFile(path: string): void;
  /** Tells the page to show a route, such as from the menu. */
  showRoute(route: EventValue<'showRoute'>['route']): void;
  close(): Promise<void>;
}

/** Tells a user who closes the app what happens to the running jobs, and to what waits for its start: at least one of them. */
export function leavingWords(
  running: readonly Pick<Job, 'node' | 'steps' | 'unlocks'>[],
  waits = false,
): {
  message: string;
  detail: string;
} {
  if (running.length === 0) return { message: OTHERS_WAIT, detail: '' };
  const message = say('Jobs still running: {count, number}', { count: running.length });
  const working = running.filter((job) => !isBeingChecked(job));
  const ending = working.filter((job) => !continuesWithoutApp(job));
  const sentences = [
    working.length < running.length && `${say('Jobs being checked are done.')} ${CHECKED_NEXT_TIME}`,
    ending.length < working.length && say('The node continues; the result appears next time.'),
    working.some((job) => job.unlocks && continuesWithoutApp(job)) && STAYS_UNLOCKED,
    ending.length > 0 &&
      (ending.length === running.length
        ? say('They stop when you quit.')
        : say('Other jobs stop when you quit.')),
    ending.length > 0 && (ending.some(isSent) ? CHECKED_NEXT_TIME : say('Their wallets stay unchanged.')),
    waits && OTHERS_WAIT,
  ];
  return { message, detail: sentences.filter((sentence) => sentence !== false).join(' ') };
}

const CHECKED_NEXT_TIME = say('The app checks them next time.');
