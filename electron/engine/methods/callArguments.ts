/** The arguments of one call, checked against what its method takes, by the release's rules. */
import type { Dialect } from '../rpc/dialect.ts';
import { type RawParams, RpcError } from '../rpc/jsonRpc.ts';

/** JSON types, named as in a node's errors. */
export type ParamType = 'string' | 'bool' | 'number' | 'array' | 'object';

export interface Param {
  readonly name: string;
  readonly type: ParamType;
  readonly required: boolean;
  /** One sentence for the help. */
  readonly about: string;
  /** Whether a release has it. Absent: all have it. */
  readonly isIn?: (dialect: Dialect) => boolean;
}

/** A call's help, and the parameters to check its arguments against. */
export interface Signature {
  readonly name: string;
  readonly group: 'wallet' | 'blockchain' | 'network' | 'util' | 'control';
  /** A few sentences for the help. */
  readonly about: string;
  readonly params: readonly Param[];
  /** Whether a release has it. Absent: all have it. */
  readonly isIn?: (dialect: Dialect) => boolean;
}

type Described = Pick<Signature, 'name' | 'about' | 'params'>;

export type CallArguments = ReturnType<typeof readArguments>;

/**
 * Named arguments are put in their positions first, as a node does. Throws RpcError: -8 for an unknown name, -1
 * with the help for too few or too many, then the release's error for a wrong type (-1 in 23, -3 since).
 */
export function readArguments(method: Described, params: RawParams, dialect: Dialect) {
  const given = inPositions(method, params);
  const required = method.params.filter((param) => param.required).length;
  if (given.length < required || given.length > method.params.length) {
    throw new RpcError('misc', helpOf(method));
  }
  const wrong = method.params.flatMap((param, position) => {
    const value = given[position];
    if ((value === undefined || value === null) && !param.required) return [];
    return typeNameOf(value) === param.type ? [] : [{ param, position, value }];
  });
  const [first] = wrong;
  if (first) throw dialect.wrongTypes === 'first' ? oldTypeError(first) : typeError(wrong);
  return readersOf(method, given);
}

function inPositions(method: Described, params: RawParams): readonly unknown[] {
  if (isList(params)) return params;
  const names = method.params.map((param) => param.name);
  const unknown = Object.keys(params).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new RpcError('invalidParameter', `Unknown named parameter ${unknown}`);
  const last = names.findLastIndex((name) => Object.hasOwn(params, name));
  return names.slice(0, last + 1).map((name) => params[name] ?? null);
}

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

/** The words of release 23. */
function oldTypeError({ param }: WrongType): RpcError {
  return new RpcError('misc', `JSON value is not ${typeWords[param.type].old} as expected`);
}

function typeNameOf(value: unknown): ParamType | 'null' {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'number' ? 'number' : 'object';
}

/** Each reader gives null where the argument is left out or null. Names are the method's own. */
function readersOf(method: Described, given: readonly unknown[]) {
  const reader =
    <T>(isOne: (value: unknown) => value is T) =>
    (name: string): T | null => {
      const position = method.params.findIndex((param) => param.name === name);
      if (position < 0) throw new Error(`${method.name} has no parameter ${name}`);
      const value = given[position];
      return isOne(value) ? value : null;
    };
  return {
    /** All of them as they came, in their positions: to be read again in another thread. */
    given,
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

/** What `help` tells: of one call, or which there are. Throws RpcError -1 for a call that is not among them. */
export function helpText(methods: readonly Signature[], command: string | null): string {
  if (command) {
    const method = methods.find(({ name }) => name === command);
    if (!method) throw new RpcError('misc', `help: unknown command: ${command}`);
    return helpOf(method);
  }
  const groups = [...new Set(methods.map((method) => method.group))].sort();
  return groups
    .map((group) => {
      const usages = methods.filter((method) => method.group === group).map(usageOf);
      return [`== ${group.charAt(0).toUpperCase()}${group.slice(1)} ==`, ...usages.sort()].join('\n');
    })
    .join('\n\n');
}

/** Also what a call with too few or too many arguments gets. */
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
  const shown = method.params.map(({ name, type, required }) => ({
    required,
    text: type === 'string' ? `"${name}"` : name,
  }));
  const required = shown.filter((param) => param.required).map((param) => param.text);
  const optional = shown.filter((param) => !param.required).map((param) => param.text);
  return [method.name, ...required, ...(optional.length > 0 ? ['(', ...optional, ')'] : [])].join(' ');
}

/** In errors of release 23, and in the help. */
const typeWords = {
  string: { old: 'a string', help: 'string' },
  bool: { old: 'a boolean', help: 'boolean' },
  number: { old: 'an integer', help: 'numeric' },
  array: { old: 'an array', help: 'json array' },
  object: { old: 'an object', help: 'json object' },
} as const;
