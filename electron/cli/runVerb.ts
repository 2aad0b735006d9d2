/** Runs each command of the terminal with the services. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { Input, Output, RequestName } from '../../shared/contract.ts';
import { syncServiceAt } from '../../shared/model/files.ts';
import type { Job } from '../../shared/model/job.ts';
import {
  type PassphraseClues,
  type PassphraseSearchResult,
  parseClues,
  type SearchProgress,
} from '../../shared/model/searches.ts';
import type { Wallet } from '../../shared/model/wallet.ts';
import { isSearchableForKeys } from '../../shared/wording/findings/fileKindWords.ts';
import { NOT_LISTED, OTHERS_MAY_READ } from '../../shared/wording/findings/hints.ts';
import { counted, formatSize } from '../../shared/wording/format/formatNumber.ts';
import { joinList } from '../../shared/wording/format/perRegion.ts';
import { privateKeyWords } from '../../shared/wording/inspectionWords.ts';
import { activityLines, outcomeLines, progressLine } from '../../shared/wording/jobLines.ts';
import { NEWER_JOBS } from '../../shared/wording/jobWords.ts';
import { section } from '../../shared/wording/lines.ts';
import { say } from '../../shared/wording/say.ts';
import {
  foundWords,
  imageNotes,
  imageProgressLine,
  NONE_FITS,
  NOT_UTF8,
  PIECES_HINT,
  PIECES_LACKING,
  passphraseCountLines,
  passphraseProgressLine,
  SEARCH_STOPPED,
} from '../../shared/wording/searchWords.ts';
import { orNullAfter } from '../files/concurrency.ts';
import { makeOutputFolder } from '../files/engineFolder.ts';
import { type Client, type CommandDeps, encoded } from './client.ts';
import {
  type Command,
  type ExportCommand,
  type NodeChoice,
  type PassphraseCommand,
  UsageError,
} from './commandLine.ts';
import { connect, mustBeFolder, type NetworksFound, networksOfFolder } from './connect.ts';
import { inspectionLines, kindLines, nodeLines, walletLines } from './printedLines.ts';
import { runJobCommand } from './runJob.ts';
import { readSecret, type Terminal } from './terminal.ts';
import { commandLines, EXIT, exitCodeOf, IS_WINDOWS, loginOptions, quotedPath } from './usage.ts';

type Verb<V extends Command['verb']> = Extract<Command, { verb: V }>;
type RunnableCommand = Exclude<Command, { verb: 'help' | 'version' }>;

/** Resolves with the exit code. Throws AppError and UsageError. */
export function runVerb(command: RunnableCommand, deps: CommandDeps): Promise<number> {
  switch (command.verb) {
    case 'inspect':
      return inspect(command, deps);
    case 'kinds':
      return show('files.kinds', {}, command, deps, ({ kinds }) => kindLines(kinds));
    case 'nodes':
      return show('nodes.discover', {}, command, deps, ({ nodes }) => nodeLines(nodes));
    case 'wallets':
      return listWallets(command, deps);
    case 'activity':
      return activity(command, deps);
    case 'export':
      return exportDescriptors(command, deps);
    case 'search':
      return searchImage(command, deps);
    case 'passphrase':
      return searchPassphrase(command, deps);
    case 'plan':
    case 'run':
      return runJobCommand(command, deps);
  }
}

/** Prints the answer of one request. */
async function show<N extends RequestName>(
  name: N,
  input: Input<N>,
  { json }: RunnableCommand,
  { client, terminal }: CommandDeps,
  toLines: (found: Output<N>) => readonly string[],
): Promise<number> {
  const found = await client.ask(name, input);
  if (json) terminal.document(encoded(name, found));
  else terminal.out(toLines(found));
  return EXIT.done;
}

async function inspect({ file, network, json }: Verb<'inspect'>, deps: CommandDeps): Promise<number> {
  const { client, terminal, program } = deps;
  const source = { by: 'file', path: file } as const;
  const facts = await client.ask('files.inspect', { path: file }).catch(() => null);
  const isText = facts !== null && isSearchableForKeys(facts.fileKind);
  const rescue = isText || undefined;
  const found = await client.ask('wallet.inspect', { source, network, rescue });
  if (json) terminal.document(encoded('wallet.inspect', found));
  else {
    const isWhole = found.incomplete === null;
    const { interruption } = isWhole
      ? { interruption: null }
      : await client.ask('wallet.interruption', { source });
    terminal.out(inspectionLines(file, found, { interruption, facts: isText ? facts : null, program }));
  }
  return EXIT.done;
}

async function exportDescriptors(command: ExportCommand, { client, terminal }: CommandDeps): Promise<number> {
  const { file, destination, network, passphraseFd, format, part, json } = command;
  const source = { by: 'file', path: file } as const;
  const askPassphrase = async () => {
    const { encryption, kind } = await client.ask('wallet.inspect', { source, network });
    // A legacy wallet's descriptors are those that its migration creates.
    if (encryption === null || (kind === 'descriptor' && !command.private)) return undefined;
    return (await terminal.secret(say('Wallet passphrase:'))) ?? undefined;
  };
  const passphrase =
    passphraseFd === null ? await askPassphrase() : await readSecret(passphraseFd, terminal.stdin);
  const service = command.private ? syncServiceAt(destination) : null;
  if (service !== null) terminal.err([say('This folder syncs to {service}.', { service })]);
  const written = await client.ask('wallet.export', {
    source,
    network,
    format,
    part,
    destination,
    private: command.private,
    passphrase: passphrase || undefined,
  });
  if (json) terminal.document(encoded('wallet.export', written));
  else {
    const size = formatSize(written.size);
    terminal.out([written.path, say('New file: {size}.', { size })]);
    if (written.keys) {
      const { remarks, lacks } = privateKeyWords(written.keys);
      terminal.out([counted.privateKeys(written.keys.total), ...remarks]);
      terminal.err(lacks);
    }
    if (command.private) terminal.err([say('Anyone with this file can spend the coins')]);
    if (written.othersMayRead) terminal.err([OTHERS_MAY_READ]);
  }
  return EXIT.done;
}

async function searchImage(
  { image, folder, json }: Verb<'search'>,
  { client, terminal, program, signal }: CommandDeps,
): Promise<number> {
  terminal.progress(say('Searching…'), say('Searching…'));
  const removeIfEmpty = folder === null ? () => {} : makeOutputFolder(folder);
  const { task, leave } = drawSearch(imageProgressLine, { client, terminal, signal });
  // Print this before the interrupt mutes the terminal.
  signal.addEventListener('abort', () => terminal.err([SEARCH_STOPPED]));
  try {
    const found = await client.ask('files.searchImage', { path: image, folder, task });
    terminal.progress(null, null);
    if (json) terminal.document(encoded('files.searchImage', found));
    else
      terminal.out([
        ...found.wallets.map((wallet) => joinList([foundWords(wallet), wallet.path])),
        ...section(say('Next'), commandsFor(found, { image, folder, program })),
      ]);
    terminal.err(imageNotes(found));
    const isWritten = found.wallets.every(({ error }) => error === null);
    return found.wallets.length > 0 && isWritten ? EXIT.done : EXIT.failed;
  } finally {
    leave();
    removeIfEmpty();
  }
}

/** Looks into each file that the search wrote, or has it write them. */
function commandsFor(
  { wallets }: Output<'files.searchImage'>,
  { image, folder, program }: { image: string; folder: string | null; program: string },
): string[] {
  if (folder === null && wallets.length > 0) return [`${program} search ${quotedPath(image)} --out DIR`];
  const paths = wallets.flatMap(({ path }) => path ?? []);
  return commandLines(
    paths.map((path) => `${program} inspect ${quotedPath(path)}`),
    paths,
  );
}

/** Draws the progress of the search that runs as `task`, until `leave` is called. */
function drawSearch(
  lineOf: (progress: SearchProgress, plain: boolean) => string,
  { client, terminal, signal }: Pick<CommandDeps, 'client' | 'terminal' | 'signal'>,
): { task: string; leave: () => void } {
  const task = randomUUID();
  const leave = client.on('searchProgress', (progress) => {
    if (progress.task !== task || signal.aborted) return;
    terminal.progress(lineOf(progress, false), lineOf(progress, true));
  });
  return { task, leave };
}

async function listWallets({ node: choice, json }: Verb<'wallets'>, deps: CommandDeps): Promise<number> {
  const { client, terminal, program } = deps;
  if (choice.by === 'offline') await mustBeFolder(choice.walletsFolder);
  const node = await connect(choice, () => networksOfChoice(choice, client), deps);
  const { wallets, closed } = await detailedList(client);
  if (json) terminal.document(encoded('wallets.list', { wallets, closed }));
  else terminal.out(walletLines(wallets, node, { program, ...(await client.ask('jobs.list', {})) }));
  if (closed.length > 0) terminal.err([NOT_LISTED, ...closed]);
  return EXIT.done;
}

/** The networks of the wallets in the named folder; else unknown. */
async function networksOfChoice(choice: NodeChoice, client: Client): Promise<NetworksFound> {
  return choice.by === 'offline' ? networksOfFolder(client, choice.walletsFolder, null) : null;
}

/** Lists the wallets with the details that the node sends in time. */
async function detailedList(client: Client): Promise<Output<'wallets.list'>> {
  const details = new Map<string, Wallet>();
  let check = () => {};
  const leave = client.on('wallet', (wallet) => {
    details.set(wallet.name, wallet);
    check();
  });
  try {
    const { wallets, closed } = await client.ask('wallets.list', {});
    const latest = () => wallets.map((wallet) => details.get(wallet.name) ?? wallet);
    const arrived = new Promise<void>((done) => {
      check = () => {
        if (!latest().some(({ pending }) => pending)) done();
      };
    });
    check();
    await orNullAfter(arrived, DETAILS_TIMEOUT_MS);
    return { wallets: latest(), closed };
  } finally {
    leave();
  }
}

const DETAILS_TIMEOUT_MS = 30_000;

async function activity({ node, id, json }: Verb<'activity'>, deps: CommandDeps): Promise<number> {
  const { client, terminal, program } = deps;
  if (node !== null) await connect(node, () => networksOfChoice(node, client), deps);
  const found = await settledJobs(client, (running) =>
    terminal.progress(progressLine(running, Date.now() / 1000), progressLine(running, null)),
  );
  const { jobs: all, unreadable, newer } = found;
  terminal.progress(null, null);
  if (unreadable.length > 0) terminal.err([say('Unreadable earlier jobs'), ...unreadable]);
  if (newer.length > 0) terminal.err([NEWER_JOBS, ...newer]);
  const jobs = id === null ? all : all.filter((one) => one.id === id);
  if (json) terminal.document(encoded('jobs.list', { jobs, unreadable, newer }));
  const [one] = jobs;
  if (id === null) {
    if (!json) terminal.out(activityLines(all));
    return EXIT.done;
  }
  if (one === undefined) {
    terminal.err([say('Unknown job.'), say('See {command}', { command: `${program} activity` })]);
    return EXIT.failed;
  }
  if (!json)
    terminal.out(outcomeLines(one, all, { program, login: loginOptions(node), isWindows: IS_WINDOWS }));
  return exitCodeOf(one);
}

/** Lists the jobs, after giving the nodes of running jobs a moment to answer. */
async function settledJobs(client: Client, report: (running: Job) => void): Promise<Output<'jobs.list'>> {
  const latest = () => client.ask('jobs.list', {});
  const isRunning = ({ state }: Job) => state === 'running';
  const first = await latest();
  const running = new Map(first.jobs.filter(isRunning).map((one) => [one.id, one]));
  if (running.size === 0) return first;
  let leave = () => {};
  const allEnded = new Promise<void>((done) => {
    leave = client.on('job', (job) => {
      if (isRunning(job)) report(job);
      else running.delete(job.id);
      if (running.size === 0) done();
    });
  });
  await orNullAfter(allEnded, ANSWER_TIMEOUT_MS);
  leave();
  return latest();
}

const ANSWER_TIMEOUT_MS = 20_000;

/** Resolves with the exit code. Throws AppError and UsageError. */
async function searchPassphrase(
  command: PassphraseCommand,
  { client, terminal, signal }: CommandDeps,
): Promise<number> {
  const { file, json, resume, yes, show } = command;
  let searching = false;
  // Print this before the interrupt mutes the terminal.
  signal.addEventListener('abort', () => {
    if (searching) terminal.err([say('Stopped. To continue: --go-on.')]);
  });
  const clues = await readClues(command, terminal);
  const source = { by: 'file', path: file } as const;
  const count = await client.ask('passphrase.count', { source, clues });
  terminal.err(passphraseCountLines(count));
  if (!yes && !(await terminal.confirm(say('Run this? [y/N]')))) {
    if (json) terminal.document(encoded('passphrase.count', count));
    if (!terminal.isInteractive) terminal.err([say('Add --yes to start.')]);
    return EXIT.stopped;
  }
  const { task, leave } = drawSearch(passphraseProgressLine, { client, terminal, signal });
  searching = true;
  try {
    const result = await client.ask('passphrase.search', { source, clues, resume, task });
    terminal.progress(null, null);
    const { tried, found } = result;
    if (json)
      terminal.document(show ? encoded('passphrase.search', result) : { tried, found: found !== null });
    report(result, command, terminal);
    return found === null ? EXIT.failed : EXIT.done;
  } finally {
    searching = false;
    leave();
  }
}

async function readClues(
  { piecesFd, variations }: PassphraseCommand,
  terminal: Terminal,
): Promise<PassphraseClues> {
  if (piecesFd === null && !terminal.isInteractive) throw new UsageError(say('Add --pieces-fd N.'));
  const pieces = piecesFd === null ? await askPieces(terminal) : await readSecret(piecesFd, terminal.stdin);
  const clues = parseClues(pieces, variations);
  if (clues === null) throw new UsageError(PIECES_LACKING);
  return clues;
}

function askPieces(terminal: Terminal): Promise<string> {
  terminal.err([PIECES_HINT]);
  return terminal.secrets((number) => say('Piece {number}, or Enter:', { number }));
}

/** Prints the passphrase only with `--show`. */
function report({ found }: PassphraseSearchResult, command: PassphraseCommand, terminal: Terminal): void {
  const { json, show, foundFd } = command;
  if (found === null) {
    terminal.err([NONE_FITS]);
    return;
  }
  if (foundFd !== null) writeFileSync(foundFd, Buffer.from(found.hex, 'hex'));
  if (show && !json) terminal.out([found.text ?? found.hex]);
  terminal.err([
    say('Passphrase found.'),
    ...(show || foundFd !== null ? [] : [say('Add --show to see it.')]),
    ...(found.text === null ? [NOT_UTF8] : []),
  ]);
}
