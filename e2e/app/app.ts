/** The running app as a spec sees it, the same in both entries. */

import type { ElectronApplication, Page } from '@playwright/test';
import type { PageTrouble } from './pageTrouble.ts';
import type { Windows } from './windows.ts';

export type Entry = 'electron' | 'browser';

export interface App {
  readonly entry: Entry;
  readonly page: Page;
  /** Electron's main process; null in the browser entry. */
  readonly electron: ElectronApplication | null;
  /** Where the browser entry listens and the link that let this page in; null in Electron. */
  readonly http: { origin: string; link: string } | null;
  /** The folder of what the app remembers. */
  readonly dataFolder: string;
  /** Everything that the app's process has written to its output so far. */
  output(): string;
  /**
   * Chooses a file in the dialog that `open` opens: the system's, stubbed, in Electron, the app's own in the
   * browser. To save, `path` is where the new file shall be; a folder need not be there yet.
   */
  pickFile(path: string, open: () => Promise<void>): Promise<void>;
  /** Makes a request of the contract from within the page, past the screens. Input and answer are encoded. */
  call(name: string, input: unknown): Promise<Answer>;
  /** Lets the page be troubled by what matches from now on: without it, any error on the page fails the spec. */
  expectTrouble(pattern: RegExp): void;
  /** Ends the app's process while its page stays open; in the browser entry only. */
  stopServing(): Promise<void>;
  /** Kills the app's main process, as the system does when memory is short. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

export interface Answer {
  ok: boolean;
  value?: unknown;
  error?: { code: string; message: string; hint: string; node?: { code: number | null; message: string } };
}

export interface OpenOptions {
  /** HOME of the app. */
  home: string;
  dataFolder: string;
  colorScheme: 'light' | 'dark';
  /**
   * Whether the browser entry runs as a process, as users start it, whose output is kept and which can be killed. Else
   * the specs' process serves it, which spares a start.
   */
  ownProcess: boolean;
  /** A folder where everything is written down that the app sends: see `networkLogs.ts`. */
  networkLogs?: string;
  /** Where the browser entry runs, if not on this system. */
  windows?: Windows;
}

/** An app that was just started, with the watch over its page. */
export interface Opened {
  app: App;
  trouble: PageTrouble;
}
