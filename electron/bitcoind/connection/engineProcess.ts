/** The offline engine's process, as whoever starts it gives it, and the line that it prints. */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { NodeAddress } from '../../../shared/model/node.ts';
import { parseJson } from '../../../shared/model/parseJson.ts';

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

/**
 * What came of a start; `end`: it ended without a word that is fit to be shown. Waits as long as it takes. Goes on reading
 * after it, so that a full pipe never holds the engine up.
 */
export async function readEngineStart(
  engine: EngineProcess,
): Promise<z.output<typeof lineShape> | { came: 'end' }> {
  // What else it says is of a program that broke, and no words for people.
  engine.errors.resume();
  const lines = createInterface({ input: engine.output });
  const first = new Promise<string>((resolve) => lines.once('line', resolve));
  const line = await Promise.race([first, engine.ended.then(() => null)]);
  return lineShape.safeParse(parseJson(line ?? '')).data ?? { came: 'end' };
}

/** Paths in them may be long. */
const sentences = z.string().min(1).max(20_000);

const lineShape = z.union([
  z
    .object({
      url: z.url({ protocol: /^http$/, hostname: /^127\.0\.0\.1$/ }),
      cookie: z.string().min(1),
      /** Absolute. */
      wallets: z.string().min(1),
    })
    .transform(({ url, cookie: cookieFile, wallets: walletsFolder }) => {
      const { hostname: host, port } = new URL(url);
      const address: NodeAddress = { host, port: Number(port), tls: false };
      return { came: 'ready' as const, address, cookieFile, walletsFolder };
    }),
  /** The engine's own sentences for people; `todo` is null where what to do is said by the first. */
  z
    .object({ refused: sentences, todo: sentences.nullable().default(null) })
    .transform(({ refused: words, todo }) => ({ came: 'refusal' as const, words, todo })),
]);
