/** What a call of the engine is made of: its name, what it takes, and what it does. */
import type { Dialect } from '../rpc/dialect.ts';
import { RpcError, type RpcValue } from '../rpc/jsonRpc.ts';
import type { LoadedWallet } from '../view/openWallet.ts';
import { type Engine, notLoaded, type OpenWallet } from '../wallets/wallets.ts';
import type { AskedQuestion } from '../wallets/work.ts';
import type { CallArguments, Param, ParamType, Signature } from './callArguments.ts';

interface Call {
  readonly engine: Engine;
  readonly args: CallArguments;
  /** The wallet of the path `/wallet/<name>`; null for the root path. */
  readonly endpoint: string | null;
  /** Aborted once nobody waits for the answer any more. What changes wallets goes on all the same, as in a node. */
  readonly asker: AbortSignal;
}

export interface Method extends Signature {
  run(call: Call): RpcValue | Promise<RpcValue>;
}

/** What a question about a loaded wallet is answered from. */
interface Asked extends Pick<AskedQuestion, 'name' | 'masterKey' | 'unlockedUntil' | 'now'> {
  readonly wallet: LoadedWallet;
  readonly args: CallArguments;
  readonly dialect: Dialect;
}

/** A call that only looks at a loaded wallet: answered in the thread where the wallet is open. */
export interface Question extends Signature {
  /** Gets the key of an unlocked wallet. */
  readonly usesKey?: true;
  answer(asked: Asked): RpcValue | Promise<RpcValue>;
}

/** Calls by their names. Of the group `wallet` is one that names none, and without `params` it takes none. */
export type Table<C extends Signature> = Readonly<
  Record<string, Omit<C, 'name' | 'group' | 'params'> & Partial<Pick<C, 'group' | 'params'>>>
>;

/** Of the calls that load a wallet. */
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

/** The name that `namedWallet` reads. `work`: what the call does with the wallet. */
export function walletToName(work: string): Param {
  const about = `The name of the wallet to ${work}. Must be the one of the path if both are given.`;
  return optional('wallet_name', 'string', about);
}

/** For calls on a loaded wallet. Throws RpcError -18 when it is not loaded, -19 when it is not clear which. */
export function calledWallet({ engine, endpoint }: Pick<Call, 'engine' | 'endpoint'>): OpenWallet {
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
