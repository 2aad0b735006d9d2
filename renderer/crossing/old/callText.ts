/** The calls that a wizard will have made to the node, written out for the Review step. */
import type { Release } from '../../../shared/node.ts';
import type { CopyWay } from '../../../shared/safety.ts';

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
  /** How the safety copy before it is made. Default: not by the node. */
  copyWay?: CopyWay | undefined;
}

/**
 * The calls of a migration, with those of the safety copy where the node writes it: it can only write one of a wallet
 * that is loaded. On release 24.0 (`unlock-first`) `migratewallet` takes no arguments: the wallet is loaded and unlocked
 * before.
 */
export function migrateCalls({
  name,
  loaded,
  withPassphrase,
  migrates,
  copyWay,
}: MigrateCallFacts): string[] {
  const unlocks = migrates === 'unlock-first';
  const writes = copyWay === 'backupwallet';
  return [
    ...(!loaded && (writes || unlocks) ? [`loadwallet ${quoted(name)}`] : []),
    ...(writes ? ['backupwallet …'] : []),
    ...(unlocks && withPassphrase ? [`walletpassphrase ${HIDDEN} …`] : []),
    unlocks ? 'migratewallet' : `migratewallet ${quoted(name)}${withPassphrase ? ` ${HIDDEN}` : ''}`,
  ];
}

const HIDDEN = '"•••"';

function quoted(text: string): string {
  return JSON.stringify(text);
}
