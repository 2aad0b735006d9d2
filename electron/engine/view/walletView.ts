/** What of a wallet's file the two kinds of wallet tell differently. */
import type { InspectedDescriptor } from '../../../shared/model/inspection.ts';
import type { Descriptor } from '../../walletfile/descriptor/descriptor.ts';
import type { KnownScripts } from '../../walletfile/descriptor/inferDescriptor.ts';
import type { Of, RecordsByType } from '../../walletfile/records/recordsByType.ts';
import type { Owner, Ownership } from '../../walletfile/script/script.ts';

export interface WalletView {
  readonly kind: 'legacy' | 'descriptor';
  readonly summary: {
    /** Keys kept ready. `internal` is null for wallets from before there was a chain of their own for change. */
    readonly keypool: {
      readonly external: number;
      readonly internal: number | null;
      /** Unix seconds; null for descriptor wallets. */
      readonly oldest: number | null;
    };
    /** Hex, last byte first; null without HD or for descriptor wallets. */
    readonly hdSeedId: string | null;
    readonly keys: { readonly plain: number; readonly encrypted: number; readonly descriptors: number };
  };
  /** Unix seconds: when its keys and scripts were made; null where there can be no date. */
  readonly births: readonly number[] | null;
  /** Whether it has scripts that it only watches. */
  readonly watches: boolean;
  /**
   * Descriptors sorted by their text; none for a legacy wallet. In private form as far as the keys are plain or
   * the master key is given. Throws AppError for a damaged one.
   */
  descriptors(
    secrets: 'public' | 'private',
    masterKey: Uint8Array | null,
  ): readonly (InspectedDescriptor & { readonly text: string })[];
  /** Whose the scripts of these transactions are, all of them. */
  ownership(transactions: readonly Of<'tx'>[]): Promise<Ownership>;
  /** How the wallet stands to a script; null for one that it has nothing to do with. */
  standings(): Promise<(script: Uint8Array) => Standing | null>;
}

export interface Standing {
  /** Null where the wallet can only help to sign. */
  readonly owner: Owner | null;
  /** Of a descriptor wallet: the descriptors that it comes from, in public form. */
  readonly parents: readonly string[];
  /** The descriptor of this one script. */
  readonly inferred: Descriptor;
  readonly known: KnownScripts;
}

/** What a wallet without a record of its version is: `FEATURE_BASE`. */
const FIRST_VERSION = 10500;

/** As `getwalletinfo.walletversion` shows it: 169900 for all wallets that can be in use today. */
export function versionOf(records: RecordsByType): number {
  return records.one('minversion')?.version ?? FIRST_VERSION;
}
