/** What the services and the doors to them know of each other: what differs between the doors, and what every door leads to. */
import type { Answer, AppInfo, EventName, EventValue, Input } from '../../shared/contract.ts';
import type { Settings } from '../../shared/model/settings.ts';
import type { StartEngineProcess } from '../bitcoind/connection/engineProcess.ts';
import type { SecretStore } from '../bitcoind/discovery/profiles.ts';

export type PickOptions = Input<'files.pick'>;

export interface Host {
  readonly entry: AppInfo['entry'];
  readonly secrets: SecretStore;
  /** Where there is a menu that follows the page's places. */
  pageIsAt?(place: string): void;
  canShowInFolder(): boolean;
  /** Opens the file manager with the file, which is there, selected. Throws AppError `not_available_here`. */
  showInFolder(path: string): Promise<void>;
  /** The system's own dialog; null when the user closed it. Throws `not_available_here` where there is none. */
  pickFile(options: PickOptions): Promise<string | null>;
  /** Plain text as a PDF, where there is a way to make one. */
  printPdf?(text: string): Promise<Uint8Array>;
  /** Starts the offline engine's program as a process of its own, which ends with the app. */
  readonly startEngine: StartEngineProcess;
}

/** The back end, as every door sees it. */
export interface Services {
  /**
   * Runs one request of the contract on its encoded input. Never throws: what goes wrong is in the answer. `asker` is
   * aborted when nobody waits for that any more: work that only reads a file ends then.
   */
  call(name: string, input: unknown, asker?: AbortSignal): Promise<Answer>;
  /** Every event, encoded, until the returned function is called. */
  subscribe(listener: (name: EventName, value: unknown) => void): () => void;
  settings(): Settings;
  running(): RunningWork;
  /** Tells the page of a file that was opened with the app. */
  openFile(path: string): void;
  /** Has the page show a place that was chosen outside it. */
  showPlace(place: EventValue<'showPlace'>['place']): void;
  close(): Promise<void>;
}

/** How many jobs run now, and how many of these in the offline engine, which ends with the app. */
export interface RunningWork {
  all: number;
  inEngine: number;
}
