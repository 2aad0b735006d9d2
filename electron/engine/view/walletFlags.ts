/** A wallet's flags by the names that `getwalletinfo` gives them. Source: `WalletFlags` in `walletutil.h`. */

const names: readonly (readonly [bit: bigint, name: WalletFlag])[] = [
  [0n, 'avoid_reuse'],
  [1n, 'key_origin_metadata'],
  [2n, 'last_hardened_xpub_cached'],
  [32n, 'disable_private_keys'],
  [33n, 'blank'],
  [34n, 'descriptor_wallet'],
  [35n, 'external_signer'],
];

export type WalletFlag =
  | 'avoid_reuse'
  | 'key_origin_metadata'
  | 'last_hardened_xpub_cached'
  | 'disable_private_keys'
  | 'blank'
  | 'descriptor_wallet'
  | 'external_signer';

/** The flags that are set, in the order of their bits. */
export function flagsOf(bits: bigint): WalletFlag[] {
  return names.flatMap(([bit, name]) => ((bits >> bit) & 1n ? [name] : []));
}
