/** What the calls that load a wallet answer: its name, and warnings in the shape of the release. */

import type { RpcValue } from '../rpc/rpcJson.ts';
import type { Engine } from '../wallets/engineContext.ts';
import type { WalletFacts } from '../wallets/fileWork.ts';

export function loadedResult(engine: Engine, name: string, wallet: WalletFacts): RpcValue {
  const deprecated =
    wallet.kind === 'legacy' && engine.dialect.legacyWallets === 'load-and-warn' ? [LEGACY_WARNING] : [];
  return { name, ...warningsResult(engine, [...deprecated, ...wallet.warnings]) };
}

/** The members that tell of warnings: `warning` in 23, `warnings` since, both in 25 where that is asked for. */
export function warningsResult(
  { dialect, walletWarningField }: Engine,
  warnings: readonly string[],
): { warning?: string; warnings?: readonly string[] } {
  const text = warnings.join('\n');
  if (dialect.loadWarnings === 'warning') return { warning: text };
  return {
    ...(walletWarningField && dialect.release === 25 ? { warning: text } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

const LEGACY_WARNING =
  'Wallet loaded successfully. The legacy wallet type is being deprecated and support for creating and opening legacy wallets will be removed in the future. Legacy wallets can be migrated to a descriptor wallet with migratewallet.';
