/** Parses and checks the command line of the terminal. */
import { resolve } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { listsPrivateKeys } from '../../shared/model/files.ts';
import { similarNames } from '../../shared/model/names/walletName.ts';
import { chainNames, type Network, networkOfChain } from '../../shared/model/network.ts';
import type { NodeAddress } from '../../shared/model/node.ts';
import { type Answers, type PlanAction, planAction } from '../../shared/model/plan.ts';
import { oneOf } from '../../shared/wording/format/perRegion.ts';
import { say } from '../../shared/wording/say.ts';

export type Command = ReturnType<typeof readCommandLine>;
export type JobCommand = ReturnType<typeof parseJobCommand>;
export type ExportCommand = ReturnType<typeof parseExportCommand>;
export type PassphraseCommand = ReturnType<typeof parsePassphraseCommand>;
export type NodeChoice =
  /** Without a network: the wallet's own. */
  | { readonly by: 'offline'; readonly walletsFolder: string; readonly network: Network | undefined }
  | {
      readonly by: 'node';
      readonly address: NodeAddress;
      readonly login:
        | { readonly by: 'cookie'; readonly cookieFile: string }
        | { readonly by: 'password'; readonly user: string; readonly fd: number | null };
    }
  /** A running node of this computer, at the address and on the network if named. */
  | { readonly by: 'running'; readonly address: NodeAddress | null; readonly network: Network | undefined };

/** An invalid command line, with a sentence that says why. `choices`: valid alternatives, one a line. */
export class UsageError extends Error {
  constructor(
    message: string,
    readonly choices: readonly string[] = [],
  ) {
    super(message);
  }
}

type Options = NonNullable<ParseArgsConfig['options']>;
const flag = { type: 'boolean' } as const;
const text = { type: 'string' } as const;
const COMMON = { json: flag, data: text };
const CHAIN = { chain: text };
const PASSPHRASE = { 'passphrase-fd': text };
const NODE = { ...CHAIN, node: text, cookie: text, user: text, 'password-fd': text, offline: text };
const FOLDER = { 'wallets-folder': text };
const NAMES = { wallet: text, name: text, copy: text, logs: text, from: text, all: text, ...FOLDER };
const LOADING = { 'load-on-startup': text, 'load-afterwards': text };
const CONSENT = { 'own-copy': flag, 'bitcoin-keys': flag, 'loss-read': flag, closed: flag };
const RESCUE = { 'open-only': flag, 'without-logs': flag, 'without-damaged': flag };
const JOB = { ...COMMON, ...NODE, ...PASSPHRASE, ...NAMES, ...LOADING, ...CONSENT, ...RESCUE, calls: flag };
const RUN = { ...JOB, load: flag, yes: flag };
const FOR_ALL = { ...COMMON, ...NODE, ...FOLDER, all: text, yes: flag };

/** Throws UsageError. */
export function readCommandLine(args: readonly string[]) {
  const [verb, ...rest] = args;
  const asksForHelp =
    verb === undefined || verb === 'help' || args.some((arg) => arg === '--help' || arg === '-h');
  if (asksForHelp) return { verb: 'help' as const };
  switch (verb) {
    case '--version':
      return { verb: 'version' as const };
    case 'inspect': {
      const { values, positionals } = parseOptions(rest, { ...COMMON, ...CHAIN, kinds: flag });
      if (values.kinds) {
        checkArguments(positionals, []);
        return { verb: 'kinds' as const, ...common(values) };
      }
      const [file] = checkArguments(positionals, ['FILE']);
      return { verb, ...common(values), file: resolve(file), network: networkOf(values.chain) };
    }
    case 'nodes': {
      const { values, positionals } = parseOptions(rest, COMMON);
      checkArguments(positionals, []);
      return { verb, ...common(values) };
    }
    case 'wallets': {
      const { values, positionals } = parseOptions(rest, { ...COMMON, ...NODE });
      checkArguments(positionals, []);
      return { verb, ...common(values), node: nodeOrAny(values) };
    }
    case 'activity': {
      const { values, positionals } = parseOptions(rest, { ...COMMON, ...NODE });
      const [id = null] = positionals.length > 0 ? checkArguments(positionals, ['ID']) : [];
      return { verb, ...common(values), node: parseNodeChoice(values), id };
    }
    case 'export':
      return parseExportCommand(rest);
    case 'passphrase':
      return parsePassphraseCommand(rest);
    case 'plan':
      return parseJobCommand(verb, parseOptions(rest, { ...JOB, rehearse: flag }));
    case 'run':
      return parseJobCommand(verb, parseOptions(rest, RUN));
    case 'search': {
      const { values, positionals } = parseOptions(rest, { ...COMMON, out: text });
      const [image] = checkArguments(positionals, ['IMAGE']);
      return { verb, ...common(values), image: resolve(image), folder: pathOf('--out', values.out) };
    }
    case 'rescue': {
      const { values, positionals } = parseOptions(rest, { ...RUN, out: text });
      const folder = pathOf('--out', values.out);
      // With --out it only creates files in the user's own folder, so it asks for no confirmation.
      const into = folder === null ? {} : { offline: folder, yes: true };
      const all = { values: { ...values, load: false, ...into }, positionals: ['rescue', ...positionals] };
      return parseJobCommand('run', all);
    }
    default:
      throw new UsageError(
        say('Unknown command “{verb}”. Known: {verbs}.', { verb, verbs: oneOf(VERBS) }) +
          suggestion(verb, VERBS),
      );
  }
}

const VERBS = 'inspect plan run nodes wallets activity export rescue passphrase search'.split(' ');

function parseExportCommand(rest: readonly string[]) {
  const options = { ...COMMON, ...CHAIN, ...PASSPHRASE, private: flag, format: text, part: text };
  const { values, positionals } = parseOptions(rest, options);
  const [file, destination] = checkArguments(positionals, ['FILE', 'NEW-FILE']);
  const format =
    choiceOf('--format', values.format, ['lines', 'importdescriptors', 'electrum', 'wif']) ?? 'lines';
  if (listsPrivateKeys(format) && values.private !== true)
    throw new UsageError(say('Private keys need --private.'));
  return {
    verb: 'export' as const,
    ...common(values),
    file: resolve(file),
    destination: resolve(destination),
    network: networkOf(values.chain),
    passphraseFd: parseFd('--passphrase-fd', values['passphrase-fd']),
    private: values.private === true,
    format,
    part: choiceOf('--part', values.part, ['primary', 'watchonly', 'solvables']),
  };
}

function parsePassphraseCommand(rest: readonly string[]) {
  const { values, positionals } = parseOptions(rest, {
    ...COMMON,
    orders: flag,
    spaces: flag,
    capitals: flag,
    keyboards: flag,
    encodings: flag,
    typos: text,
    yes: flag,
    show: flag,
    'go-on': flag,
    'pieces-fd': text,
    'found-fd': text,
  });
  const [file] = checkArguments(positionals, ['FILE']);
  const { orders = false, spaces = false, capitals = false, keyboards = false, encodings = false } = values;
  const typos = ({ 0: 0, 1: 1, 2: 2 } as const)[choiceOf('--typos', values.typos, ['0', '1', '2']) ?? '0'];
  return {
    verb: 'passphrase' as const,
    ...common(values),
    file: resolve(file),
    variations: { orders, spaces, capitals, keyboards, encodings, typos },
    piecesFd: parseFd('--pieces-fd', values['pieces-fd']),
    /** Continue where the last search stopped. */
    resume: values['go-on'] === true,
    show: values.show === true,
    /** Write the passphrase there. */
    foundFd: parseFd('--found-fd', values['found-fd']),
    /** Search without asking. */
    yes: values.yes === true,
  };
}

function parseJobCommand(
  verb: 'plan' | 'run',
  { values, positionals }: { values: JobValues; positionals: readonly string[] },
) {
  const [kind = '', ...rest] = positionals;
  const action = planAction.safeParse(kind).data;
  if (action === undefined)
    throw new UsageError(say('Name an action: {kinds}.', { kinds: oneOf(planAction.options) }));
  const ofWallet = takesWalletName(action);
  const names = [ofWallet ? 'WALLET' : 'FILE', ...(action === 'backup' ? ['NEW-FILE'] : [])];
  if (values.all !== undefined && (action !== 'backup' || verb === 'plan'))
    throw new UsageError(say('--all works only with run backup.'));
  const idle = Object.keys(values).find((name) => values.all !== undefined && !(name in FOR_ALL));
  if (idle !== undefined) throw new UsageError(noEffect(`--${idle}`));
  if (values.wallet !== undefined && !ofWallet)
    throw new UsageError(say('Unexpected word “{word}”.', { word: '--wallet' }));
  // An option, because some shells drop an empty word.
  const words = values.wallet === undefined ? rest : [values.wallet, ...rest];
  const [subject = '', destination] = checkArguments(words, values.all === undefined ? names : [], ofWallet);
  const node = nodeOrAny(values);
  // A node with an address may be on another machine, which has its own folders. A rescue reads its file on this one.
  const isLiteral = ofWallet || (action === 'rescue' ? subject === STANDARD_INPUT : node.by === 'node');
  const yesOrNo = (option: 'load-on-startup' | 'load-afterwards') => {
    const choice = choiceOf(`--${option}`, values[option], ['yes', 'no']);
    return choice && choice === 'yes';
  };
  return {
    verb,
    ...common(values),
    node,
    action,
    /** A wallet's name, or the path of a file: full, or as the user typed it if the node may be on another machine. */
    subject: isLiteral ? subject : resolve(subject),
    answers: {
      destination,
      name: values.name,
      copy: values.copy && resolve(values.copy),
      loadOnStartup: yesOrNo('load-on-startup'),
      loadAfterwards: yesOrNo('load-afterwards'),
      hasOwnCopy: values['own-copy'],
      lossRead: values['loss-read'],
      logs: values['without-logs'] ? null : values.logs && resolve(values.logs),
      openOnly: values['open-only'],
      bitcoinKeys: values['bitcoin-keys'],
      isClosed: values.closed,
      rescanFrom: parseRescanStart(values.from),
    },
    /** The node's wallets folder; null: the node reports it. */
    walletsFolder: pathOf('--wallets-folder', values['wallets-folder']),
    passphraseFd: parseFd('--passphrase-fd', values['passphrase-fd']),
    calls: values.calls === true,
    rehearse: values.rehearse === true,
    /** The folder for backups of every wallet, as the user typed it; null: back up one. */
    all: textOf('--all', values.all),
    withoutDamaged: values['without-damaged'] === true,
    load: values.load === true,
    yes: values.yes === true,
  };
}

export const noEffect = (option: string) => say('{option} has no effect on this job.', { option });

/** Whether the action takes an existing wallet's name instead of a file. */
export function takesWalletName(kind: PlanAction): boolean {
  return kind === 'migrate' || kind === 'backup' || kind === 'rescan' || kind === 'put-back';
}

/** Stands for a text with keys instead of a file to rescue. */
export const STANDARD_INPUT = '-';

/** Whether the command reads keys from standard input instead of a file. */
export function readsText(command: Command): boolean {
  return 'action' in command && command.action === 'rescue' && command.subject === STANDARD_INPUT;
}

type Values<O extends Options> = ReturnType<typeof parseOptions<O>>['values'];
type JobValues = Values<typeof JOB> & Partial<{ rehearse: boolean } & Values<typeof RUN>>;

function parseOptions<const O extends Options>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    // Node's English message, which names the option.
    const message = error instanceof Error ? error.message : '';
    const [sentence = ''] = message.split(/\.\s/);
    const [, unknown = ''] = /^Unknown option '(-[^']*)'/.exec(sentence) ?? [];
    const known = Object.keys(options).map((name) => `--${name}`);
    const [, dashed] = /use '(--[^']*=-)/.exec(message) ?? [];
    const hint =
      dashed === undefined ? suggestion(unknown, known) : ` ${say('Write {option}…', { option: dashed })}`;
    throw new UsageError(`${sentence}.${hint}`);
  }
}

/** Asks whether the user meant a similar known name; else an empty text. */
function suggestion(typed: string, known: readonly string[]): string {
  const [near] = similarNames(typed, known);
  if (near === undefined) return '';
  return ` ${say('Did you mean {near}?', { near })}`;
}

/** Checks the arguments against their names. `mayBeEmpty`: the first one is a wallet's name, which may be empty. */
function checkArguments<const N extends readonly string[]>(
  args: readonly string[],
  names: N,
  mayBeEmpty?: boolean,
): { [K in keyof N]: string };
function checkArguments(
  args: readonly string[],
  names: readonly string[],
  mayBeEmpty = false,
): readonly string[] {
  const missing = names.find(
    (_, at) => args[at] === undefined || (args[at] === '' && !(mayBeEmpty && at === 0)),
  );
  if (missing !== undefined) {
    // Windows PowerShell drops an empty word.
    const hint = mayBeEmpty ? ` ${say('The unnamed wallet: {option}', { option: '--wallet=' })}` : '';
    throw new UsageError(`${say('{word} is missing.', { word: missing })}${hint}`);
  }
  const extra = args[names.length];
  if (extra !== undefined) throw new UsageError(say('Unexpected word “{word}”.', { word: extra }));
  return args;
}

function common(values: Values<typeof COMMON>) {
  return {
    json: values.json === true,
    /** Null for the default one. */
    dataFolder: pathOf('--data', values.data),
  };
}

function nodeOrAny(values: Values<typeof NODE>): NodeChoice {
  return parseNodeChoice(values) ?? { by: 'running', address: null, network: undefined };
}

/** Null if the command line names no node. */
function parseNodeChoice(values: Values<typeof NODE>): NodeChoice | null {
  const { node, user } = values;
  const network = networkOf(values.chain);
  const offline = pathOf('--offline', values.offline);
  const cookieFile = pathOf('--cookie', values.cookie);
  const fd = parseFd('--password-fd', values['password-fd']);
  if (node !== undefined && offline !== null) throw new UsageError(say('Use --node or --offline.'));
  if (node === undefined && (cookieFile !== null || user !== undefined || fd !== null))
    throw new UsageError(say('--cookie, --user and --password-fd go with --node.'));
  if (offline !== null) return { by: 'offline', walletsFolder: offline, network };
  if (node === undefined) return network === undefined ? null : { by: 'running', address: null, network };
  if (network !== undefined) throw new UsageError(say('Use --node or --chain.'));
  const address = addressOf(node);
  if (cookieFile !== null && user === undefined && fd === null)
    return { by: 'node', address, login: { by: 'cookie', cookieFile } };
  if (user !== undefined && cookieFile === null)
    return { by: 'node', address, login: { by: 'password', user, fd } };
  if (cookieFile === null && fd === null) return { by: 'running', address, network };
  throw new UsageError(say('--node needs --cookie FILE or --user NAME.'));
}

/** Parses the URL of a node. Refuses a user or password in it, because other users can read command lines. */
function addressOf(url: string): NodeAddress {
  const [, scheme = '', host = '', port = ''] =
    /^(https?):\/\/(\[[\d:a-f]+\]|[^\s/:@[\]]+):(\d{1,5})\/?$/i.exec(url) ?? [];
  const number = Number(port);
  if (host === '' || number < 1 || number > 65_535)
    throw new UsageError(
      say('--node takes an address, such as {example}.', { example: 'http://127.0.0.1:8332' }),
    );
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: number, tls: scheme.toLowerCase() === 'https' };
}

function networkOf(chain: string | undefined): Network | undefined {
  const name = choiceOf('--chain', chain, chainNames);
  return name === undefined ? undefined : networkOfChain(name);
}

function choiceOf<const C extends string>(
  option: string,
  value: string | undefined,
  choices: readonly C[],
): C | undefined {
  if (value === undefined) return undefined;
  const found = choices.find((one) => one === value);
  if (found === undefined)
    throw new UsageError(say('{option} takes {choices}.', { option, choices: oneOf(choices) }));
  return found;
}

/** The file descriptor of a password or passphrase, which is never an argument itself. */
function parseFd(option: string, value: string | undefined): number | null {
  if (value === undefined) return null;
  if (!/^\d{1,4}$/.test(value) || value === '1' || value === '2')
    throw new UsageError(say('{option} takes a file descriptor: 0, or 3 and up.', { option }));
  return Number(value);
}

/** The start of a rescan: a height, or the date of the first payments. */
function parseRescanStart(value: string | undefined): Answers['rescanFrom'] {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return { by: 'height', height: Number(value) };
  const time = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(value) / 1000 : Number.NaN;
  if (Number.isNaN(time) || time < 0)
    throw new UsageError(
      say('--from takes a height, or a date such as {example}.', { example: '2017-05-31' }),
    );
  return { by: 'time', time };
}

/** The full path; null without the option. */
function pathOf(option: string, value: string | undefined): string | null {
  const path = textOf(option, value);
  return path === null ? null : resolve(path);
}

/** The path as the user typed it; null without the option. */
function textOf(option: string, value: string | undefined): string | null {
  if (value === '') throw new UsageError(say('{option} is empty.', { option }));
  return value ?? null;
}
