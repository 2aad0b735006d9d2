/** Runs the offline engine in this process like its own process, which saves the start. */
import { PassThrough } from 'node:stream';
import type { EngineProcess } from '../../electron/bitcoind/connection/offlineEngine.ts';
import { readCommandLine } from '../../electron/engine/commandLine.ts';
import { type EngineOptions, startEngine } from '../../electron/engine/startEngine.ts';
import { workHere } from '../../electron/engine/testing/workHere.ts';
import { EngineError } from '../../electron/engine/wallets/engineError.ts';

export function engineHere(args: readonly string[]): EngineProcess {
  const options = readCommandLine(args);
  if (options === null) throw new Error('Only the program prints its help.');
  const output = new PassThrough();
  const running = run({ ...options, work: workHere() }, (line) => output.write(`${JSON.stringify(line)}\n`));
  const end = () => void running.then((engine) => engine?.stop());
  return {
    output,
    errors: new PassThrough(),
    ended: running.then(async (engine) => {
      await engine?.ended;
      return engine ? 0 : 2;
    }),
    end,
    kill: end,
  };
}

async function run(options: EngineOptions, print: (line: object) => void) {
  try {
    const engine = await startEngine(options);
    const { url, cookie, wallets } = engine;
    print({ url, cookie, wallets });
    return engine;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { message, todo } = error;
    print({ refused: message, ...(todo === null ? {} : { todo }) });
    return null;
  }
}
