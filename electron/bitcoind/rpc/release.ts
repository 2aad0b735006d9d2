/** What a release of Bitcoin Core can do for us, from the version number that `getnetworkinfo` gives. */
import type { Release } from '../../../shared/model/node.ts';
import { releaseText } from '../../walletfile/records/releaseText.ts';

/**
 * The release of a version number such as 280100 (28.1). `migratewallet` came in 24.0, where it takes no arguments
 * and an encrypted wallet is unlocked first; since 24.1 it takes a name and a passphrase, and needs the passphrase
 * though the wallet be unlocked (bitcoin/bitcoin#26595). From 30 on a legacy wallet is neither loaded nor restored.
 * Measured on the releases that the recordings name.
 */
export function releaseOf(version: number): Release {
  return {
    number: version,
    text: releaseText(version),
    migrates: version < 240_000 ? 'no' : version < 240_100 ? 'unlock-first' : 'yes',
    loadsLegacy: version < 300_000,
  };
}

/** The releases of 24, whose help calls `migratewallet` experimental, and whose faults were mended in 25. */
export function isMigrationExperimental({ number }: Pick<Release, 'number'>): boolean {
  return number >= 240_000 && number < 250_000;
}

/**
 * Whether `migratewallet` can leave what comes of it unloaded: `load_wallet` of release 32 (bitcoin/bitcoin#35266), which
 * calls itself 319900 before.
 */
export function canSkipLoading({ number }: Pick<Release, 'number'>): boolean {
  return number >= 319_900;
}

/** 30.0 and 30.1, withdrawn for deleting wallets: bitcoin/bitcoin#34128, public notice of 5 January 2026. */
export function isWithdrawn({ number }: Pick<Release, 'number'>): boolean {
  return number >= 300_000 && number < 300_200;
}
