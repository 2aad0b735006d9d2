/** Looks again at the files of ended jobs: backups, the legacy backups of migrations, and the copies of interrupted wallets. */
import { readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, parse } from 'node:path';
import type { BackupProof, BackupResult, Job } from '../../shared/model/job.ts';
import { isSameFolder } from '../../shared/model/node.ts';
import { limitConcurrency, orNullAfter } from '../files/concurrency.ts';
import { systemCode } from '../files/fileError.ts';
import { folderMarkAt, lastingMarkOf } from '../files/fileMark.ts';
import { hashFile } from '../files/hash.ts';
import { existsAs, isNetworkPath, isWithin } from '../files/openFile.ts';
import { LEGACY_BACKUP_ENDING } from '../walletfile/database/relatedFiles.ts';

/** The state of a file since its job: its new path if its owner renamed it; undefined if it is unchanged. */
type FileState = BackupResult['fileNow'] | { path: string };

/**
 * Returns a function that updates the state of the files in finished backups and migrations, and leaves out copies of interrupted
 * wallets that are gone. `recorded`: all jobs, newest first. The function waits at most `limitMs`, because a disk or server that does
 * not answer blocks one of Node's four file threads. A file that was not checked in time keeps its last known state; without one it
 * counts as out of reach.
 */
export function createFileChecks({ stateNow = createStateReader(), limitMs = 1000, copiesFolder = '' } = {}) {
  const run = limitConcurrency(CHECKS_AT_ONCE);
  const runners = new Map<string, typeof run>();
  const running = new Map<string, Promise<unknown>>();
  const known = new Map<string, FileState>();

  function check(id: string, path: string, read: () => Promise<FileState>): Promise<unknown> {
    const disk = mountFolderOf(path);
    const runOnDisk = runners.get(disk) ?? limitConcurrency(1);
    runners.set(disk, runOnDisk);
    const look = async () => known.set(id, await read());
    const work = running.get(id) ?? runOnDisk(() => run(look)).finally(() => running.delete(id));
    running.set(id, work);
    return work;
  }

  return async (recorded: readonly Job[]): Promise<Job[]> => {
    const jobs = recorded.map((job, at) => markUndone(job, at, recorded));
    const taken = new Set(jobs.flatMap((job) => [backupPath(job), job.node.walletsFolder]));
    const checks = jobs.flatMap(({ id, result, ended, started, interruption }) => {
      if (interruption)
        return interruption.copies.map(({ path }) =>
          check(path, path, () => findCopyState(path, copiesFolder)),
        );
      if (result?.kind === 'backup') {
        const { proof } = result;
        return proof.seen ? [check(id, proof.path, () => stateNow(proof, ended ?? started, taken))] : [];
      }
      const path = seenBackupPath(result);
      return path === null ? [] : [check(id, path, () => findFileState(path))];
    });
    await orNullAfter(Promise.all(checks), limitMs);
    return jobs.map((job) => {
      const { id, result, interruption } = job;
      if (interruption?.copies.some(({ path }) => known.get(path) === 'gone')) {
        const copies = interruption.copies.filter(({ path }) => known.get(path) !== 'gone');
        return { ...job, interruption: { ...interruption, copies } };
      }
      if (result?.kind === 'migrate' && seenBackupPath(result) && known.get(id) === 'gone')
        return { ...job, result: { ...result, backupSeen: false } };
      if (result?.kind !== 'backup' || !result.proof.seen) return job;
      const fileNow = known.has(id) ? known.get(id) : 'out-of-reach';
      if (typeof fileNow === 'object')
        return { ...job, result: { ...result, proof: { ...result.proof, ...fileNow } } };
      return fileNow ? { ...job, result: { ...result, fileNow } } : job;
    });
  };
}

/**
 * Marks a migration as undone if a later job restored a backup of it and renamed its wallets. Returns other jobs unchanged.
 * `at`: the job's place in `recorded`.
 */
function markUndone(job: Job, at: number, recorded: readonly Job[]): Job {
  const { result, safetyCopy } = job;
  if (result?.kind !== 'migrate') return job;
  // The backup's name contains the time of the migration, to the second.
  const names = [result.backupPath, safetyCopy?.files[0]?.path].flatMap((path) =>
    path ? [nameOf(path)] : [],
  );
  const [restored] = recorded.slice(0, at).flatMap(({ result: undo }) => {
    if (undo?.kind !== 'restore' || undo.backupFile === undefined) return [];
    const isRenamed = undo.renamedWallets?.some(({ name }) => name === result.walletName);
    return isRenamed && names.includes(nameOf(undo.backupFile)) ? [undo.backupFile] : [];
  });
  if (restored === undefined) return job;
  // A backup in the folder of a renamed wallet moved with the folder.
  const moved = restored.endsWith(LEGACY_BACKUP_ENDING) ? { backupPath: restored } : {};
  return { ...job, result: { ...result, ...moved, undone: true } };
}

/** The app's copies all have the same file name, so their folder tells them apart. */
function nameOf(path: string): string {
  const parts = path.split(/[/\\]/);
  return parts.slice(parts.at(-1) === 'wallet.dat' ? -2 : -1).join('/');
}

function backupPath({ result }: Job): string | null {
  return result?.kind === 'backup' ? result.proof.path : null;
}

/** The path of the legacy backup that the app saw at the end of a migration; null for other jobs. */
function seenBackupPath(result: Job['result']): string | null {
  return result?.kind === 'migrate' && result.backupSeen === true ? result.backupPath : null;
}

/** Counts a file that is out of reach as gone: an undo needs another copy either way. */
async function findFileState(path: string): Promise<FileState> {
  return isNetworkPath(path) || (await existsAs(path, 'file')) ? undefined : 'gone';
}

/**
 * Outside the app's own folder of copies, a missing or empty folder may only mean that its disk is not connected: a mount point is
 * empty then.
 */
async function findCopyState(path: string, copiesFolder: string): Promise<FileState> {
  if (copiesFolder !== '' && isWithin(path, copiesFolder)) return findFileState(path);
  const names = isNetworkPath(path) ? [] : await readdir(dirname(path)).catch(() => []);
  return names.length === 0 ? undefined : findFileState(path);
}

/**
 * The probable mount point of the file's disk, by the path alone. A disk that does not answer must block only one thread, and asking
 * for its device number would block a second one. A recorded number does not help: a server gets a new one with each mount.
 */
function mountFolderOf(path: string): string {
  const { root } = parse(path);
  // A desktop mounts below the user's name there, an administrator without it.
  const isOwn = path.startsWith(`/media/${basename(homedir())}/`);
  const [mounted] = (isOwn ? OWN_MEDIA : MOUNTED).exec(path) ?? [path];
  return root.length > 1 ? root : mounted;
}

const OWN_MEDIA = /^(?:\/[^/]+){3}/;
const MOUNTED = /^\/run\/user\/[^/]+\/gvfs\/[^/]+|^\/(?:run\/media|home|Users)(?:\/[^/]+){2}|^(?:\/[^/]+){2}/;

/** Leaves two threads for other files. */
const CHECKS_AT_ONCE = 2;

/** How many files of a backup's size are read to find it under another name. */
const FILES_OF_ITS_SIZE = 12;

type SeenProof = Extract<BackupProof, { seen: true }>;
type Paths = ReadonlySet<string | null | undefined>;

/**
 * The function hashes a file only if its state differs from the recorded one, and once for each state. If none was recorded, it compares
 * the file's times with the end of the job (Unix seconds), although they may be by another clock, such as a server's. `taken`: the
 * paths of all recorded backups and wallets folders.
 */
function createStateReader() {
  const hashes = new Map<string, { mark: string; hash: string }>();

  async function hashOnce(path: string, mark: string): Promise<string> {
    const known = hashes.get(path);
    const hash = known?.mark === mark ? known.hash : await hashFile(path);
    hashes.set(path, { mark, hash });
    return hash;
  }

  /** Looks for the file under another name in its folder. A closed wallet, and each backup of it, may have the same bytes. */
  async function findRenamedFile({ path, size, sha256 }: SeenProof, taken: Paths): Promise<FileState> {
    // A node lists every file in its wallets folder as a wallet.
    if (taken.has(dirname(path))) return 'gone';
    let read = 0;
    for (const name of await readdir(dirname(path))) {
      const other = join(dirname(path), name);
      if (name === 'wallet.dat' || taken.has(other)) continue;
      const now = await stat(other, { bigint: true }).catch(() => null);
      if (!now?.isFile() || now.size !== BigInt(size)) continue;
      if ((await hashOnce(other, lastingMarkOf(now)).catch(() => null)) === sha256) return { path: other };
      if (++read === FILES_OF_ITS_SIZE) break;
    }
    return 'gone';
  }

  return async (proof: SeenProof, ended: number, taken: Paths): Promise<FileState> => {
    const { path, size, sha256, folder, mark: saved } = proof;
    // Windows sends the user's login to the server of such a path.
    if (isNetworkPath(path)) return 'out-of-reach';
    try {
      const now = await stat(path, { bigint: true });
      if (!now.isFile() || now.size !== BigInt(size)) return await findRenamedFile(proof, taken);
      const mark = lastingMarkOf(now);
      const changed = Number(now.mtimeMs > now.ctimeMs ? now.mtimeMs : now.ctimeMs) / 1000;
      if (saved === undefined ? changed <= ended : mark === saved) return undefined;
      return (await hashOnce(path, mark)) === sha256 ? undefined : await findRenamedFile(proof, taken);
    } catch (error) {
      // Without its disk, a mount point is another folder.
      const folderNow = systemCode(error) === 'ENOENT' ? await folderMarkAt(dirname(path)) : null;
      const isSame = isSameFolder({ walletsFolderMark: folder }, { walletsFolderMark: folderNow });
      return isSame ? findRenamedFile(proof, taken).catch(() => 'gone' as const) : 'out-of-reach';
    }
  };
}
