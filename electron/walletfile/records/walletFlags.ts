/** A wallet's flags by the names that `getwalletinfo` gives them. Source: `WalletFlags` in `walletutil.h`. */
import type { RecordsByType } from './records.ts';

/** The bit of each flag in the record. */
export const flagBits = {
  avoid_reuse: 1n << 0n,
  key_origin_metadata: 1n << 1n,
  last_hardened_xpub_cached: 1n << 2n,
  disable_private_keys: 1n << 32n,
  blank: 1n << 33n,
  descriptor_wallet: 1n << 34n,
  external_signer: 1n << 35n,
} as const;

/** The bits of a wallet's flags. */
export function flagsOf(records: RecordsByType): bigint {
  return records.one('flags')?.flags ?? 0n;
}

/** Whether a flag is set. */
export function hasFlag(bits: bigint, flag: keyof typeof flagBits): boolean {
  return (bits & flagBits[flag]) !== 0n;
}

/** The flags that are set, lowest bit first; `unknown_flag_<bit>` for those without a name. */
export function walletFlags(bits: bigint): string[] {
  const found: string[] = [];
  for (let place = 0; place < 64; place += 1) {
    const bit = 1n << BigInt(place);
    const [name] = Object.entries(flagBits).find(([, named]) => named === bit) ?? [];
    if ((bits & bit) !== 0n) found.push(name ?? `unknown_flag_${place}`);
  }
  return found;
}

/**
 * Whether there is an unknown flag above bit 31. A release refuses such a wallet; it may ignore unknown lower flags
 * (`walletutil.h`).
 */
export function hasUnknownMandatoryFlag(bits: bigint): boolean {
  return walletFlags((bits >> 32n) << 32n).some((name) => name.startsWith('unknown_flag_'));
}
