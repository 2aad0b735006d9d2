/** A wallet's flags by the names that `getwalletinfo` gives them. Source: `WalletFlags` in `walletutil.h`. */

const names: ReadonlyMap<number, string> = new Map([
  [0, 'avoid_reuse'],
  [1, 'key_origin_metadata'],
  [2, 'last_hardened_xpub_cached'],
  [32, 'disable_private_keys'],
  [33, 'blank'],
  [34, 'descriptor_wallet'],
  [35, 'external_signer'],
]);

/** The flags that are set, lowest bit first; `unknown_flag_<bit>` for those without a name. */
export function walletFlags(bits: bigint): string[] {
  const found: string[] = [];
  for (let bit = 0; bit < 64; bit += 1) {
    if (((bits >> BigInt(bit)) & 1n) === 1n) found.push(names.get(bit) ?? `unknown_flag_${bit}`);
  }
  return found;
}

/**
 * Flags above bit 31 that a release does not know keep it from opening the wallet (`walletutil.h`: the lower half
 * may be ignored).
 */
export function hasUnknownMandatoryFlag(bits: bigint): boolean {
  return walletFlags((bits >> 32n) << 32n).some((name) => name.startsWith('unknown_flag_'));
}
