/** The terminal door of the packed app: a file of its own, so that a window needs not load it. */
import './threads/setLanguage.ts';
import { createDesktopServices } from './desktopServices.ts';
import { runFerry } from './host/terminal/runFerry.ts';

interface FerryInApp {
  /** What follows the word `ferry`. */
  args: readonly string[];
  /** The app's own, where the command line names no other one. */
  dataFolder: string;
  version: string;
  engineProgram: string;
  walletThread: URL;
}

/** Resolves with the exit code. */
export function ferryInApp({
  args,
  dataFolder,
  version,
  engineProgram,
  walletThread,
}: FerryInApp): Promise<number> {
  return runFerry({
    args,
    program: 'wallet-ferry ferry',
    version,
    dataFolder,
    openServices: (folder) =>
      createDesktopServices({ window: () => null, engineProgram, walletThread, dataFolder: folder, version }),
  });
}
