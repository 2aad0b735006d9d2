/** The commands `plan` and `run`: print the plan of a job, and run it. */
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Input, Output } from '../../shared/contract.ts';
import { AppError } from '../../shared/model/errors.ts';
import type { TextLines } from '../../shared/model/findings/textLines.ts';
import { haveSameWallets, type Job, joinLogs } from '../../shared/model/job.ts';
import { joinPath, platformOfPath, suggestedBackups } from '../../shared/model/names/walletName.ts';
import { identityOf, type NodeStatus } from '../../shared/model/node.ts';
import { applyVariant } from '../../shared/model/passphraseVariants.ts';
import {
  type Answers,
  type Plan,
  type PlanAction,
  questionOf,
  type WalletSource,
} from '../../shared/model/plan.ts';
import { errorShapeOf } from '../../shared/wording/findings/findingWords.ts';
import { asSentence, NOT_LISTED, OTHER_NODE } from '../../shared/wording/findings/hints.ts';
import { quotedWallet } from '../../shared/wording/format/names.ts';
import { outcomeLines, progressLine } from '../../shared/wording/jobLines.ts';
import { andMore, errorLines, indented } from '../../shared/wording/lines.ts';
import { blockerText } from '../../shared/wording/planWords.ts';
import {
  damagedLine,
  keylessLines,
  keylessText,
  linesSummary,
  TEXT_NOTES,
} from '../../shared/wording/rescueWords.ts';
import { say } from '../../shared/wording/say.ts';
import { makeOutputFolder } from '../files/engineFolder.ts';
import { type Client, type CommandDeps, encoded } from './client.ts';
import { type JobCommand, noEffect, readsText, takesWalletName, UsageError } from './commandLine.ts';
import {
  connect,
  mustBeFolder,
  type NetworksFound,
  networksOfFile,
  networksOfFolder,
  networksOfText,
} from './connect.ts';
import { planLines, rehearsalLines } from './printedLines.ts';
import { readKeyText, readSecret, type Terminal } from './terminal.ts';
import { EXIT, exitCodeOf, IS_WINDOWS, idleOptions, loginOptions, optionsFor } from './usage.ts';

/** Resolves with the exit code. Throws AppError and UsageError. */
export async function runJobCommand(command: JobCommand, deps: CommandDeps): Promise<number> {
  const { client, terminal, program } = deps;
  const runs = command.verb === 'run';
  if (runs && !command.yes && !terminal.isInteractive)
    throw new UsageError(say('Add --yes, or check first with plan.'));
  const fromFd =
    command.passphraseFd === null ? undefined : await readSecret(command.passphraseFd, terminal.stdin);
  const text = readsText(command) ? await readKeys(terminal) : null;
  if (command.node.by === 'offline') await refuseMissing(command, command.node.walletsFolder, client);
  const node = await connect(command.node, () => networksOf(command, text, client), deps);
  const { walletsFolder } = command;
  if (walletsFolder !== null) await client.ask('nodes.useWalletsFolder', { path: walletsFolder });
  if (command.all !== null) return backUpAll({ ...command, all: command.all }, node, deps);
  if (command.load) await load(command, client);
  const job = { command, node, text, fromFd };
  const { plan: prepared, answers, passphrase } = await prepare(job, deps);
  const [idle] = idleOptions(prepared, answers);
  if (idle !== undefined) throw new UsageError(noEffect(idle));
  const rehearsed = command.rehearse
    ? await client.ask('plan.rehearse', { plan: prepared.id, answers, passphrase })
    : null;
  const plan = rehearsed?.plan ?? prepared;
  const show = command.json ? terminal.err : terminal.out;
  const showPlan = (current: Plan) =>
    show(planLines(current, { calls: command.calls, hasPassphrase: passphrase !== undefined }));
  if (runs || !command.json) showPlan(plan);
  else if (rehearsed) terminal.document(encoded('plan.rehearse', rehearsed));
  else terminal.document(encoded('plan.make', plan));
  if (!command.json && rehearsed?.rehearsal) terminal.out(rehearsalLines(rehearsed.rehearsal, plan));

  const refuse = (why: string, stopped: Plan, options: readonly string[] = []) => {
    if (runs && command.json) terminal.document(encoded('plan.run', { began: false, plan: stopped }));
    terminal.err(['', why, ...options.map((option) => `→ ${option}`)]);
    return EXIT.stopped;
  };
  const stop = blockerText(plan, passphrase !== undefined);
  if (stop !== null) {
    const options = optionsFor(plan, { hasPassphrase: passphrase !== undefined, program });
    return refuse(say('Not ready: {why}', { why: stop }), plan, options);
  }
  if (!runs) return EXIT.done;
  const isConfirmed = async () => command.yes || (await terminal.confirm(say('Run this? [y/N]')));
  if (!(await isConfirmed())) return refuse(say('Nothing was run.'), plan);
  const input = { plan: plan.id, answers, passphrase };
  let run = await runPlan(input, deps);
  if (!run.began) {
    showPlan(run.plan);
    // Some warnings show only with the passphrase, each time that the command is given.
    const canRun = blockerText(run.plan, passphrase !== undefined) === null;
    // Who gave --yes has agreed to the calls that were shown.
    const isSame = isDeepStrictEqual(run.plan.calls, plan.calls);
    if (canRun && (isSame || !command.yes) && (await isConfirmed())) run = await runPlan(input, deps);
  }
  if (!run.began)
    return refuse(`${asSentence(say('Something changed'))} ${say('Nothing was run.')}`, run.plan);
  if (command.json) terminal.document(encoded('plan.run', run));
  else
    terminal.out([
      '',
      ...outcomeLines(run.job, [], { program, login: loginOptions(command.node), isWindows: IS_WINDOWS }),
    ]);
  return exitCodeOf(run.job);
}

/** Loads the wallet, because a node backs up loaded wallets only. */
async function load({ subject }: JobCommand, client: Client): Promise<void> {
  const { wallets } = await client.ask('wallets.list', {});
  // The plan reports a missing wallet.
  if (!wallets.some(({ name, loaded }) => name === subject && !loaded)) return;
  await client.ask('wallets.load', { name: subject });
}

/**
 * Checks that the wallet's folder or file exists before the engine starts, because the engine creates a missing folder.
 * Throws AppError as `files.inspect` does, and `folder_missing`.
 */
async function refuseMissing(command: JobCommand, walletsFolder: string, client: Client): Promise<void> {
  if (takesWalletName(command.action)) await mustBeFolder(walletsFolder);
  else if (!readsText(command)) await client.ask('files.inspect', { path: command.subject });
}

/** Reads keys from standard input. */
function readKeys(terminal: Terminal): Promise<string> {
  return terminal.isInteractive
    ? terminal.secrets(() => say('Key, or Enter:'))
    : readKeyText(0, terminal.stdin);
}

/** The networks of the job's wallet or file. */
async function networksOf(command: JobCommand, text: string | null, client: Client): Promise<NetworksFound> {
  const { action, subject, node } = command;
  if (text !== null) return networksOfText(client, { by: 'text', text });
  if (action === 'rescue') return networksOfText(client, { by: 'file', path: subject });
  if (!takesWalletName(action)) return networksOfFile(client, subject);
  return node.by === 'offline' ? networksOfFolder(client, node.walletsFolder, subject) : null;
}

interface JobRequest {
  readonly command: JobCommand;
  readonly node: NodeStatus;
  /** Keys from standard input, instead of a file. */
  readonly text: string | null;
  /** The passphrase from a file descriptor. */
  readonly fromFd: string | undefined;
}

/** Prepares the plan with the answers of the command line and the terminal. */
async function prepare({ command, node, text, fromFd }: JobRequest, deps: CommandDeps) {
  const { client } = deps;
  const { verb } = command;
  const { action, source } = await sourceOf({ command, node, text }, deps);
  const { destination } = command.answers;
  const answers: Answers = { ...command.answers, destination: destination && pathOn(node, destination) };
  const make = (more: { answers: Answers; previousPlan?: string }) =>
    client.ask('plan.make', { action, source, ...more });
  const plan = await make({ answers });
  const question = questionOf(plan, 'passphrase');
  if (
    !question ||
    question.openOnly?.value ||
    (fromFd === undefined && ((verb === 'plan' && !command.rehearse) || !deps.terminal.isInteractive))
  )
    return { plan, answers, passphrase: undefined };
  const passphrase = await askPassphrase(plan, fromFd, deps);
  if (passphrase === undefined) return { plan, answers, passphrase };
  const all = { ...answers, withPassphrase: true };
  return { plan: await make({ answers: all, previousPlan: plan.id }), answers: all, passphrase };
}

/** Finds the action and its source. The app turns a text of descriptors into a wallet file, which it restores. */
async function sourceOf(
  { command: { action, subject, withoutDamaged }, node, text }: Omit<JobRequest, 'fromFd'>,
  { client, terminal }: CommandDeps,
): Promise<{ action: PlanAction; source: WalletSource }> {
  if (takesWalletName(action)) return { action, source: { by: 'wallet', name: subject } };
  if (action !== 'rescue') return { action, source: { by: 'file', path: pathOn(node, subject) } };
  const { network } = node;
  const from = text === null ? ({ by: 'file', path: subject } as const) : ({ by: 'text', text } as const);
  const open = (without: boolean) =>
    client.ask('wallet.fromText', { from, network, withoutDamaged: without });
  let found = await open(withoutDamaged);
  const keyless = found.lines === null ? [] : keylessLines(found.lines);
  if (keyless.length > 0) terminal.err([keylessText(keyless)]);
  if (found.action === 'correct' && found.lines.damaged.length === 0) found = await open(true);
  if (found.action === 'correct') throw damagedLinesError(found.lines);
  for (const note of found.notes)
    terminal.err([`${asSentence(TEXT_NOTES[note].title)} ${TEXT_NOTES[note].hint}`]);
  return { action: found.action, source: { by: 'file', path: found.path } };
}

/** The full path on this machine. A node on another one has its own folders: then it is the path as the user typed it. */
function pathOn({ local }: NodeStatus, typed: string): string {
  return local ? resolve(typed) : typed;
}

function damagedLinesError(lines: TextLines): AppError {
  const more = lines.damaged.length - MAX_DAMAGES;
  return new AppError(
    'bad_input',
    linesSummary(lines),
    [
      ...lines.damaged.slice(0, MAX_DAMAGES).map(damagedLine),
      ...(more > 0 ? [andMore(more)] : []),
      say('Or leave them out: {option}', { option: '--without-damaged' }),
    ].join('\n'),
  );
}

const MAX_DAMAGES = 10;

const TRIES = 3;

/**
 * Reads the passphrase and tries it on the wallet's file if possible. Asks again twice for a wrong typed one. Undefined if
 * the user typed none. Throws AppError `wrong_passphrase`.
 */
async function askPassphrase(
  plan: Plan,
  fromFd: string | undefined,
  deps: CommandDeps,
): Promise<string | undefined> {
  const { client, terminal } = deps;
  const question = questionOf(plan, 'passphrase');
  for (let left = fromFd === undefined ? TRIES : 1; ; left -= 1) {
    // While it is tried, the user may already type the next one.
    const { passphrase, check } = await terminal.hidden(async () => {
      const typed = fromFd ?? (await terminal.secret(say('Wallet passphrase:')));
      if (!typed || question?.canBeTried !== true) return { passphrase: typed || undefined, check: null };
      if (question.secondsPerTry !== null) terminal.err([say('Trying the passphrase…')]);
      const input = { plan: plan.id, passphrase: typed };
      const check = await client.ask('plan.tryPassphrase', input);
      const isLast = left === 1 && check.verdict === 'blocker' && check.variant === undefined;
      if (!isLast || plan.action !== 'rescue') return { passphrase: typed, check };
      terminal.err([`${say('Repair the record')}…`]);
      const repaired = await client.ask('plan.tryPassphrase', { ...input, isThorough: true });
      return { passphrase: typed, check: repaired.verdict === 'blocker' ? check : repaired };
    });
    if (passphrase === undefined || check?.verdict !== 'blocker') return passphrase;
    const isOffered = check.variant !== undefined && terminal.isInteractive;
    if (left > 1 || isOffered) terminal.err([check.title, ...check.text, ...check.todo]);
    if (check.variant !== undefined && (await terminal.confirm(say('Use it? [y/N]'))))
      return applyVariant(check.variant, passphrase);
    if (left === 1)
      throw new AppError('wrong_passphrase', check.title, [...check.text, ...check.todo].join(' '));
  }
}

/** Runs the plan to the job's end; returns the new plan if it cannot start. */
async function runPlan(
  input: Input<'plan.run'>,
  { client, terminal, signal }: CommandDeps,
): Promise<Output<'plan.run'>> {
  let latest: Job | null = null;
  let ended = (_job: Job) => {};
  const end = new Promise<Job>((resolve) => {
    ended = resolve;
  });
  let id: string | null = null;
  const jobs = new Map<string, Job>();
  const draw = () => {
    if (latest !== null && !signal.aborted)
      terminal.progress(progressLine(latest, Date.now() / 1000), progressLine(latest, null));
  };
  const take = (event: Job) => {
    const known = jobs.get(event.id);
    const job = known === undefined ? event : joinLogs(known, event);
    // Events can arrive before the answer with the job's id.
    jobs.set(job.id, job);
    if (job.id !== id) return;
    latest = job;
    if (job.state === 'running') draw();
    else ended(job);
  };
  const leave = client.on('job', take);
  const clock = setInterval(draw, 1000);
  try {
    const answer = await client.ask('plan.run', input);
    if (!answer.began) return answer;
    id = answer.job.id;
    take(jobs.get(id) ?? answer.job);
    return { began: true, job: await end };
  } finally {
    clearInterval(clock);
    leave();
    terminal.progress(null, null);
  }
}

/** Backs up each wallet of the node into one folder. Counts the backups and prints the reason for each failure. */
async function backUpAll(
  { all: place, yes, json }: JobCommand & { all: string },
  node: NodeStatus,
  deps: CommandDeps,
): Promise<number> {
  const { client, terminal } = deps;
  const { local } = node;
  const folder = pathOn(node, place);
  const { wallets, closed } = await client.ask('wallets.list', {});
  const show = json ? terminal.err : terminal.out;
  const labels = wallets.map(({ name }) => quotedWallet(name));
  show([say('Back up to {folder}:', { folder }), ...indented(labels)]);
  if (closed.length > 0) terminal.err([NOT_LISTED, ...closed]);
  if (!yes && !(await terminal.confirm(say('Run this? [y/N]')))) {
    terminal.err(['', say('Nothing was run.')]);
    return EXIT.stopped;
  }
  // A node on another machine writes into a folder there.
  const removeIfEmpty = local ? makeOutputFolder(folder) : () => {};
  const names = suggestedBackups(
    wallets.map(({ name }) => name),
    new Date(),
  );
  const documents: unknown[] = [];
  let backedUp = 0;
  /** Wallets that were put back under another name. */
  let kept = 0;
  for (const [at, { name }] of wallets.entries()) {
    try {
      const destination = joinPath(folder, names[at] ?? '', platformOfPath(folder));
      const run = await backUp(name, { destination, node }, deps);
      if (!run.began && run.plan.isKept) {
        kept += 1;
        continue;
      }
      documents.push(encoded('plan.run', run));
      if (run.began && run.job.state === 'done') backedUp += 1;
      if (run.began) show(['', ...outcomeLines(run.job)]);
      else show(['', `${quotedWallet(name)}: ${blockerText(run.plan, false) ?? say('Nothing was run.')}`]);
    } catch (thrown) {
      if (deps.signal.aborted) throw thrown;
      // The next wallets may still be backed up.
      const error = errorShapeOf(thrown);
      documents.push({ ok: false, error });
      show(['', quotedWallet(name), ...indented(errorLines(error))]);
    }
  }
  removeIfEmpty();
  const all = wallets.length - kept;
  const count = say('{made, number} of {all, number} backed up', { made: backedUp, all });
  if (json) terminal.document(documents);
  show(['', count]);
  return backedUp === all && closed.length === 0 ? EXIT.done : EXIT.failed;
}

/** Throws AppError if it cannot start, as on another node than `node`, which may have a wallet of the same name. */
async function backUp(
  name: string,
  { destination, node }: { destination: string; node: NodeStatus },
  deps: CommandDeps,
): Promise<Output<'plan.run'>> {
  const answers = { destination };
  const source = { by: 'wallet', name } as const;
  const plan = await deps.client.ask('plan.make', { action: 'backup', source, answers });
  if (!haveSameWallets(plan.node.identity, identityOf(node))) throw AppError.fromShape(OTHER_NODE);
  return blockerText(plan, false) === null
    ? runPlan({ plan: plan.id, answers }, deps)
    : { began: false, plan };
}
