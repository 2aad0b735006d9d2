/** Whether the wallets that came of a migration made room for the old one again. */
import type { Job, JobResult, MigrationResult } from '../../../../shared/model/job.ts';

type Restored = Extract<JobResult, { kind: 'restore' }>;

/**
 * What came of the restore that undid this migration, and gave its wallets other names; null where none did. It is known
 * by the backup that it restored, whose name tells the second. `jobs`: all there were.
 */
export function undoneBy(
  jobs: readonly Job[],
  { started, safetyCopy }: Pick<Job, 'started' | 'safetyCopy'>,
  { walletName, backupPath }: Pick<MigrationResult, 'walletName' | 'backupPath'>,
): Restored | null {
  const files = [backupPath, safetyCopy?.files[0]?.path ?? null].filter((path) => path !== null).map(nameOf);
  for (const { result, started: later } of jobs) {
    if (later < started || result?.kind !== 'restore' || result.backupFile === undefined) continue;
    const renamed = result.renamedWallets?.some(({ name }) => name === walletName) ?? false;
    if (renamed && files.includes(nameOf(result.backupFile))) return result;
  }
  return null;
}

/** Of the app's copies, which are all called alike, the folder tells which. */
function nameOf(path: string): string {
  const parts = path.split(/[/\\]/);
  return parts.slice(parts.at(-1) === 'wallet.dat' ? -2 : -1).join('/');
}
