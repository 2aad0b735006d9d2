/** What the engine's calls need of a wallet's file, whatever kind it is. */
import type { InspectedLabel } from '../../../shared/inspection.ts';
import type { Network } from '../../../shared/network.ts';
import type { Encryption } from '../../wallet/record/encryption.ts';
import type { LastBlock } from '../../wallet/record/lastBlock.ts';

export interface LoadedWallet {
  readonly kind: 'legacy' | 'descriptor';
  readonly network: Network;
  readonly summary: WalletSummary;
  /** Told when the wallet is loaded, beside what the release itself warns of. */
  readonly warnings: readonly string[];
  /** Without a label: known to the wallet as change. */
  readonly addressBook: readonly InspectedLabel[];
  /** Null for a wallet without encryption. */
  readonly encryption: Encryption | null;
  /** What the stored transactions come to. Worked out when it is first asked for, which can take seconds. */
  ledger(): Promise<Ledger>;
  /** The wallet's stand to output scripts. Worked out when it is first asked for, which can take seconds. */
  scripts(): Promise<WalletScripts>;
  /**
   * Descriptors sorted by their text; none for a legacy wallet. In private form as far as the keys are plain or
   * the master key is given. Throws AppError for a damaged one.
   */
  descriptors(secrets: 'public' | 'private', masterKey: Uint8Array | null): readonly ListedDescriptor[];
}

export interface WalletSummary {
  /** The version a node shows: 169900 for all wallets that can be in use today. */
  readonly version: number;
  readonly transactions: number;
  /** Keys kept ready. `internal` is null for wallets from before there was a chain of their own for change. */
  readonly keypool: {
    readonly external: number;
    readonly internal: number | null;
    /** Unix seconds; null for descriptor wallets. */
    readonly oldest: number | null;
  };
  /** Hex, last byte first; null without HD or for descriptor wallets. */
  readonly hdSeedId: string | null;
  readonly privateKeys: boolean;
  readonly avoidReuse: boolean;
  readonly externalSigner: boolean;
  readonly blank: boolean;
  /** Names of the wallet's flags as `getwalletinfo.flags` gives them. */
  readonly flags: readonly string[];
  /** Unix seconds of the first key or script; null when the wallet has none. */
  readonly birthTime: number | null;
  /** The newest block it knew. A wallet's file names the block, not its height: null where that is not certain. */
  readonly lastBlock: LastBlock | null;
  /** Unix seconds of the newest transaction, or null. */
  readonly lastActivity: number | null;
  readonly keys: { readonly plain: number; readonly encrypted: number; readonly descriptors: number };
}

export interface Ledger {
  /** In the order in which the wallet took them in. */
  readonly transactions: readonly KnownTransaction[];
  /** What was not spent when the wallet was last written. */
  readonly coins: readonly Coin[];
  readonly balances: KnownBalances;
}

export interface WalletScripts {
  /** Null for a script that the wallet has nothing to do with. */
  info(script: Uint8Array): ScriptInfo | null;
}

/** Satoshi. */
export interface BalanceParts {
  readonly trusted: bigint;
  readonly pending: bigint;
  readonly immature: bigint;
}

export interface KnownBalances {
  readonly mine: BalanceParts;
  /** Kept out of `mine.trusted`; null unless the wallet avoids reuse. */
  readonly used: bigint | null;
  /** What a legacy wallet only watches; null when it watches nothing, and for descriptor wallets. */
  readonly watched: BalanceParts | null;
}

export interface Coin {
  /** Hex, as shown. */
  readonly txid: string;
  readonly vout: number;
  readonly script: Uint8Array;
  /** Satoshi. */
  readonly amount: bigint;
  /** Whether its transaction was in a block when the wallet was last written. */
  readonly confirmed: boolean;
  readonly immature: boolean;
  /** Unconfirmed coins of others' transactions are not safe. */
  readonly safe: boolean;
  readonly locked: boolean;
  readonly spendable: boolean;
}

export interface KnownTransaction {
  readonly txid: string;
  readonly wtxid: string;
  readonly state: 'confirmed' | 'unconfirmed' | 'abandoned' | 'conflicted';
  readonly block: { readonly hash: string; readonly index: number } | null;
  readonly coinbase: boolean;
  readonly immature: boolean;
  /** Unix seconds: when the wallet learnt of it, and what it orders by. */
  readonly received: number;
  readonly time: number;
  /** Satoshi; null unless every input is the wallet's own. */
  readonly fee: bigint | null;
  /** Inputs are the wallet's own, so that its outputs were sent. */
  readonly sent: boolean;
  readonly outputs: readonly KnownOutput[];
  readonly comment: string | null;
}

export interface KnownOutput {
  readonly vout: number;
  readonly script: Uint8Array;
  readonly amount: bigint;
  readonly mine: boolean;
  readonly watched: boolean;
  /** Back to the wallet itself, on an address that was never given out. */
  readonly change: boolean;
}

export interface ScriptInfo {
  readonly mine: boolean;
  readonly watched: boolean;
  readonly solvable: boolean;
  readonly change: boolean;
  /** Null where the wallet cannot solve the script. */
  readonly descriptor: string | null;
  /** Of a descriptor wallet: the descriptors it comes from, in public form. */
  readonly parents: readonly string[] | null;
  readonly redeemScript: Uint8Array | null;
  readonly witnessScript: Uint8Array | null;
}

export interface ListedDescriptor {
  readonly text: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly active: boolean;
  /** Only for active ones. */
  readonly internal: boolean | null;
  /** Only for ranged ones. */
  readonly range: readonly [first: number, last: number] | null;
  readonly next: number | null;
}
