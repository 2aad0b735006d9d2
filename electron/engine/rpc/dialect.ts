/** How the releases differ in what the engine answers. Every fact is recorded from a node of that release. */

export const engineReleases = [23, 25, 28, 30, 32] as const;
export type EngineRelease = (typeof engineReleases)[number];

export interface Dialect {
  readonly release: EngineRelease;
  /** As `getnetworkinfo` gives it: 280100 is 28.1, the release that was recorded. */
  readonly version: number;
  /** `28.1` */
  readonly versionText: string;
  /** Whether `jsonrpc: "2.0"` is honoured. Before, such a request is answered as 1.0. */
  readonly jsonRpc2: boolean;
  /** `first`: the first wrong parameter, error -1; `all`: every one, by position and name, error -3. */
  readonly wrongTypes: 'first' | 'all';
  /** Whether loading answers `warning`, one text that may be empty, or `warnings`, only if there are some. */
  readonly loadWarnings: 'warning' | 'warnings';
  /** Whether `getnetworkinfo` and `getblockchaininfo` give their warnings as a list. */
  readonly nodeWarnings: 'text' | 'list';
  readonly migrates: boolean;
  /** Whether `migratewallet` can leave what comes of it unloaded (`load_wallet`). */
  readonly loadIsOptional: boolean;
  readonly legacyWallets: 'load' | 'load-and-warn' | 'refuse';
  /** Whether `listwalletdir` has `warnings` for each wallet. */
  readonly listsWarnings: boolean;
  readonly walletInfo: {
    /** The three balances. */
    readonly balances: boolean;
    /** `blank`, `birthtime`, `lastprocessedblock`. */
    readonly birth: boolean;
    readonly flags: boolean;
    readonly payTxFee: boolean;
  };
  /** Whether `getnetworkinfo` tells how fast transactions are passed on. */
  readonly sendRate: boolean;
  /** Whether a wallet without a name is not restored, and names that are paths are refused. */
  readonly checksNames: boolean;
  /** `beside`: in the wallet's folder; `above`: in the wallets folder. Then what stands before the time. */
  readonly migrationBackup: { readonly place: 'beside' | 'above'; readonly before: '-' | '_' };
  readonly words: {
    readonly twoWallets: string;
    readonly noWalletNamed: string;
    readonly severalLoaded: string;
    /** What `restorewallet` says of a name that is taken, by the wallet's folder. */
    readonly taken: (path: string) => string;
    /** What `migratewallet` says of a wallet that is not there. `null`: that its path does not exist. */
    readonly nothingToMigrate: string | null;
  };
}

const oldWords = {
  twoWallets: 'RPC endpoint wallet and wallet_name parameter specify different wallets',
  noWalletNamed: 'Either RPC endpoint wallet or wallet_name parameter must be provided',
  severalLoaded: 'Wallet file not specified (must request wallet RPC through /wallet/<filename> uri-path).',
  taken: (path: string) => `Failed to create database path '${path}'. Database already exists.`,
  nothingToMigrate: null,
};

const release23: Dialect = {
  release: 23,
  version: 230000,
  versionText: '23.0',
  jsonRpc2: false,
  wrongTypes: 'first',
  loadWarnings: 'warning',
  nodeWarnings: 'text',
  migrates: false,
  loadIsOptional: false,
  legacyWallets: 'load',
  listsWarnings: false,
  walletInfo: { balances: true, birth: false, flags: false, payTxFee: true },
  sendRate: false,
  checksNames: false,
  migrationBackup: { place: 'beside', before: '-' },
  words: oldWords,
};

const release25: Dialect = {
  ...release23,
  release: 25,
  version: 250200,
  versionText: '25.2',
  wrongTypes: 'all',
  loadWarnings: 'warnings',
  migrates: true,
};

const release28: Dialect = {
  ...release25,
  release: 28,
  version: 280100,
  versionText: '28.1',
  jsonRpc2: true,
  nodeWarnings: 'list',
  legacyWallets: 'load-and-warn',
  walletInfo: { balances: true, birth: true, flags: false, payTxFee: true },
  migrationBackup: { place: 'beside', before: '_' },
  // A node of this release says "already a descriptor wallet", which is not true: the number is kept, not that.
  words: { ...oldWords, nothingToMigrate: 'Error: Wallet does not exist' },
};

const release30: Dialect = {
  ...release28,
  release: 30,
  version: 300000,
  versionText: '30.0',
  legacyWallets: 'refuse',
  listsWarnings: true,
  walletInfo: { balances: false, birth: true, flags: true, payTxFee: true },
  migrationBackup: { place: 'above', before: '_' },
  words: {
    taken: oldWords.taken,
    twoWallets: 'The RPC endpoint wallet and the wallet name parameter specify different wallets',
    noWalletNamed: 'Either the RPC endpoint wallet or the wallet name parameter must be provided',
    severalLoaded:
      'Multiple wallets are loaded. Please select which wallet to use by requesting the RPC through the /wallet/<walletname> URI path.',
    nothingToMigrate: 'Error: Wallet does not exist',
  },
};

/** As its master of 18 August 2026 was recorded, which calls itself 31.99. */
const release32: Dialect = {
  ...release30,
  release: 32,
  version: 319900,
  versionText: '31.99',
  loadIsOptional: true,
  walletInfo: { ...release30.walletInfo, payTxFee: false },
  sendRate: true,
  checksNames: true,
  words: {
    ...release30.words,
    taken: (path) => `Failed to restore wallet. Database file exists in '${path}/wallet.dat'.`,
  },
};

export const dialects: Readonly<Record<EngineRelease, Dialect>> = {
  23: release23,
  25: release25,
  28: release28,
  30: release30,
  32: release32,
};
