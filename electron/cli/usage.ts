/** The text of `--help`, the options that answer a plan's questions and clear its blockers, and the exit codes. */
import { needsRescue } from '../../shared/model/inspection.ts';
import { type Job, lacksProof } from '../../shared/model/job.ts';
import { shellQuoted } from '../../shared/model/names/visibleText.ts';
import { chainNames, chainOfNetwork } from '../../shared/model/network.ts';
import { type Answers, needsAnswer, type Plan, type Question } from '../../shared/model/plan.ts';
import { type Check, hasDifferences } from '../../shared/model/safety.ts';
import { indented, table } from '../../shared/wording/lines.ts';
import { say } from '../../shared/wording/say.ts';
import type { NodeChoice } from './commandLine.ts';

/** `program`: the command that started it. */
export function usage(program: string): string {
  return [
    say('Wallet Ferry in a terminal.'),
    '',
    ...described([
      [`${program} inspect FILE`, say('shows a wallet file')],
      [`${program} inspect --kinds`, say('file kinds, and what opens them')],
      [`${program} plan KIND …`, say('checks a job; changes nothing')],
      [`${program} run KIND …`, say('shows the plan, asks, runs it')],
      [`${program} nodes`, say('nodes on this computer')],
      [`${program} wallets`, say('the node’s wallets')],
      [`${program} activity [ID]`, say('all jobs, or one')],
      [`${program} rescue FILE|- --out DIR`, say('rescues a broken file, or keys')],
      [`${program} search IMAGE [--out DIR]`, say('finds deleted wallets in a disk image')],
      [`${program} export FILE NEW-FILE`, say('writes a wallet file’s descriptors')],
      [`${program} passphrase FILE`, say('finds a half-remembered passphrase')],
    ]),
    '',
    'KIND',
    ...described([
      ['restore FILE [--name NAME]', say('restores a backup, migrating if needed')],
      ['migrate WALLET', say('migrates a legacy wallet')],
      ['backup --all DIR', say('run: backs up every wallet')],
      ['backup WALLET NEW-FILE', say('makes a new backup')],
      ['rescan WALLET [--from HEIGHT|DATE]', say('finds its payments')],
      ['rescue FILE [--name NAME]', say('rescues a broken file, or keys')],
      ['undo FILE [--name NAME]', say('brings the legacy wallet back')],
      ['put-back WALLET', say('puts a half-migrated wallet back')],
    ]),
    '',
    say('Node, unless only one runs:'),
    ...described([
      ['--node URL', say('one on this computer')],
      ['--node URL --cookie FILE', say('such as {example}', { example: 'http://127.0.0.1:8332' })],
      ['--node URL --user NAME', say('asks for the password')],
      ['  --password-fd N', say('from file descriptor N')],
      ['--offline DIR', say('no node: this folder’s wallets')],
      ['--chain NAME', say('else the wallet’s own: {chains}', { chains: chainNames.join(', ') })],
    ]),
    '',
    say('Answers to a plan:'),
    ...described([
      answerRow('name'),
      answerRow('passphrase'),
      answerRow('load-on-startup'),
      answerRow('load-afterwards'),
      ['--copy FILE', say('put-back: this copy')],
      answerRow('own-copy'),
      answerRow('read-loss'),
      answerRow('logs'),
      ['--open-only', say('rescue: only unencrypted keys')],
      ['--without-damaged', say('rescue: without damaged keys')],
      answerRow('wallets-folder'),
      answerRow('bitcoin-keys'),
      answerRow('closed-elsewhere'),
      ['--calls', say('show the calls')],
      ['--rehearse', say('plan: rehearse the migration')],
      ['--load', say('run: load the wallet first')],
      ['--yes', say('run without asking')],
      ['--wallet=NAME', say('for WALLET; the unnamed one: {option}', { option: '--wallet=' })],
    ]),
    '',
    say('For export:'),
    ...described([
      ['--private', say('with private keys')],
      ['--format lines|importdescriptors', say('one per line, or for importdescriptors')],
      ['  electrum|wif', say('private keys for Electrum or Sparrow')],
      ['--part primary|watchonly|solvables', say('which migrated wallet')],
    ]),
    '',
    say('For passphrase:'),
    ...described([
      ['--pieces-fd N', say('pieces from file descriptor N')],
      ['--orders --spaces --capitals', say('variations to try')],
      ['--typos 1|2 --keyboards --encodings', ''],
      ['--show', say('print the passphrase')],
      ['--found-fd N', say('or write it to N')],
      ['--go-on', say('continue the last search')],
      ['--yes', say('run without asking')],
    ]),
    '',
    say('Always:'),
    ...described([
      ['--json', say('print JSON')],
      ['--data DIR', say('the app’s data folder, else {variable}', { variable: 'WALLET_FERRY_DATA' })],
    ]),
    '',
    say('Log: app.log in the data folder, without private data.'),
    '',
    say('Exit codes:'),
    ...described([
      ['0', say('done')],
      ['1', say('failed, refused, or different')],
      ['2', say('invalid command line')],
      ['3', say('outcome not known yet')],
      ['4', say('stopped, incomplete or declined')],
      ['5', say('interrupted; see put-back')],
      ['6', say('done, but not printed')],
      ['130', say('interrupted; see activity')],
    ]),
    '',
    say('No secrets in arguments or environment.'),
  ].join('\n');
}

const described = (rows: readonly (readonly [string, string])[]) => indented(table(rows));

export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  unknown: 3,
  stopped: 4,
  jobInterrupted: 5,
  notPrinted: 6,
  interrupted: 130,
} as const;

/** The exit code for a job's present state. */
export function exitCodeOf(job: Pick<Job, 'state' | 'proof' | 'result' | 'isCompared'>): number {
  const { state, proof } = job;
  if (state === 'done') return hasDifferences(proof) || lacksProof(job) ? EXIT.failed : EXIT.done;
  if (state === 'interrupted') return EXIT.jobInterrupted;
  return state === 'failed' ? EXIT.failed : EXIT.unknown;
}

/**
 * The options that answer each question, so that the terminal can answer any plan of the window, and their words in the help and where they
 * are still needed. Without words where the option says it all.
 */
export const ANSWERS: Readonly<Record<Question['ask'], readonly [options: string, words?: string]>> = {
  name: ['--name NAME', say('of the new wallet')],
  destination: ['NEW-FILE'],
  passphrase: ['--passphrase-fd N', say('passphrase from file descriptor N')],
  'load-on-startup': ['--load-on-startup yes|no', say('load at each start')],
  'load-afterwards': ['--load-afterwards yes|no', say('load migrated wallets (release 32)')],
  'own-copy': ['--own-copy', say('you have a copy')],
  'read-loss': ['--loss-read', say('you read what the rehearsal found')],
  logs: ['--logs DIR, --without-logs', say('the folder “database”, or none')],
  'bitcoin-keys': ['--bitcoin-keys', say('its keys are Bitcoin’s')],
  'closed-elsewhere': ['--closed', say('closed in other programs')],
  'rescan-from': ['--from HEIGHT|DATE'],
  'wallets-folder': ['--wallets-folder DIR', say('the node’s wallets folder')],
};

function answerRow(kind: Question['ask']): readonly [string, string] {
  const [options, words = ''] = ANSWERS[kind];
  return [options, words];
}

/** `--own-copy: you have a copy`. */
export function answerText({ ask }: Question): string {
  return ANSWERS[ask].join(': ');
}

/** The options that were given without an effect on the plan. */
export function idleOptions({ action, kind, asks }: Plan, answers: Answers): string[] {
  const asksFor = (kind: Question['ask']) => asks.some(({ ask }) => ask === kind);
  const isRescue = action === 'rescue';
  const options: readonly (readonly [name: string, answer: unknown, hasEffect: boolean])[] = [
    ['--name', answers.name, asksFor('name')],
    [
      '--load-on-startup',
      answers.loadOnStartup,
      // A node that was started with -nosettings cannot save it, so nothing is asked.
      asksFor('load-on-startup') || (answers.loadOnStartup === false && kind === 'restore'),
    ],
    // Where nothing is asked, the node loads them.
    [
      '--load-afterwards',
      answers.loadAfterwards,
      answers.loadAfterwards === true || asksFor('load-afterwards'),
    ],
    ['--from', answers.rescanFrom, asksFor('rescan-from')],
    [answers.logs === null ? '--without-logs' : '--logs', answers.logs, isRescue],
    ['--open-only', answers.openOnly, isRescue],
    ['--copy', answers.copy, action === 'put-back'],
  ];
  return options.flatMap(([name, answer, hasEffect]) => (answer === undefined || hasEffect ? [] : [name]));
}

/** Whether the question still blocks the plan. */
export function isOpen(question: Question, hasPassphrase: boolean): boolean {
  return 'check' in question ? question.check.verdict === 'blocker' : needsAnswer(question, hasPassphrase);
}

/** Lists every option that unblocks the plan, and every command to run instead, one a line. */
export function optionsFor(
  plan: Plan,
  { hasPassphrase, program }: { hasPassphrase: boolean; program: string },
): string[] {
  const stops = plan.checks.filter(({ verdict }) => verdict === 'blocker');
  const fixes = stops.flatMap((check) => fixesFor(check, plan));
  const answers = plan.asks.filter((question) => isOpen(question, hasPassphrase)).map(answerText);
  return [...new Set([...fixes, ...answers, ...alternativesTo(plan, stops, program)])];
}

/** The fixes for which the page has a button. */
function fixesFor({ id }: Check, plan: Plan): string[] {
  switch (id) {
    case 'wallet-loaded':
      return [say('Load it: {option}', { option: '--load' })];
    case 'network': {
      const name = plan.facts.contents?.network.name ?? 'unknown';
      if (name === 'unknown') return [];
      const option = `--chain ${chainOfNetwork(name)}`;
      return [say('Its own network: {option}', { option })];
    }
    default:
      return [];
  }
}

/** The commands for a file that this plan cannot use. */
function alternativesTo(plan: Plan, stops: readonly Check[], program: string): string[] {
  const { action, elsewhere, facts } = plan;
  if (stops.length > 0 && action !== 'rescue' && isRescuable(plan))
    return [say('Rescue it: {command}', { command: rescueCommand(program, facts.path) })];
  if (elsewhere !== 'this-file') return [];
  // A restore without a node would migrate the file of an undo again.
  const job = action === 'undo' ? 'undo' : 'restore';
  const command =
    action === 'rescue'
      ? rescueCommand(program, facts.path)
      : `${program} run ${job} ${quotedPath(facts.path)} --offline DIR`;
  return [say('Without a node: {command}', { command })];
}

/** Whether a rescue can save what other jobs cannot use. The offline engine too migrates only whole files. */
function isRescuable({ facts: { contents, file } }: Plan): boolean {
  if (contents === null) return file?.truncated === true && file.kind !== 'other';
  return contents.coin.verdict !== 'other' && needsRescue(contents);
}

/** `path`: null for a placeholder. */
export function rescueCommand(program: string, path: string | null): string {
  return `${program} rescue ${quotedPath(path)} --out DIR`;
}

/** The options of this login; empty where the app finds it itself. */
export function loginOptions(choice: NodeChoice | null): string {
  if (choice?.by !== 'node') return '';
  const { login } = choice;
  return login.by === 'cookie'
    ? ` --cookie ${quotedPath(login.cookieFile)}`
    : ` --user ${shellQuoted(login.user, IS_WINDOWS, 'NAME')}`;
}

/** A path in a command that the user can paste into a shell of this system. `path`: null for a placeholder. */
export function quotedPath(path: string | null): string {
  return path === null ? 'FILE' : shellQuoted(path, IS_WINDOWS, 'FILE');
}

/** Commands, one a line, with what `FILE` in them stands for. `paths`: of their files, which the lines above them show. */
export function commandLines(
  commands: readonly string[],
  paths: readonly string[],
  quoted: (path: string) => string = quotedPath,
): string[] {
  const isLacking = paths.some((path) => quoted(path) === 'FILE');
  return [
    ...new Set(commands),
    ...(isLacking ? [say('{file}: the path above, in quotes.', { file: 'FILE' })] : []),
  ];
}

/** Whether the shells of this system are those of Windows. */
export const IS_WINDOWS = process.platform === 'win32';
