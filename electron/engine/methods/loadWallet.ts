/** `loadwallet` and `unloadwallet`. */

import type { RpcValue } from '../rpc/rpcJson.ts';
import type { Engine } from '../wallets/engineContext.ts';
import type { WalletFacts } from '../wallets/fileWork.ts';
import { loadOnStartup, type Method, namedWallet, optional, required } from './method.ts';

export const loadWallet: Method = {
  name: 'loadwallet',
  group: 'wallet',
  about: 'Loads a wallet from the wallets folder.',
  params: [
    required('filename', 'string', 'The name of the wallet: its folder, or its .dat file.'),
    loadOnStartup,
  ],
  run: ({ engine, args }) => {
    const name = args.text('filename') ?? '';
    const listed = args.flag('load_on_startup');
    return engine.wallets.inTurn([name], async () => {
      const { wallet } = await engine.wallets.load(name);
      const warnings = [...wallet.warnings, ...listAtStart(engine, name, listed)];
      return loadedResult(engine, name, { ...wallet, warnings });
    });
  },
};

export const unloadWallet: Method = {
  name: 'unloadwallet',
  group: 'wallet',
  about: 'Unloads the wallet of the path or of the argument. Its file stays as it is.',
  params: [
    optional(
      'wallet_name',
      'string',
      'The name of the wallet to unload. Must be the one of the path if both are given.',
    ),
    loadOnStartup,
  ],
  run: ({ engine, args, endpoint }) => {
    const name = namedWallet(engine, endpoint, args.text('wallet_name'));
    const listed = args.flag('load_on_startup');
    return engine.wallets.inTurn([name], async () => {
      engine.wallets.unload(name);
      return { ...warningsResult(engine, listAtStart(engine, name, listed)) };
    });
  },
};

/**
 * Puts the wallet on the list of the start, or takes it away; null leaves it. Gives warnings, and no error: what the call
 * is for is done by then, and none must hide that.
 */
export function listAtStart(
  { startup, log }: Engine,
  name: string,
  listed: boolean | null,
): readonly string[] {
  if (listed === null) return [];
  try {
    startup.set(name, listed);
    return [];
  } catch {
    log.ofWallet(name, NOT_LISTED);
    return [NOT_LISTED];
  }
}

const NOT_LISTED =
  'The call did its work. The settings file cannot be written, so that whether the wallet is loaded at the next start stays as it was.';

/** What the calls that load a wallet answer: its name, and warnings in the shape of the release. */
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
