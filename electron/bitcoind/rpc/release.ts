/** What a release of Bitcoin Core supports, by the version number of `getnetworkinfo`. */
import { type Release, releaseText } from '../../../shared/model/node.ts';

/**
 * The release for a version number such as 280100 (28.1). `migratewallet` came in 24.0, where it takes no arguments
 * and an encrypted wallet is unlocked first. Since 24.1 it takes a name and a passphrase, and needs the passphrase
 * even for an unlocked wallet (bitcoin/bitcoin#26595). Release 30 and later neither load nor restore legacy wallets.
 * Measured on the releases of the recordings.
 */
export function releaseOf(version: number): Release {
  return {
    number: version,
    text: releaseText(version),
    migrates: version < 240_000 ? 'no' : version < 240_100 ? 'unlock-first' : 'yes',
    loadsLegacy: version < 300_000,
  };
}

/** Releases 24.x, whose help calls `migratewallet` experimental; release 25 fixed its bugs. */
export function isMigrationExperimental({ number }: Pick<Release, 'number'>): boolean {
  return number >= 240_000 && number < 250_000;
}

/**
 * Whether `migratewallet` can leave the new wallets unloaded: `load_wallet` of release 32 (bitcoin/bitcoin#35266),
 * which reports 319900 before its release.
 */
export function canSkipLoading({ number }: Pick<Release, 'number'>): boolean {
  return number >= 319_900;
}

/** 30.0 and 30.1, withdrawn for deleting wallets: bitcoin/bitcoin#34128, public notice of 5 January 2026. */
export function isWithdrawn({ number }: Pick<Release, 'number'>): boolean {
  return number >= 300_000 && number < 300_200;
}
