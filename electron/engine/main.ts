/** The engine's own process: command line in, one line of JSON out when it is ready. */
import { readCommandLine, usage } from './commandLine.ts';
import { EngineError } from './engineError.ts';
import { heavyWorkInThread } from './heavyWorkInThread.ts';
import { readySqlite } from './readySqlite.ts';
import { startEngine } from './startEngine.ts';

/** Exit code for options that cannot be used and for a folder that cannot be had. */
const REFUSED = 2;

run().catch((error: unknown) => {
  if (!(error instanceof EngineError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = REFUSED;
});

async function run(): Promise<void> {
  const command = readCommandLine(process.argv.slice(2));
  if (command.ask === 'help') {
    process.stdout.write(usage);
    return;
  }
  const { chain, release } = command.options;
  await readySqlite();
  // Bundled beside this file.
  const heavyWork = heavyWorkInThread(new URL('./engineThread.cjs', import.meta.url));
  const engine = await startEngine({ ...command.options, heavyWork });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void engine.stop());
  const { url, cookie, wallets } = engine;
  process.stdout.write(`${JSON.stringify({ url, cookie, release, chain, wallets })}\n`);
  await engine.ended;
}
