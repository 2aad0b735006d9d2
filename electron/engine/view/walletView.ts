/** What the two kinds of wallet tell differently. */
import type { Descriptor } from '../../wallet/descriptor/descriptor.ts';
import type { Known } from '../../wallet/descriptor/inferDescriptor.ts';
import type { Of, RecordsByType } from '../../wallet/record/recordsByType.ts';
import type { Owner, Ownership } from '../../wallet/script/script.ts';
import type { LoadedWallet, WalletSummary } from './loadedWallet.ts';

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
