/** Which wallet a call is about: the one of its path, of its argument, or the only one. */

import { RpcError } from '../rpc/rpcError.ts';
import type { Engine } from '../wallets/engineContext.ts';
import { notLoaded, type OpenWallet } from '../wallets/wallets.ts';

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
