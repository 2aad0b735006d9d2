/** What became of a file and of a migration: which job made a wallet of it, and which undid it. */
import type { FileFacts } from '../../shared/model/files.ts';
import type { Job, JobResult, MigrationResult } from '../../shared/model/job.ts';

type Restored = Extract<JobResult, { kind: 'restore' }>;

/** The jobs that made a wallet of this file as it is now. */
export function jobsOfFile(
  jobs: readonly Job[],
  { path, size, modified }: Pick<FileFacts, 'path' | 'size' | 'modified'>,
): Job[] {
  return jobs.filter(({ started, safetyCopy, result }) => {
    const isCopied = safetyCopy?.files.some((file) => file.source === path && file.size === size) ?? false;
    const isRestored = result?.kind === 'restore' && result.backupFile === path;
    return started >= modified && (isCopied || isRestored);
  });
}

/** The newest finished job of these, unless another one undid it. `all`: newest first. */
export function resultInUse(jobs: readonly Job[], all: readonly Job[]): Job | null {
  const newest = jobs.find(({ state }) => state === 'done');
  const result = newest?.result;
  if (!newest || (result?.kind !== 'migrate' && result?.kind !== 'restore')) return null;
  return result.kind === 'migrate' && undoneBy(all, newest, result) !== null ? null : newest;
}

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

/** The app's copies all have the same file name, so their folder tells them apart. */
function nameOf(path: string): string {
  const parts = path.split(/[/\\]/);
  return parts.slice(parts.at(-1) === 'wallet.dat' ? -2 : -1).join('/');
}
