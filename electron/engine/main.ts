/** The engine's entry point: reads the command line and prints one line of JSON when the engine is ready. */
import { setFlagsFromString } from 'node:v8';
import { oneLine } from '../../shared/model/names/visibleText.ts';
import { compiledSqlite } from '../walletfile/database/sqliteDatabase.ts';
import { setV8Flags } from '../workers/threadPool.ts';
import { readCommandLine, usage } from './commandLine.ts';
import { startEngine } from './startEngine.ts';
import { createThreadedWork } from './threads/workInThreads.ts';
import { EngineError } from './wallets/engineError.ts';

/** Exit code for wrong options and for an unusable folder. */
const REFUSED = 2;

run().catch((error: unknown) => {
  if (!(error instanceof EngineError)) throw error;
  process.exitCode = REFUSED;
  process.stderr.write(`${oneLine(`${error.message} ${error.todo ?? ''}`.trimEnd())}\n`);
});

async function run(): Promise<void> {
  const options = readCommandLine(process.argv.slice(2));
  if (options === null) {
    process.stdout.write(usage);
    return;
  }
  const { endWithParent, release, chain } = options;
  // Bundled next to this file.
  const work = createThreadedWork(new URL('./engineThread.cjs', import.meta.url), await compiledSqlite());
  const engine = await startEngine({ ...options, work }).catch((error: unknown) => {
    if (endWithParent && error instanceof EngineError) return refuse(error);
    throw error;
  });
  if (!engine) return;
  const stop = () => void engine.stop();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  const parent = endWithParent ? watchParent(stop) : null;
  const { url, cookie, wallets } = engine;
  print({ url, cookie, release, chain, wallets });
  compileAhead();
  work.prepare();
  await engine.ended;
  parent?.stopWatching();
  // The engine has cleaned up. A thread that waits for a hung drive cannot end, so the process kills itself.
  const late = setTimeout(() => process.kill(process.pid, 'SIGKILL'), MAX_SHUTDOWN_MS);
  await work.end();
  clearTimeout(late);
}

const MAX_SHUTDOWN_MS = 2000;

/**
 * Makes the threads compile their whole program when they load it, so that the first task does not wait for it. By default V8
 * compiles each function at its first call, and to machine code only after some hundred calls.
 */
function compileAhead(): void {
  for (const flag of ['--no-lazy', '--always-sparkplug']) setFlagsFromString(flag);
  setV8Flags();
}

/** Prints the error for the parent and waits until the parent has read it: Electron drops output after the exit. */
function refuse({ message, todo }: EngineError): undefined {
  process.exitCode = REFUSED;
  const parent = watchParent(() => parent.stopWatching());
  print({ refused: message, ...(todo === null ? {} : { todo }) });
}

/** The message that ends the engine in a utility process of Electron, which has no standard input. */
const END = 'end';

/** Whether Electron runs this as a utility process, which ends only by `process.exit`. */
const isUtilityProcess = 'parentPort' in process && Boolean(process.parentPort);

/**
 * Calls `onGone` when the standard input closes, which happens however the parent ends. A utility process gets a message on its
 * port instead; if Electron dies, Chromium kills the process.
 */
function watchParent(onGone: () => void): { stopWatching(): void } {
  if (isUtilityProcess) {
    process.parentPort.on('message', ({ data }) => {
      if (data === END) onGone();
    });
    return { stopWatching: () => process.exit() };
  }
  process.stdin.once('close', onGone);
  process.stdin.once('error', onGone);
  process.stdin.resume();
  return { stopWatching: () => process.stdin.destroy() };
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
