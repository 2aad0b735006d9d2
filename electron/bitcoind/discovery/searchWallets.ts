/** Searches the folders of this computer for wallet files, by what is in them and not by what they are called. */
import type { Dirent } from 'node:fs';
import { open, opendir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { FileFacts } from '../../../shared/model/files.ts';
import { inParallel } from '../../files/inParallel.ts';
import { inspectFile } from '../../files/inspect.ts';
import { OPEN_TO_READ } from '../../files/openFile.ts';
import { firstBytes } from '../../files/openRegularFile.ts';
import { systemCode } from '../../files/systemCode.ts';
import { JOURNAL } from '../../walletfile/database/besideWallet.ts';
import { berkeleyByteOrder, START_BYTES, startsLikeSqlite } from '../../walletfile/database/fileStart.ts';

interface SearchOptions {
  /** Folders to search, those first in which a wallet is likeliest. They may lie in each other, and need not exist. */
  readonly folders: readonly string[];
  /** Folders that are passed over wherever they are met. */
  readonly leaveOut: readonly string[];
  /**
   * How far the search is, after a folder and at most every `paceMs` (100 unless told otherwise), and once at its end: how
   * many files were looked at so far, where it is, and what was found since it was told last.
   */
  readonly tell: (looked: number, folder: string, found: FileFacts[]) => void;
  readonly paceMs?: number;
  readonly signal: AbortSignal;
}

export interface SearchResult {
  /** Files whose first bytes were read. */
  readonly looked: number;
  /** Folders and files that the system did not let be read. */
  readonly unread: number;
}

/**
 * Looks into every regular file below the folders and tells of each that begins as a wallet of Bitcoin Core does. Links
 * are not followed, so that it ends; blocks and indexes of a node are passed over. Throws the reason of `signal`.
 */
export async function searchWallets(options: SearchOptions): Promise<SearchResult> {
  const { signal, tell, paceMs = 100 } = options;
  const passedOver = new Set(options.leaveOut.map((folder) => resolve(folder)));
  let looked = 0;
  let unread = 0;
  let found: FileFacts[] = [];
  let toldAt = Number.NEGATIVE_INFINITY;
  const tellNow = (folder: string) => {
    tell(looked, folder, found);
    found = [];
    toldAt = performance.now();
  };
  for (const first of options.folders) {
    // What lies near the top comes first. A loop over an array meets what is added to it meanwhile.
    const waiting = [resolve(first)];
    for (const folder of waiting) {
      signal.throwIfAborted();
      if (passedOver.has(folder)) continue;
      passedOver.add(folder);
      const files: string[] = [];
      const entries = await entriesOf(folder);
      if (entries === null) unread += 1;
      for (const entry of entries ?? []) {
        const path = join(folder, entry.name);
        if (entry.isFile()) files.push(path);
        else if (entry.isDirectory() && !OF_A_NODE.has(entry.name)) waiting.push(path);
      }
      const all = new Set(files);
      await inParallel(files, AT_ONCE, async (path) => {
        signal.throwIfAborted();
        looked += 1;
        const like = await isLikeWallet(path);
        if (like === null) unread += 1;
        // An interrupted write can damage the start of the file. The journal still has it.
        if (!like && !all.has(`${path}${JOURNAL}`)) return;
        const facts = await inspectFile(path).catch(() => null);
        if (facts !== null && facts.kind !== 'other') found.push(facts);
      });
      if (performance.now() - toldAt >= paceMs) tellNow(folder);
    }
    tellNow(first);
  }
  return { looked, unread };
}

/** What a node keeps of the chain: many large files that are none of a wallet. */
const OF_A_NODE: ReadonlySet<string> = new Set(['blocks', 'chainstate', 'chainstate_snapshot', 'indexes']);
const AT_ONCE = 32;

/** Null where it cannot be read; none where it is not there. */
async function entriesOf(folder: string): Promise<Dirent[] | null> {
  try {
    const entries: Dirent[] = [];
    for await (const entry of await opendir(folder, { bufferSize: 256 })) entries.push(entry);
    return entries;
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? [] : null;
  }
}

/** Of a Berkeley DB file: its first two pages, of 64 KiB at most, of which the second names the tables. */
const TABLES_BYTES = 2 * 65_536;
/** The table of a wallet: `CWallet`'s `BerkeleyBatch` opens the file's subdatabase of this name (`wallet/bdb.cpp`). */
const WALLET_TABLE = 'main';

/** Null where it cannot be read. */
async function isLikeWallet(path: string): Promise<boolean | null> {
  try {
    await using file = await open(path, OPEN_TO_READ);
    const start = await firstBytes(file, START_BYTES);
    if (startsLikeSqlite(start)) return true;
    if (berkeleyByteOrder(start) === null) return false;
    return (await firstBytes(file, TABLES_BYTES)).includes(WALLET_TABLE);
  } catch {
    return null;
  }
}
