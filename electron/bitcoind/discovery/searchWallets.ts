/** Searches folders for wallet files by their content, and a wallets folder for the backups of migrations. */
import type { Dirent } from 'node:fs';
import { open, opendir, readlink, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Output } from '../../../shared/contract.ts';
import type { FileFacts, FoundBackup } from '../../../shared/model/files.ts';
import { isMisread } from '../../../shared/model/names/walletName.ts';
import { MAX_PATH_LENGTH } from '../../../shared/model/shapes.ts';
import { mapConcurrently } from '../../files/concurrency.ts';
import { isGone } from '../../files/durableFile.ts';
import { systemCode } from '../../files/fileError.ts';
import { inspectFile } from '../../files/inspect.ts';
import {
  firstBytes,
  isNetworkPath,
  isWithin,
  OPEN_TO_READ,
  realPath,
  realPathSoFar,
} from '../../files/openFile.ts';
import { LISTS_DATABASES, META } from '../../walletfile/database/berkeleyPage.ts';
import { berkeleyByteOrder, startsLikeSqlite } from '../../walletfile/database/fileStart.ts';
import { JOURNAL, LEGACY_BACKUP_ENDING, WRITE_AHEAD_LOG } from '../../walletfile/database/relatedFiles.ts';
import { foldersBelow } from '../calls/walletsFolder.ts';

interface SearchOptions {
  /** Folders to search, the likeliest first. They may contain each other. A missing one counts as unreadable. */
  readonly folders: readonly string[];
  /** Folders to skip everywhere. */
  readonly excluded: readonly string[];
  /**
   * Called after a folder, at most every `paceMs` (default 100), and at the end: with the number of files read so
   * far, the current folder, and the wallets found since the last call.
   */
  readonly report: (filesRead: number, folder: string, found: FileFacts[]) => void;
  readonly paceMs?: number;
  readonly signal: AbortSignal;
}

/**
 * Reads the start of every regular file below the folders and reports those that begin like a Bitcoin Core wallet or its dump, and
 * those that only have a wallet's name, because the start may be damaged. Follows links, because people keep their wallets on another
 * disk, but none to a folder that it lies in. Of a node's chain data it reads files with a wallet's name only. Throws the reason of
 * `signal`.
 *
 * On macOS an app or a photo library is a folder like any other. There the system asks the user before the app looks into Documents,
 * Downloads, the desktop or a stick, and denies access where the user refuses.
 */
export async function searchWallets(options: SearchOptions): Promise<Output<'files.search'>> {
  const { signal, paceMs = 100 } = options;
  const skipped = new Set(SYSTEM_FOLDERS);
  for (const folder of options.excluded) skipped.add(resolve(folder)).add(await realPathSoFar(folder));
  const excluded = [...skipped];
  let filesRead = 0;
  let unread = 0;
  const unreadable = new Set<string>();
  const countUnread = (path: string) => {
    unread += 1;
    if (unreadable.size < MAX_UNREADABLE) unreadable.add(path);
  };
  /** Paths without links, because two folders may lead to one file. */
  const known = new Set<string>();
  const chainData = new Set<string>();
  let found: FileFacts[] = [];
  let reportedAt = Number.NEGATIVE_INFINITY;
  const report = (folder: string) => {
    options.report(filesRead, folder, found);
    found = [];
    reportedAt = performance.now();
  };
  for (const first of options.folders) {
    // Breadth first. The loop also visits folders that are pushed onto the array meanwhile.
    const waiting = [await realPathSoFar(first)];
    for (const folder of waiting) {
      signal.throwIfAborted();
      if (skipped.has(folder)) continue;
      skipped.add(folder);
      const files: string[] = [];
      const { entries, failure } = await entriesOf(folder);
      // A folder below may be removed meanwhile, but a missing place may be a disk that is no longer connected.
      if (failure !== null && (failure !== 'ENOENT' || folder === waiting[0])) countUnread(folder);
      const names = new Set(entries.map(({ name }) => name));
      const hasChainData = names.has('blocks') && names.has('chainstate');
      for (const entry of entries) {
        const { name } = entry;
        const path = join(folder, name);
        const target = entry.isSymbolicLink() ? await targetOf(path, excluded) : { path, is: entry };
        if (path.length > MAX_PATH_LENGTH) countUnread(folder);
        else if (isMisread(name) && isGone(path)) countUnread(path);
        else if (target === 'gone' && /wallet/i.test(name)) countUnread(path);
        else if (typeof target === 'string') continue;
        else if (target.is.isDirectory()) {
          waiting.push(target.path);
          if (chainData.has(folder) || (hasChainData && CHAIN_DATA_FOLDERS.has(name)))
            chainData.add(target.path);
        } else if (target.is.isFile() && (!chainData.has(folder) || NAMED_LIKE_WALLET.test(name)))
          files.push(path);
      }
      const all = new Set(files);
      await mapConcurrently(files, AT_ONCE, async (path) => {
        signal.throwIfAborted();
        filesRead += 1;
        const isWallet = await seemsWallet(path);
        if (isWallet === null) countUnread(path);
        // An interrupted write can damage the start of the file, which its journal or log still has.
        if (!isWallet && ![JOURNAL, WRITE_AHEAD_LOG].some((ending) => all.has(`${path}${ending}`))) return;
        const facts = await inspectFile(path).catch(() => null);
        if (facts === null && isWallet) countUnread(path);
        if (facts === null || known.has(facts.path)) return;
        if (facts.kind === 'other' && !NAMED_LIKE_WALLET.test(facts.name) && !isDump(facts)) return;
        known.add(facts.path);
        found.push(facts);
      });
      if (performance.now() - reportedAt >= paceMs) report(folder);
    }
    report(first);
  }
  return { filesRead, unread, unreadable: [...unreadable] };
}

/** Linux shows its own state there as files; macOS shows its disk a second time. On NixOS, links lead to each program. */
const SYSTEM_FOLDERS: readonly string[] = ['/proc', '/sys', '/System/Volumes', '/nix/store'];
const MAX_UNREADABLE = 5;

/** A node's chain data: many large files, none of them a wallet. */
const CHAIN_DATA_FOLDERS: ReadonlySet<string> = new Set([
  'blocks',
  'chainstate',
  'chainstate_snapshot',
  'indexes',
]);
const AT_ONCE = 32;

/** What a link leads to. `none`: nothing to search, such as a folder around the link. `gone`: its disk may not be connected. */
async function targetOf(link: string, excluded: readonly string[]) {
  try {
    if (isNetworkPath(await readlink(link))) return 'none';
    const path = await realPath(link);
    const isOutside = !isWithin(link, path) && !excluded.some((folder) => isWithin(path, folder));
    return isOutside ? { path, is: await stat(path) } : 'none';
  } catch {
    return 'gone';
  }
}

/** `failure`: the code of the error. A damaged disk may still show some entries. */
async function entriesOf(folder: string): Promise<{ entries: Dirent[]; failure: string | null }> {
  const entries: Dirent[] = [];
  try {
    for await (const entry of await opendir(folder, { bufferSize: 256 })) entries.push(entry);
    return { entries, failure: null };
  } catch (error) {
    return { entries, failure: systemCode(error) ?? '' };
  }
}

/** Also what a salvage of a node moved aside, such as `wallet.1400000000.bak` (`CWalletDB::Recover`). macOS begins its own with `._`. */
const NAMED_LIKE_WALLET = /^(?!\._).*(?:wallet.*\.(?:dat|bak)|\.legacy\.bak)$/i;
/** Of the dumps of `dumpwallet` and of `bitcoin-wallet dump`. */
const DUMP_STARTS = ['# Wallet dump created by Bitcoin', 'BITCOIN_CORE_WALLET_DUMP,'];

function isDump({ fileKind: { code } }: FileFacts): boolean {
  return code === 'wallet_dump' || code === 'record_dump';
}

/** Null if the file cannot be read. A wallet's first page lists named tables, unlike that of most other files of Berkeley DB. */
async function seemsWallet(path: string): Promise<boolean | null> {
  try {
    await using file = await open(path, OPEN_TO_READ);
    const start = await firstBytes(file, META.fileId);
    if (startsLikeSqlite(start) || NAMED_LIKE_WALLET.test(basename(path))) return true;
    if (DUMP_STARTS.some((text) => start.toString('latin1').startsWith(text))) return true;
    return berkeleyByteOrder(start) !== null && start.subarray(META.flags).includes(LISTS_DATABASES);
  } catch {
    return null;
  }
}

/**
 * Every `*.legacy.bak` in the wallets folder and up to two folders below, where releases before 30 put them, also for
 * a nested wallet such as `family/alice`. Newest first, at most 500. Skips unreadable folders.
 */
export async function findBackups(walletsFolder: string): Promise<FoundBackup[]> {
  const paths: string[] = [];
  for await (const { folder, entries } of foldersBelow(walletsFolder)) {
    for (const entry of entries)
      if (!entry.isDirectory() && entry.name.endsWith(LEGACY_BACKUP_ENDING))
        paths.push(join(walletsFolder, folder, entry.name));
  }
  const found = await Promise.all(paths.slice(0, MAX_READ).map(backupAt));
  return found
    .filter((backup) => backup !== null)
    .sort((a, b) => b.modified - a.modified || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_BACKUPS);
}

const MAX_READ = 5000;
const MAX_BACKUPS = 500;

async function backupAt(path: string): Promise<FoundBackup | null> {
  const stats = await stat(path).catch(() => null);
  if (!stats?.isFile()) return null;
  return { path, name: basename(path), size: stats.size, modified: Math.max(0, stats.mtimeMs / 1000) };
}
