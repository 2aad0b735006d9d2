/** The definition of an RPC method, and its arguments, which are checked by the release's rules. */
import type { Dialect } from '../rpc/dialect.ts';
import { type RawParams, RpcError, type RpcValue } from '../rpc/jsonRpc.ts';
import type { LoadedWallet } from '../view/openWallet.ts';
import { type Engine, type LoadedWalletEntry, notLoadedError } from '../wallets/wallets.ts';
import type { ReadCall } from '../wallets/work.ts';

interface Call {
  readonly engine: Engine;
  readonly args: CallArguments;
  /** The wallet of the path `/wallet/<name>`; null for the root path. */
  readonly endpoint: string | null;
  /** Aborts when nobody waits for the answer. Calls that change wallets continue all the same, as in a node. */
  readonly caller: AbortSignal;
}

export interface Method extends Signature {
  run(call: Call): RpcValue | Promise<RpcValue>;
}

/** The input of a question about a loaded wallet. */
interface ReadMethodInput extends Pick<ReadCall, 'name' | 'masterKey' | 'unlockedUntil' | 'now'> {
  readonly wallet: LoadedWallet;
  readonly args: CallArguments;
  readonly dialect: Dialect;
}

/** A call that only reads a loaded wallet. The thread that has opened the wallet answers it. */
export interface ReadMethod extends Signature {
  /** Gets the key of an unlocked wallet. */
  readonly usesKey?: true;
  answer(input: ReadMethodInput): RpcValue | Promise<RpcValue>;
}

/** Methods by name. Default: group `wallet`, no parameters. */
export type Table<C extends Signature> = Readonly<
  Record<string, Omit<C, 'name' | 'group' | 'params'> & Partial<Pick<C, 'group' | 'params'>>>
>;

/** The parameter of calls that load a wallet. */
export const loadOnStartup = optional(
  'load_on_startup',
  'bool',
  'Save wallet name to persistent settings and load on startup. True to add wallet to startup list, false to remove, null to leave unchanged.',
);

export function required(name: string, type: ParamType, about: string): Param {
  return { name, type, required: true, about };
}

export function optional(name: string, type: ParamType, about: string): Param {
  return { name, type, required: false, about };
}

/** The parameter that `namedWallet` reads. `work`: the verb for the call. */
export function walletToName(work: string): Param {
  const about = `The name of the wallet to ${work}. Must be the one of the path if both are given.`;
  return optional('wallet_name', 'string', about);
}

/** The loaded wallet of a call. Throws RpcError -18 if it is not loaded, -19 if it is ambiguous. */
export function calledWallet({ engine, endpoint }: Pick<Call, 'engine' | 'endpoint'>): LoadedWalletEntry {
  if (endpoint !== null) {
    const open = engine.wallets.get(endpoint);
    if (open) return open;
    throw notLoadedError();
  }
  const [only, ...others] = engine.wallets.all();
  if (!only) {
    throw new RpcError(
      'walletNotFound',
      'No wallet is loaded. Load a wallet using loadwallet or create a new one. (Note: A default wallet is no longer automatically created)',
    );
  }
  if (others.length > 0) throw new RpcError('walletNotSpecified', engine.dialect.words.severalLoaded);
  return only;
}

/** The name of a call's wallet, loaded or not. Throws RpcError -8 for no name, or two. */
export function namedWallet({ engine, endpoint, args }: Call): string {
  const { words } = engine.dialect;
  const argument = args.text('wallet_name');
  if (endpoint !== null && argument !== null && endpoint !== argument) {
    throw new RpcError('invalidParameter', words.twoWallets);
  }
  const name = endpoint ?? argument;
  if (name === null) throw new RpcError('invalidParameter', words.noWalletNamed);
  return name;
}

/** JSON types, named as in a node's errors. */
type ParamType = 'string' | 'bool' | 'number' | 'array' | 'object';

interface Param {
  readonly name: string;
  readonly type: ParamType;
  readonly required: boolean;
  /** One sentence for the help. */
  readonly about: string;
  /** Whether a release has it. Absent: all have it. */
  readonly isIn?: (dialect: Dialect) => boolean;
}

/** The help of a method, and its parameters. */
interface Signature {
  readonly name: string;
  readonly group: 'wallet' | 'blockchain' | 'network' | 'util' | 'control';
  /** A few sentences for the help. */
  readonly about: string;
  readonly params: readonly Param[];
  /** Whether a release has it. Absent: all have it. */
  readonly isIn?: (dialect: Dialect) => boolean;
}

type Described = Pick<Signature, 'name' | 'about' | 'params'>;

type CallArguments = ReturnType<typeof readArguments>;

/**
 * Named arguments are put in their positions first, as a node does. Throws RpcError: -8 for an unknown name, -1
 * with the help for too few or too many, then the release's error for a wrong type (-1 in 23, -3 since).
 */
export function readArguments(method: Described, params: RawParams, dialect: Dialect) {
  const all = inPositions(method, params, dialect);
  const required = method.params.filter((param) => param.required).length;
  if (all.length < required || all.length > method.params.length) {
    throw new RpcError('misc', helpOf(method));
  }
  const wrong = method.params.flatMap((param, position) => {
    const value = all[position];
    if ((value === undefined || value === null) && !param.required) return [];
    return typeNameOf(value) === param.type ? [] : [{ param, position, value }];
  });
  const [first] = wrong;
  if (first && dialect.wrongTypes === 'first')
    throw new RpcError('misc', `JSON value is not ${typeWords[first.param.type].old} as expected`);
  if (first) throw typeError(wrong);
  return readersOf(method, all);
}

function inPositions(method: Described, params: RawParams, dialect: Dialect): readonly unknown[] {
  if (isList(params)) return params;
  const names = method.params.map((param) => param.name);
  const isNamed = (name: string) => Object.hasOwn(params, name);
  const { args } = params;
  const positional = dialect.mixedArguments && isNamed(MIXED) && isList(args) ? args : [];
  const first = names.find(isNamed);
  if (first !== undefined && positional.length > names.indexOf(first)) {
    throw new RpcError(
      'invalidParameter',
      `Parameter ${first} specified twice both as positional and named argument`,
    );
  }
  const known = dialect.mixedArguments ? [...names, MIXED] : names;
  const unknown = Object.keys(params).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new RpcError('invalidParameter', `Unknown named parameter ${unknown}`);
  const last = names.findLastIndex(isNamed);
  const named = names.slice(0, last + 1).map((name) => params[name] ?? null);
  return [...positional, ...named.slice(positional.length)];
}

/** Holds the arguments by position next to named ones, as `bitcoin-cli -named` sends them. */
const MIXED = 'args';

interface WrongType {
  readonly param: Param;
  readonly position: number;
  readonly value: unknown;
}

/** The words of release 25 and later. */
function typeError(wrong: readonly WrongType[]): RpcError {
  const lines = wrong.map(({ param, position, value }) => {
    const words = `JSON value of type ${typeNameOf(value)} is not of expected type ${param.type}`;
    return `    "Position ${position + 1} (${param.name})": "${words}"`;
  });
  return new RpcError('typeError', `Wrong type passed:\n{\n${lines.join(',\n')}\n}`);
}

function typeNameOf(value: unknown): ParamType | 'null' {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'number' ? 'number' : 'object';
}

/** Functions that read an argument by its name. Null for a missing or null argument. */
function readersOf(method: Described, all: readonly unknown[]) {
  const reader =
    <T>(isOne: (value: unknown) => value is T) =>
    (name: string): T | null => {
      const position = method.params.findIndex((param) => param.name === name);
      if (position < 0) throw new Error(`${method.name} has no parameter ${name}`);
      const value = all[position];
      return isOne(value) ? value : null;
    };
  return {
    /** All arguments by position, for another thread to read again. */
    all,
    text: reader((value) => typeof value === 'string'),
    flag: reader((value) => typeof value === 'boolean'),
    integer: reader(isInteger),
    list: reader(isList),
  };
}

function isInteger(value: unknown): value is number {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new RpcError('misc', 'JSON integer out of range');
  return typeof value === 'number';
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** The text of `help`: about one method, or a list of all. */
export function helpText(methods: readonly Signature[], command: string | null): string {
  if (command) {
    const method = methods.find(({ name }) => name === command);
    return method ? helpOf(method) : `help: unknown command: ${command}`;
  }
  const groups = [...new Set(methods.map((method) => method.group))].sort();
  return groups
    .map((group) => {
      const usages = methods.filter((method) => method.group === group).map(usageOf);
      return [`== ${group.charAt(0).toUpperCase()}${group.slice(1)} ==`, ...usages.sort()].join('\n');
    })
    .join('\n\n');
}

/** Help for one method; also the error for too few or too many arguments. */
function helpOf(method: Described): string {
  const parts = [usageOf(method), '', method.about];
  if (method.params.length > 0) {
    parts.push(
      '',
      'Arguments:',
      ...method.params.map((param, position) => {
        const need = param.required ? 'required' : 'optional';
        return `${position + 1}. ${param.name}    (${typeWords[param.type].help}, ${need}) ${param.about}`;
      }),
    );
  }
  return `${parts.join('\n')}\n`;
}

/** `restorewallet "wallet_name" "backup_file" ( load_on_startup )` */
function usageOf(method: Described): string {
  const described = method.params.map(({ name, type, required }) => ({
    required,
    text: type === 'string' ? `"${name}"` : name,
  }));
  const required = described.filter((param) => param.required).map((param) => param.text);
  const optional = described.filter((param) => !param.required).map((param) => param.text);
  return [method.name, ...required, ...(optional.length > 0 ? ['(', ...optional, ')'] : [])].join(' ');
}

/** Names of the types in the errors of release 23 and in the help. */
const typeWords = {
  string: { old: 'a string', help: 'string' },
  bool: { old: 'a boolean', help: 'boolean' },
  number: { old: 'an integer', help: 'numeric' },
  array: { old: 'an array', help: 'json array' },
  object: { old: 'an object', help: 'json object' },
} as const;
