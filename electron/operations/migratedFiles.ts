/** What came of a migration, told by the wallets' files: a node that was started anew has not loaded them. */
import type { MigrationResult } from '../../shared/operation.ts';
import type { Compared } from '../../shared/safety.ts';
import { hasOpenJournal } from '../engine/openJournal.ts';
import type { Session } from '../node/session.ts';
import { listWalletDir } from '../node/walletCalls.ts';
import { walletFileKind, walletFilePath } from '../node/walletFile.ts';
import { type FurtherPart, furtherNames } from './furtherNames.ts';
import type { MemoryOf } from './memory.ts';
import type { Prover } from './proof.ts';

/** The wallets that came of it, by name. */
export type MadeWallets = Pick<MigrationResult, 'walletName' | 'watchonlyName' | 'solvablesName'>;

/**
 * The wallets whose files hold every script, label and transaction of the legacy wallet that was copied before. Null
 * where that is not so, or cannot be told: files out of reach, a change that was cut off, no copy to compare with.
 */
export async function migratedFiles(
  session: Session,
  memory: MemoryOf<'migrate' | 'restore-migrate'>,
  prover: Prover | null,
  signal: AbortSignal,
): Promise<MadeWallets | null> {
  const { name, loadedBefore, before, balanceBefore } = memory;
  const { local, walletsFolder } = session.status;
  if (prover === null || before === null || !local || walletsFolder === null) return null;
  const onDisk = new Set((await listWalletDir(session.client)).map((wallet) => wallet.name));
  const made = (part: FurtherPart) =>
    furtherNames(name, [part]).find((other) => onDisk.has(other) && !loadedBefore.includes(other)) ?? null;
  const watchonlyName = made('watchonly');
  const solvablesName = made('solvables');
  const walletName = onDisk.has(name) ? name : watchonlyName;
  if (walletName === null) return null;
  const names = new Set([walletName, watchonlyName, solvablesName].filter((each) => each !== null));
  for (const each of names) {
    const file = await walletFilePath(walletsFolder, each);
    if (file === null || (await walletFileKind(file)) !== 'descriptor' || hasOpenJournal(file)) return null;
  }
  const result = {
    kind: 'migrate',
    walletName,
    watchonlyName,
    solvablesName,
    backupPath: null,
    backupSeen: null,
  } as const;
  const { scripts, labels, transactions } = await prover.prove(
    session,
    { result, before, balanceBefore },
    signal,
  );
  const arrived = [scripts, labels, transactions].every(hasArrived);
  return arrived ? { walletName, watchonlyName, solvablesName } : null;
}

function hasArrived(compared: Compared | null): boolean {
  return compared !== null && compared.missing.total === 0;
}
