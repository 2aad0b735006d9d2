/** What a call of the engine is made of: its name, what it takes, and what it does. */
import type { Dialect } from '../rpc/dialect.ts';
import { RpcError } from '../rpc/rpcError.ts';
import type { RpcValue } from '../rpc/rpcJson.ts';
import type { LoadedWallet } from '../view/loadedWallet.ts';
import type { Engine } from '../wallets/engineContext.ts';
import { notLoaded, type OpenWallet } from '../wallets/wallets.ts';
import type { CallArguments } from './callArguments.ts';

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
  /** Aborted once nobody waits for the answer any more. What changes wallets goes on all the same, as in a node. */
  readonly asker: AbortSignal;
}

/** What help tells of a call, and what its arguments are checked against. */
export interface Signature {
  readonly name: string;
  readonly group: 'wallet' | 'blockchain' | 'network' | 'util' | 'control';
  /** A few sentences for the help. */
  readonly about: string;
  readonly params: readonly Param[];
  /** Whether a release has it. Without, all have. */
  readonly isIn?: (dialect: Dialect) => boolean;
}

export interface Method extends Signature {
  run(call: Call): RpcValue | Promise<RpcValue>;
}

/** What a question about a loaded wallet is answered from. */
interface Asked {
  readonly wallet: LoadedWallet;
  /** The wallet's. */
  readonly name: string;
  readonly args: CallArguments;
  readonly dialect: Dialect;
  /** Null while the wallet is locked, and for a question that does not use it. */
  readonly masterKey: Uint8Array | null;
  /** Unix seconds; 0 while it is locked. */
  readonly unlockedUntil: number;
  /** Unix seconds. */
  readonly now: number;
}

/** A call that only looks at a loaded wallet: answered in the thread where the wallet is open. */
export interface Question extends Signature {
  /** Gets the key of an unlocked wallet. */
  readonly usesKey?: true;
  answer(asked: Asked): RpcValue | Promise<RpcValue>;
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

/** For calls on a loaded wallet. Throws RpcError -18 when it is not loaded, -19 when it is not clear which. */
export function calledWallet(engine: Engine, endpoint: string | null): OpenWallet {
  if (endpoint !== null) {
    const open = engine.wallets.get(endpoint);
    if (open) return open;
    throw notLoaded();
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

/** For calls that name their wallet, loaded or not. Throws RpcError -8 when there is no name, or are two. */
export function namedWallet(engine: Engine, endpoint: string | null, argument: string | null): string {
  const { words } = engine.dialect;
  if (endpoint !== null && argument !== null && endpoint !== argument) {
    throw new RpcError('invalidParameter', words.twoWallets);
  }
  const name = endpoint ?? argument;
  if (name === null) throw new RpcError('invalidParameter', words.noWalletNamed);
  return name;
}
