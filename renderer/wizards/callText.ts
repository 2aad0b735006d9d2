/** The calls that a wizard will have made to the node, written out for the Review step. */
import type { Release } from '../../shared/node.ts';

/** `restorewallet "savings" "/media/stick/wallet.dat" null`: the arguments as the JSON that is sent. */
export function restoreCall(name: string, backupFile: string, loadOnStartup: boolean | null): string {
  return `restorewallet ${quoted(name)} ${quoted(backupFile)} ${loadOnStartup}`;
}

/** What a migration's calls depend on. */
export interface MigrateCallFacts {
  name: string;
  loaded: boolean;
  /** Whether a passphrase is passed. It is never written out: it shows as three dots. */
  withPassphrase: boolean;
  migrates: Release['migrates'];
}

/**
 * The calls of a migration. On release 24 (`unlock-first`) `migratewallet` takes no arguments: the wallet is loaded
 * and unlocked before.
 */
export function migrateCalls({ name, loaded, withPassphrase, migrates }: MigrateCallFacts): string[] {
  if (migrates === 'unlock-first') {
    return [
      ...(loaded ? [] : [`loadwallet ${quoted(name)}`]),
      ...(withPassphrase ? [`walletpassphrase ${HIDDEN} …`] : []),
      'migratewallet',
    ];
  }
  return [`migratewallet ${quoted(name)}${withPassphrase ? ` ${HIDDEN}` : ''}`];
}

const HIDDEN = '"•••"';

function quoted(text: string): string {
  return JSON.stringify(text);
}
