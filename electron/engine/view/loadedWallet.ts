/** What the engine's calls need of a wallet's file, whatever kind it is. */
import type { InspectedDescriptor, InspectedLabel } from '../../../shared/inspection.ts';
import type { Network } from '../../../shared/network.ts';
import type { Encryption } from '../../wallet/record/encryption.ts';
import type { LastBlock } from '../../wallet/record/lastBlock.ts';
import type { Ledger } from './ledger.ts';

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

export type ListedDescriptor = InspectedDescriptor & { readonly text: string };

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
  /** Names of the wallet's flags as `getwalletinfo.flags` gives them. */
  readonly flags: readonly string[];
  /** Unix seconds of the first key or script; null when the wallet has none. */
  readonly birthTime: number | null;
  /** The newest block it knew. A wallet's file names the block, not its height: null where that is not certain. */
  readonly lastBlock: Pick<LastBlock, 'hash' | 'height'> | null;
  /** Unix seconds of the newest transaction, or null. */
  readonly lastActivity: number | null;
  readonly keys: { readonly plain: number; readonly encrypted: number; readonly descriptors: number };
}

/** Whether it has no private keys. */
export function isWatchOnly({ flags }: Pick<WalletSummary, 'flags'>): boolean {
  return flags.includes('disable_private_keys');
}

export interface WalletScripts {
  /** Null for a script that the wallet has nothing to do with. */
  info(script: Uint8Array): ScriptInfo | null;
}

export interface ScriptInfo {
  readonly mine: boolean;
  readonly watched: boolean;
  readonly solvable: boolean;
  readonly change: boolean;
  /** Null where the wallet cannot solve the script. */
  readonly descriptor: string | null;
  /** Of a descriptor wallet: the descriptors it comes from, in public form. */
  readonly parents: readonly string[];
  readonly redeemScript: Uint8Array | null;
  readonly witnessScript: Uint8Array | null;
}
