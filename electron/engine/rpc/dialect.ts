/** The differences between releases in the engine's answers. Every fact comes from a recording of that release. */
import { join } from 'node:path';

export const engineReleases = [23, 25, 28, 30, 32] as const;
export type EngineRelease = (typeof engineReleases)[number];

export const dialects: Readonly<Record<EngineRelease, Dialect>> = {
  23: dialectOf(23, 230000, '23.0'),
  25: dialectOf(25, 250200, '25.2'),
  28: dialectOf(28, 280100, '28.1'),
  30: dialectOf(30, 300000, '30.0'),
  // Recorded from the master branch of 18 August 2026, which calls itself 31.99.
  32: dialectOf(32, 319900, '31.99'),
};

export type Dialect = ReturnType<typeof dialectOf>;

/** `version`: the recorded release's number in `getnetworkinfo`; 280100 is 28.1. */
function dialectOf(release: EngineRelease, version: number, versionText: string) {
  const since = (first: EngineRelease) => release >= first;
  return {
    release,
    version,
    versionText,
    /** Whether `jsonrpc: "2.0"` has an effect. Earlier releases answer such a request as 1.0. */
    jsonRpc2: since(28),
    /** Whether named arguments may include `args`, a list of those by position. */
    mixedArguments: since(25),
    /** `first`: reports the first wrong parameter with error -1; `all`: every one with error -3. */
    wrongTypes: since(25) ? 'all' : 'first',
    /** The field of a loading's result: `warning`, a text that may be empty, or `warnings`, absent if there are none. */
    loadWarnings: since(25) ? 'warnings' : 'warning',
    /** The type of the warnings of `getnetworkinfo` and `getblockchaininfo`. */
    nodeWarnings: since(28) ? 'list' : 'text',
    migrates: since(25),
    /** The form of `parent_descs` in `listunspent`. */
    parents: since(30) ? 'normalised' : 'plain',
    /** Whether `migratewallet` can leave the new wallets unloaded (`load_wallet`). */
    loadIsOptional: since(32),
    legacyWallets: since(30) ? 'refuse' : since(28) ? 'load-and-warn' : 'load',
    /** Whether `listwalletdir` has `warnings` for each wallet. */
    listsWarnings: since(30),
    walletInfo: {
      /** The three balances. */
      balances: !since(30),
      /** `blank`, `birthtime`, `lastprocessedblock`. */
      birth: since(28),
      flags: since(30),
      payTxFee: !since(32),
    },
    /** Whether `listlabels` refuses an unknown purpose. */
    checksPurpose: since(28),
    /** Whether `getnetworkinfo` has the rate of relayed transactions. */
    sendRate: since(32),
    /** Whether `restorewallet` refuses an empty name and names that are paths. */
    checksNames: since(32),
    /** The folder of the backup and the character between name and time. */
    migrationBackup: { folder: since(30) ? 'wallets' : 'wallet', separator: since(28) ? '_' : '-' },
    words: {
      twoWallets: since(30)
        ? 'The RPC endpoint wallet and the wallet name parameter specify different wallets'
        : 'RPC endpoint wallet and wallet_name parameter specify different wallets',
      noWalletNamed: since(30)
        ? 'Either the RPC endpoint wallet or the wallet name parameter must be provided'
        : 'Either RPC endpoint wallet or wallet_name parameter must be provided',
      severalLoaded: since(30)
        ? 'Multiple wallets are loaded. Please select which wallet to use by requesting the RPC through the /wallet/<walletname> URI path.'
        : 'Wallet file not specified (must request wallet RPC through /wallet/<filename> uri-path).',
      /** `restorewallet` for a name that is taken. `path`: the wallet's folder. */
      taken: (path: string) =>
        since(32)
          ? `Failed to restore wallet. Database file exists in '${join(path, 'wallet.dat')}'.`
          : `Failed to create database path '${path}'. Database already exists.`,
      /** `migratewallet` for a missing wallet; null for "Path does not exist". Release 28 wrongly says "already a descriptor wallet". */
      nothingToMigrate: since(28) ? 'Error: Wallet does not exist' : null,
    },
  } as const;
}
