/** What a call of the engine is made of: its name, what it takes, and what it does. */
import type { CallArguments } from '../callArguments.ts';
import type { Dialect } from '../dialect.ts';
import type { Engine } from '../engineContext.ts';
import type { RpcValue } from '../rpcJson.ts';

/** As the JSON types are called in a node's errors. */
export type ParamType = 'string' | 'bool' | 'number' | 'array' | 'object';

export interface Param {
  readonly name: string;
  readonly type: ParamType;
  readonly required: boolean;
  /** One sentence for the help. */
  readonly about: string;
}

interface Call {
  readonly engine: Engine;
  readonly args: CallArguments;
  /** The wallet of the path `/wallet/<name>`; null for the root path. */
  readonly endpoint: string | null;
}

export interface Method {
  readonly name: string;
  readonly group: 'wallet' | 'blockchain' | 'network' | 'util' | 'control';
  /** A few sentences for the help. */
  readonly about: string;
  readonly params: readonly Param[];
  /** Whether a release has it. Without, all have. */
  readonly isIn?: (dialect: Dialect) => boolean;
  run(call: Call): RpcValue | Promise<RpcValue>;
}

/** Of the calls that load a wallet. */
export const loadOnStartup: Param = {
  name: 'load_on_startup',
  type: 'bool',
  required: false,
  about:
    'Save wallet name to persistent settings and load on startup. True to add wallet to startup list, false to remove, null to leave unchanged.',
};

export function required(name: string, type: ParamType, about: string): Param {
  return { name, type, required: true, about };
}

export function optional(name: string, type: ParamType, about: string): Param {
  return { name, type, required: false, about };
}
