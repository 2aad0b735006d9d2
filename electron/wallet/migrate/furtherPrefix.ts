/**
 * What the names of the further wallets of a migration begin with: the wallet's own name, or `default_wallet` where that
 * is empty (`MigrateLegacyToDescriptor` in `wallet.cpp`).
 */
export function furtherPrefix(name: string): string {
  return name === '' ? 'default_wallet' : name;
}
