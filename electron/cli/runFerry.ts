/** Runs one command line: prints lines or one JSON document, and returns the exit code. */
import { fstatSync, type Stats, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isatty } from 'node:tty';
import { AppError } from '../../shared/model/errors.ts';
import { errorShapeOf } from '../../shared/wording/findings/findingWords.ts';
import { asSentence, makeRoom, nothingChanged } from '../../shared/wording/findings/hints.ts';
import { errorLines, indented } from '../../shared/wording/lines.ts';
import { say } from '../../shared/wording/say.ts';
import { leavingWords, type Services } from '../backend/host.ts';
import { takeDataFolder } from '../backend/takeDataFolder.ts';
import { newFolderRemover } from '../files/engineFolder.ts';
import { isDiskFull, systemCode } from '../files/fileError.ts';
import { isSameFile } from '../files/fileMark.ts';
import { temporaryFolder } from '../files/temporaryFolders.ts';
import { createClient } from './client.ts';
import { type Command, readCommandLine, readsText, STANDARD_INPUT, UsageError } from './commandLine.ts';
import { runVerb } from './runVerb.ts';
import { createTerminal, type Terminal } from './terminal.ts';
import { EXIT, usage } from './usage.ts';

interface FerryOptions {
  readonly args: readonly string[];
  readonly program: string;
  readonly version: string;
  /** The data folder if the command line names none. */
  readonly dataFolder: string;
  /** Default: those of the process. */
  readonly streams?: Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr'>;
  openServices(dataFolder: string): Services;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves with the exit code after all output is written and the services are closed. Never throws. */
export async function runFerry(options: FerryOptions): Promise<number> {
  const leaving = new AbortController();
  const interrupt = () => {
    // A second interrupt exits without waiting for the engine to shut down.
    if (leaving.signal.aborted) process.exit(EXIT.interrupted);
    leaving.abort();
  };
  const { stdin, stdout, stderr } = options.streams ?? process;
  const terminal = createTerminal({ stdin, stdout, stderr, interrupt });
  for (const signal of SIGNALS) process.on(signal, interrupt);
  // While it waits for a node, only timers are left that do not keep the process running.
  const running = setInterval(() => {}, LONGEST_TIMER_MS);
  let code: number = EXIT.failed;
  try {
    code = await answer(options, terminal, leaving.signal);
  } catch (error) {
    code = reportRefusal(error, options, terminal);
  }
  await Promise.all([flush(stdout), flush(stderr)]);
  const lost = terminal.lost();
  if (lost !== null) {
    terminal.err([
      isDiskFull(lost) ? NOT_PRINTED_FULL : say('The output was not written ({code}).', { code: lost }),
    ]);
    await flush(stderr);
    // A program must not take partial output for the whole document, nor a finished job for a failed one.
    if (code === EXIT.done) code = EXIT.notPrinted;
  }
  for (const signal of SIGNALS) process.off(signal, interrupt);
  clearInterval(running);
  return code;
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

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
  // Check this before the program opens files of its own.
  refuseForeignFds(listFds(command));
  const folder = command.dataFolder ?? options.dataFolder;
  // These commands need no journal, so they run while the app is open, in a data folder of their own.
  const needsNoData = ['inspect', 'kinds', 'export'].includes(command.verb);
  const data = needsNoData
    ? { taken: true as const, dataFolder: ownFolder(), release: () => {} }
    : takeDataFolder(folder);
  if (!data.taken) {
    const { message, hint } = data;
    // The terminal shows a line break as a symbol, because a file name may contain one.
    throw new AppError('not_available_here', message, hint.replaceAll('\n', ' '));
  }
  const removeTraces = engineTracesRemover(command);
  const services = options.openServices(data.dataFolder);
  try {
    const work = runVerb(command, { client: createClient(services), terminal, program, signal });
    const interrupted = new Promise<number>((resolve) => {
      signal.addEventListener('abort', () => {
        reportRunningJobs(services, terminal, program);
        resolve(EXIT.interrupted);
      });
    });
    return await Promise.race([work, interrupted]);
  } finally {
    await services.close();
    removeTraces();
    data.release();
  }
}

/** Returns the function that removes what the offline engine creates for a command that only looks. Call it when the engine has ended. */
function engineTracesRemover(command: Command): () => void {
  const isLook = command.verb === 'plan' || command.verb === 'wallets';
  return isLook && command.node.by === 'offline' ? newFolderRemover(command.node.walletsFolder) : () => {};
}

const NOT_PRINTED_FULL = say('The output was not written: not enough space.');

/** The data folder of a command that needs no journal. Throws AppError. */
function ownFolder(): string {
  try {
    return temporaryFolder();
  } catch (error) {
    const folder = tmpdir();
    const variable = process.platform === 'win32' ? 'TEMP' : 'TMPDIR';
    if (isDiskFull(systemCode(error)))
      throw new AppError('no_space', say('Not enough space in {path}.', { path: folder }), makeRoom());
    throw new AppError(
      'not_available_here',
      asSentence(say('Cannot write to {folder}', { folder })),
      nothingChanged(say('Make it writable, or set {variable} to another folder.', { variable })),
    );
  }
}

/** Prints the error, with `--json` as a document too, and returns the exit code. */
function reportRefusal(error: unknown, { args, program }: FerryOptions, terminal: Terminal): number {
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

/** Prints what happens to the running jobs when the user interrupts the program. */
function reportRunningJobs(services: Services, terminal: Terminal, program: string): void {
  terminal.progress(null, null);
  const running = services.running();
  if (running.length > 0) {
    const { message, detail } = leavingWords(running);
    const command = `${program} activity`;
    terminal.err([`${message}. ${detail}`, say('To see the result: {command}', { command })]);
  }
  terminal.mute();
}

/** On some systems a process that exits loses what it has not written to a pipe yet. */
function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableEnded) resolve();
    else stream.write('', () => resolve());
  });
}

interface NamedFd {
  readonly option: string;
  readonly fd: number;
  readonly use: 'read' | 'write';
}

/** Lists the file descriptors from which a command reads a secret, or to which it writes one. */
export function listFds(command: Command): NamedFd[] {
  const login =
    'node' in command && command.node?.by === 'node' && command.node.login.by === 'password'
      ? command.node.login.fd
      : null;
  const all = [
    ['--password-fd', login, 'read'],
    ['--passphrase-fd', 'passphraseFd' in command ? command.passphraseFd : null, 'read'],
    ['--pieces-fd', 'piecesFd' in command ? command.piecesFd : null, 'read'],
    ['--found-fd', 'foundFd' in command ? command.foundFd : null, 'write'],
    [STANDARD_INPUT, readsText(command) ? 0 : null, 'read'],
  ] as const;
  return all.flatMap(([option, fd, use]) => (fd === null ? [] : [{ option, fd, use }]));
}

/**
 * Throws UsageError for a descriptor that is closed, belongs to Node, cannot be written to, or is named by two options.
 * Call it before the program opens files, because their descriptors look like inherited ones.
 */
function refuseForeignFds(named: readonly NamedFd[]): void {
  for (const [at, { option, fd, use }] of named.entries()) {
    const other = named.slice(0, at).find((each) => each.fd === fd);
    if (other !== undefined)
      throw new UsageError(
        say('{one} and {other} both take file descriptor {fd}.', { one: other.option, other: option, fd }),
      );
    if (isInherited(fd) && (use === 'read' || isWritable(fd))) continue;
    const closed = say('{option} {fd}: this file descriptor is not open.', { option, fd });
    throw new UsageError(process.env.npm_lifecycle_event && fd > 2 ? `${closed} ${NPM_HINT}` : closed);
  }
}

/** npm starts a script with descriptors 0, 1 and 2 only. */
const NPM_HINT = say('npm passes on only 0. Use 0, or “node build/ferry.mjs”.');

/**
 * Whether it is open and not Node's own. Node's own epoll, eventfd and io_uring have no file type, its pipes have both ends
 * in this process, and its only device is /dev/null.
 */
function isInherited(fd: number): boolean {
  // Node opens these where they are closed. Windows has no facts about some of them.
  if (fd <= 2) return true;
  const own = statOf(fd);
  if (own === null) return false;
  if (own.isFIFO()) return !holdsOtherEnd(fd, own);
  return own.isFile() || own.isSocket() || isatty(fd);
}

/**
 * For `3< <(command)`, Bash leaves the same end open under a second number. Only the opposite end proves that the pipe is Node’s
 * own.
 */
function holdsOtherEnd(fd: number, own: Stats): boolean {
  for (let other = 3; other < MAX_FROM_NODE; other += 1) {
    const found = other === fd ? null : statOf(other);
    if (found?.isFIFO() && isSameFile(found, own) && isWritable(other) !== isWritable(fd)) return true;
  }
  return false;
}

/** At its start Node opens its own descriptors with the lowest free numbers. */
const MAX_FROM_NODE = 256;

function statOf(fd: number): Stats | null {
  try {
    return fstatSync(fd);
  } catch {
    return null;
  }
}

/** The system refuses even an empty write to a descriptor that is open for reading only. */
function isWritable(fd: number): boolean {
  try {
    writeSync(fd, '');
    return true;
  } catch {
    return false;
  }
}
