/** How the releases differ in what the engine answers. Every fact is recorded from a node of that release. */

export const engineReleases = [23, 25, 28, 30, 32] as const;
export type EngineRelease = (typeof engineReleases)[number];

export const dialects: Readonly<Record<EngineRelease, Dialect>> = {
  23: dialectOf(23, 230000, '23.0'),
  25: dialectOf(25, 250200, '25.2'),
  28: dialectOf(28, 280100, '28.1'),
  30: dialectOf(30, 300000, '30.0'),
  // As its master of 18 August 2026 was recorded, which calls itself 31.99.
  32: dialectOf(32, 319900, '31.99'),
};

export type Dialect = ReturnType<typeof dialectOf>;

/** `version` as `getnetworkinfo` gives it: 280100 is 28.1, the release that was recorded. */
function dialectOf(release: EngineRelease, version: number, versionText: string) {
  const since = (first: EngineRelease) => release >= first;
  return {
    release,
    version,
    versionText,
    /** Whether `jsonrpc: "2.0"` is honoured. Before, such a request is answered as 1.0. */
    jsonRpc2: since(28),
    /** `first`: the first wrong parameter, error -1; `all`: every one, by position and name, error -3. */
    wrongTypes: since(25) ? 'all' : 'first',
    /** Whether loading answers `warning`, one text that may be empty, or `warnings`, only if there are some. */
    loadWarnings: since(25) ? 'warnings' : 'warning',
    /** Whether `getnetworkinfo` and `getblockchaininfo` give their warnings as a list. */
    nodeWarnings: since(28) ? 'list' : 'text',
    migrates: since(25),
    /** Whether `migratewallet` can leave what comes of it unloaded (`load_wallet`). */
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
    /** Whether `getnetworkinfo` tells how fast transactions are passed on. */
    sendRate: since(32),
    /** Whether a wallet without a name is not restored, and names that are paths are refused. */
    checksNames: since(32),
    /** `beside`: in the wallet's folder; `above`: in the wallets folder. Then what stands before the time. */
    migrationBackup: { place: since(30) ? 'above' : 'beside', before: since(28) ? '_' : '-' },
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
      /** What `restorewallet` says of a name that is taken, by the wallet's folder. */
      taken: (path: string) =>
        since(32)
          ? `Failed to restore wallet. Database file exists in '${path}/wallet.dat'.`
          : `Failed to create database path '${path}'. Database already exists.`,
      /** What `migratewallet` says of a wallet that is not there. `null`: that its path does not exist. */
      // A node of release 28 says "already a descriptor wallet", which is not true: the number is kept, not that.
      nothingToMigrate: since(28) ? 'Error: Wallet does not exist' : null,
    },
  } as const;
}
