/** The offline engine's process, as whoever starts it gives it. */
import type { Readable } from 'node:stream';

export interface EngineProcess {
  readonly output: Readable;
  readonly errors: Readable;
  /** Resolves with the exit code once it has ended; null when a signal ended it or it never ran. */
  readonly ended: Promise<number | null>;
  /** Asks it to end in good order. */
  end(): void;
  /** Ends it at once, for when it does not heed that. Its files are safe all the same. */
  kill(): void;
}

/** Starts the engine's program with these words of its command line. It ends with the app, however the app ends. */
export type StartEngineProcess = (args: readonly string[]) => EngineProcess;
