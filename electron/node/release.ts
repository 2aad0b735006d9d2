/** What a release of Bitcoin Core can do for us, from the version number that `getnetworkinfo` gives. */
import type { Release } from '../../shared/model.ts';

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
    text: textOf(version),
    migrates: major < 24 ? 'no' : major < 25 ? 'unlock-first' : 'yes',
    loadsLegacy: version < 300_000,
  };
}

/** Releases before 22.0 were numbered 0.MAJOR.MINOR: 210100 is 0.21.1, 220000 is 22.0. */
function textOf(version: number): string {
  const major = Math.floor(version / 10_000);
  const minor = Math.floor(version / 100) % 100;
  const build = version % 100;
  const text = major < 22 ? `0.${major}.${minor}` : `${major}.${minor}`;
  return build === 0 ? text : `${text}.${build}`;
}
