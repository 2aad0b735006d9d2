/** What a release of Bitcoin Core can do for us, from the version number that `getnetworkinfo` gives. */
import type { Release } from '../../shared/node.ts';
import { releaseText } from '../wallet/releaseText.ts';

/** First release with `restorewallet`. */
export const RESTORE_SINCE = '23';
/** First release with `migratewallet`. */
export const MIGRATE_SINCE = '24';

/**
 * The release of a version number such as 280100 (28.1). `migratewallet` came in 24, where it takes no arguments
 * and an encrypted wallet is unlocked first; since 25 it takes a name and a passphrase. From 30 on a legacy
 * wallet is neither loaded nor restored. Measured on the releases that the recordings name.
 */
export function releaseOf(version: number): Release {
  const major = Math.floor(version / 10_000);
  return {
    number: version,
    text: releaseText(version),
    migrates: major < 24 ? 'no' : major < 25 ? 'unlock-first' : 'yes',
    loadsLegacy: version < 300_000,
  };
}

/** 30.0 and 30.1, withdrawn for deleting wallets: bitcoin/bitcoin#34128, public notice of 5 January 2026. */
export function isWithdrawn({ number }: Pick<Release, 'number'>): boolean {
  return number >= 300_000 && number < 300_200;
}
