/** The terminal door: a command line in, lines or one document out, an exit code at the end. */
import { AppError } from '../../shared/model/errors.ts';
import { errorShapeOf } from '../../shared/wording/errorWords.ts';
import { errorLines, indented } from '../../shared/wording/lines.ts';
import { say } from '../../shared/wording/say.ts';
import type { Services } from '../backend/host.ts';
import { leavingWords } from '../backend/leavingWords.ts';
import { takeDataFolder } from '../backend/takeDataFolder.ts';
import { temporaryFolder } from '../backend/temporaryFolder.ts';
import { createClient } from './client.ts';
import { descriptorsOf, readCommandLine, UsageError } from './commandLine.ts';
import { refuseForeignDescriptors } from './givenDescriptors.ts';
import { runVerb } from './runVerb.ts';
import { createTerminal, type Terminal } from './terminal.ts';
import { EXIT, usage } from './usage.ts';

interface FerryOptions {
  readonly args: readonly string[];
  /** How the program is started, for `--help`. */
  readonly program: string;
  readonly version: string;
  /** The folder of the app's data, where the command line names none. */
  readonly dataFolder: string;
  openServices(dataFolder: string): Services;
}

/** Resolves with the exit code once all is written and put in order. Never throws. */
export async function runFerry(options: FerryOptions): Promise<number> {
  const leaving = new AbortController();
  const interrupt = () => {
    // Whoever says it twice does not wait for the engine's good order.
    if (leaving.signal.aborted) process.exit(EXIT.interrupted);
    leaving.abort();
  };
  const { stdin, stdout, stderr } = process;
  const terminal = createTerminal({ stdin, stdout, stderr, interrupt });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  let code: number = EXIT.failed;
  try {
    code = await answer(options, terminal, leaving.signal);
  } catch (error) {
    code = refused(error, options, terminal);
  }
  await Promise.all([written(stdout), written(stderr)]);
  return code;
}

async function answer(options: FerryOptions, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { args, program, version } = options;
  const command = readCommandLine(args);
  if (command.verb === 'help') {
    terminal.out(usage(program).split('\n'));
    return EXIT.done;
  }
  if (command.verb === 'version') {
    terminal.out([version]);
    return EXIT.done;
  }
  // Before the program opens files of its own.
  refuseForeignDescriptors(descriptorsOf(command));
  const folder = command.dataFolder ?? options.dataFolder;
  // What only reads a file needs no journal: it can be done beside an app that is open.
  const apart = ['inspect', 'export'].includes(command.verb);
  const data = apart
    ? { taken: true as const, dataFolder: temporaryFolder(), release: () => {} }
    : takeDataFolder(folder);
  if (!data.taken) {
    const { message, hint } = data;
    // What breaks lines is shown as a sign here, as a file's name may hold it.
    throw new AppError('not_available_here', message, hint.replaceAll('\n', ' '));
  }
  const services = options.openServices(data.dataFolder);
  try {
    const work = runVerb(command, { client: createClient(services), terminal, signal });
    const left = new Promise<number>((resolve) => {
      signal.addEventListener('abort', () => {
        tellOfLeaving(services, terminal, program);
        resolve(EXIT.interrupted);
      });
    });
    return await Promise.race([work, left]);
  } finally {
    await services.close();
    data.release();
  }
}

/** Says why, with `--json` in a document too, and gives the exit code. */
function refused(error: unknown, { args, program }: FerryOptions, terminal: Terminal): number {
  const isUsage = error instanceof UsageError;
  const help = say('See {command}', { command: `${program} --help` });
  const shape = isUsage
    ? { code: 'bad_input' as const, message: [error.message, ...error.choices].join('\n'), hint: help }
    : errorShapeOf(error);
  if (args.includes('--json')) terminal.document({ ok: false, error: shape });
  terminal.err(isUsage ? [error.message, ...indented(error.choices), help] : errorLines(shape));
  if (isUsage) return EXIT.usage;
  return shape.code === 'outcome_unknown' ? EXIT.unknown : EXIT.failed;
}

/** What is said to whoever leaves while something runs. */
function tellOfLeaving(services: Services, terminal: Terminal, program: string): void {
  terminal.progress(null, null);
  const running = services.running();
  if (running.all > 0) {
    const { message, detail } = leavingWords(running);
    const command = `${program} activity`;
    terminal.err([`${message}. ${detail}`, say('To see the result: {command}', { command })]);
  }
  terminal.mute();
}

/** Pipes are written later on some systems: what ends before that loses the rest. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableEnded) resolve();
    else stream.write('', () => resolve());
  });
}
