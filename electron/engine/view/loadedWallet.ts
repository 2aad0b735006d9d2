/** What the engine's calls need of a wallet's file, and what of it the two kinds tell differently. */
import type { InspectedDescriptor, InspectedLabel } from '../../../shared/inspection.ts';
import type { Network } from '../../../shared/network.ts';
import type { Descriptor } from '../../wallet/descriptor/descriptor.ts';
import type { Known } from '../../wallet/descriptor/inferDescriptor.ts';
import type { Encryption } from '../../wallet/record/encryption.ts';
import type { LastBlock } from '../../wallet/record/lastBlock.ts';
import type { Of, RecordsByType } from '../../wallet/record/recordsByType.ts';
import type { Owner, Ownership } from '../../wallet/script/script.ts';
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
  /** The wallet's stand to output scripts; null for one that it has nothing to do with. Worked out when it is first asked for, which can take seconds. */
  scripts(): Promise<(script: Uint8Array) => ScriptInfo | null>;
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

/** What the two kinds of wallet tell differently. */
export interface WalletView extends Pick<LoadedWallet, 'descriptors'> {
  readonly summary: Pick<WalletSummary, 'keypool' | 'hdSeedId' | 'keys'>;
  /** Unix seconds: when its keys and scripts were made; null where there can be no date. */
  readonly births: readonly number[] | null;
  /** Whether it has scripts that it only watches. */
  readonly watches: boolean;
  /** Whose the scripts of these transactions are, all of them. */
  ownership(transactions: readonly Of<'tx'>[]): Promise<Ownership>;
  /** How the wallet stands to a script; null for one that it has nothing to do with. */
  standings(): Promise<(script: Uint8Array) => Standing | null>;
}

export interface Standing {
  /** Null where the wallet can only help to sign. */
  readonly owner: Owner | null;
  /** The descriptors that it comes from, in public form. */
  readonly parents: readonly string[];
  /** The descriptor of this one script. */
  readonly inferred: Descriptor;
  readonly known: Known;
}

/** What a wallet without a record of its version is: `FEATURE_BASE`. */
const FIRST_VERSION = 10500;

/** As `getwalletinfo.walletversion` shows it. */
export function versionOf(records: RecordsByType): number {
  return records.one('minversion')?.version ?? FIRST_VERSION;
}
