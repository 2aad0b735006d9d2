/** Keeps a file that was opened with the app until its page can be told of it. */
import { eventTable } from '../../shared/contract.ts';

interface OpenedFile {
  open(path: string): void;
  /** The page is there: it is told of the file that waits, and from now on at once. */
  pageListens(): void;
}

export function createOpenedFile(tell: (path: string) => void): OpenedFile {
  let waiting: string | null = null;
  let isListening = false;
  return {
    open(path) {
      // Whoever starts the app chooses its words: one that is no path is none to open.
      if (!eventTable.openFile.safeParse({ path }).success) return;
      if (isListening) tell(path);
      else waiting = path;
    },
    pageListens() {
      isListening = true;
      const path = waiting;
      waiting = null;
      if (path !== null) setImmediate(() => tell(path));
    },
  };
}
