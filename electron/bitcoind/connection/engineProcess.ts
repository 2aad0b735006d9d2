/** The offline engine's process as its host provides it, and the line that it prints at start. */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { NodeAddress } from '../../../shared/model/node.ts';
import { parseJson } from '../../../shared/model/parseJson.ts';

export interface EngineProcess {
  readonly output: Readable;
  readonly errors: Readable;
  /** Resolves with the exit code when the process ends; null if a signal ended it or it never ran. */
  readonly ended: Promise<number | null>;
  /** Asks the process to shut down cleanly. */
  end(): void;
  /** Kills a process that does not shut down. Its files are safe all the same. */
  kill(): void;
}

/** Starts the engine with these arguments. The engine ends with the app, however the app ends. */
export type StartEngineProcess = (args: readonly string[]) => EngineProcess;

/**
 * Reads the result of a start; `end` means the engine ended without a valid line. Waits without a limit, and keeps
 * draining the pipes afterwards so that a full pipe never blocks the engine.
 */
export async function readEngineStart(
  engine: EngineProcess,
): Promise<z.output<typeof lineShape> | { outcome: 'end' }> {
  // Its error output is for developers, not for users.
  engine.errors.resume();
  const lines = createInterface({ input: engine.output });
  const first = new Promise<string>((resolve) => lines.once('line', resolve));
  const line = await Promise.race([first, engine.ended.then(() => null)]);
  return lineShape.safeParse(parseJson(line ?? '')).data ?? { outcome: 'end' };
}

/** Long enough for long paths. */
const sentences = z.string().min(1).max(20_000);

const lineShape = z.union([
  z
    .object({
      url: z.url({ protocol: /^http$/, hostname: /^127\.0\.0\.1$/ }),
      cookie: z.string().min(1),
      /** An absolute path. */
      wallets: z.string().min(1),
    })
    .transform(({ url, cookie: cookieFile, wallets: walletsFolder }) => {
      const { hostname: host, port } = new URL(url);
      const address: NodeAddress = { host, port: Number(port), tls: false };
      return { outcome: 'ready' as const, address, cookieFile, walletsFolder };
    }),
  /** The engine's sentences for users; `todo` is null if the first one says what to do. */
  z
    .object({ refused: sentences, todo: sentences.nullable().default(null) })
    .transform(({ refused: words, todo }) => ({ outcome: 'refusal' as const, words, todo })),
]);
