/** The running app, the same for specs in both entries. */

import type { ElectronApplication, Page } from '@playwright/test';
import type { PageTrouble } from './pageTrouble.ts';
import type { Windows } from './windows.ts';

export type Entry = 'electron' | 'browser';

export interface App {
  readonly entry: Entry;
  readonly page: Page;
  /** Electron's main process; null in the browser entry. */
  readonly electron: ElectronApplication | null;
  /** The browser entry's origin, and the link that opened this page; null in Electron. */
  readonly http: { origin: string; link: string } | null;
  /** The app's data folder. */
  readonly dataFolder: string;
  /** The output of the app's process so far. */
  output(): string;
  /**
   * Chooses a file or folder in the dialog that `open` opens: in Electron a stub of the system's dialog, in the browser the
   * app's own. To save, `path` is the new file. A folder may be missing.
   */
  pickFile(path: string, open: () => Promise<void>): Promise<void>;
  /** Makes a request of the contract from the page, past its screens. Input and answer are encoded. */
  call(name: string, input: unknown): Promise<Answer>;
  /** Allows errors on the page that match, from now on. Any other error fails the spec. */
  expectTrouble(pattern: RegExp): void;
  /** Ends the app's process while its page stays open. Browser entry only. */
  stopServing(): Promise<void>;
  /** Kills the app's main process. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

export interface Answer {
  ok: boolean;
  value?: unknown;
  error?: { code: string; message: string; hint: string; node?: { code: number | null; message: string } };
}

export interface OpenOptions {
  /** The app's HOME. */
  home: string;
  dataFolder: string;
  colorScheme: 'light' | 'dark';
  /**
   * Whether the browser entry runs as a process, which has an output and can be killed. Otherwise the process of the specs
   * serves it, which is faster.
   */
  ownProcess: boolean;
  /** A folder for logs of everything that the app sends: see `networkLogs.ts`. */
  networkLogs?: string;
  /** The Windows on which the browser entry runs, if any. */
  windows?: Windows;
}

/** An app that was just started, and the errors of its page. */
export interface Opened {
  app: App;
  trouble: PageTrouble;
}
