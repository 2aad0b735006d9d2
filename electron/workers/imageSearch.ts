/** Searches a disk image part by part, reports progress, writes what it finds, and resumes a search that was stopped. */
import { realpathSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod/mini';
import type { ImageSearchResult, SearchProgress } from '../../shared/model/searches.ts';
import { count } from '../../shared/model/shapes.ts';
import {
  partPath,
  readJsonFile,
  refuseTaken,
  removeParts,
  removeQuietly,
  tryToWriteJsonFile,
} from '../files/durableFile.ts';
import { fileError } from '../files/fileError.ts';
import { sha256Of } from '../files/hash.ts';
import { othersMayRead, refuseSharedOutput } from '../files/lock/refuseSharedFolder.ts';
import { fileChangedError, realPath } from '../files/openFile.ts';
import { JOURNAL, WRITE_AHEAD_LOG } from '../walletfile/database/relatedFiles.ts';
import { filesOf } from './imageSource.ts';
import type { WalletWork } from './walletWork.ts';

interface Search {
  /** A disk image, a device, or a folder of fragments. It is only read. */
  readonly path: string;
  /** The folder for the found wallets; null to report them only. */
  readonly folder: string | null;
  readonly report: (progress: SearchProgress) => void;
}

/** `dataFolder`: the app's, which keeps the progress of the last search. */
export function createImageSearch(work: WalletWork, dataFolder: string) {
  const file = join(dataFolder, 'image-search.json');

  /**
   * Resumes the last search if it was of the same bytes. Throws AppError for an unreadable image, a folder that is not writable,
   * and `file_changed` if the image changes meanwhile; and the signal's reason.
   */
  return async ({ path, folder, report }: Search, signal: AbortSignal): Promise<ImageSearchResult> => {
    // Check the folder before hours of reading.
    const into = folder === null ? null : prepareFolder(folder);
    removeParts(dataFolder);
    const subject = await subjectOf(path);
    const kept = readJsonFile(file, stateShape, MAX_STATE_SIZE);
    let state = kept?.subject === subject ? kept : null;
    const first = state?.search.at ?? 0;
    const since = performance.now();
    let written = since;
    let bytes = FIRST_PART;
    // A search must not fail because its progress cannot be saved.
    const saveProgress = () => {
      if (state) tryToWriteJsonFile(file, state);
    };
    // Save at once: the program may end before the thread does.
    signal.addEventListener('abort', saveProgress);
    try {
      for (;;) {
        const task = { path, from: state?.search ?? null, bytes };
        const { search, length, unread } = await work({ kind: 'scanImage', task }, signal);
        const perSecond = ((search.at - first) / (performance.now() - since)) * 1000;
        // Offsets in the old bytes mean nothing in changed ones.
        if ((await subjectOf(path)) !== subject) throw fileChangedError();
        state = { subject, search, unread: (state?.unread ?? 0) + unread };
        const seconds = perSecond === 0 ? 0 : (length - search.at) / perSecond;
        report({ done: search.at, total: length, perSecond, seconds });
        if (search.at >= length) {
          const found = await work({ kind: 'carveImage', task: { path, search, folder: into } }, signal);
          removeQuietly(file);
          const isOpen = found.wallets.some(
            (wallet) => wallet.path !== null && othersMayRead(dirname(wallet.path)),
          );
          return { ...found, unread: state.unread, ...(isOpen && { othersMayRead: true as const }) };
        }
        bytes = Math.max(FIRST_PART, Math.round(perSecond * SECONDS_OF_A_PART));
        if (performance.now() - written < KEEP_EVERY_MS) continue;
        saveProgress();
        written = performance.now();
      }
    } catch (error) {
      saveProgress();
      throw error;
    } finally {
      signal.removeEventListener('abort', saveProgress);
    }
  };
}

const FIRST_PART = 1 << 26;
/** A stop loses at most this much work. */
const SECONDS_OF_A_PART = 2;
/** After a crash of the computer, the search resumes from the last save. */
const KEEP_EVERY_MS = 30_000;
/** In bytes, twice the largest state of a search. */
const MAX_STATE_SIZE = 1 << 25;

/** Identifies unchanged bytes: the path, and the size and modification time of each file and its journal. */
async function subjectOf(path: string): Promise<string> {
  try {
    const place = await realPath(path);
    const facts: unknown[] = [];
    for (const file of await filesOf(place)) {
      for (const name of [file, `${file}${JOURNAL}`, `${file}${WRITE_AHEAD_LOG}`]) {
        const one = await stat(name).catch((error) => {
          if (name === file) throw error;
          return null;
        });
        if (one !== null) facts.push([name, one.size, one.mtimeMs]);
      }
    }
    return `${place} ${sha256Of(Buffer.from(JSON.stringify(facts)))}`;
  } catch (error) {
    throw fileError(error, path);
  }
}

const page = z.object({
  kind: z.enum(['meta', 'internal', 'leaf', 'overflow', 'sqlite-start', 'sqlite-leaf']),
  offset: count,
  size: count,
  number: count,
  little: z.boolean(),
});
const stateShape = z.object({
  subject: z.string(),
  search: z.object({
    at: count,
    pages: z.array(page),
    fragments: z.array(z.object({ start: count, end: count })),
    full: z.boolean(),
  }),
  unread: count,
});

/**
 * Checks that the folder is writable and private, and removes what a killed search left half-written. Returns its real path, so
 * that a link that replaces the folder later is not followed. Throws AppError.
 */
function prepareFolder(folder: string): string {
  refuseSharedOutput(folder);
  refuseTaken(partPath(folder));
  removeParts(folder);
  return realpathSync(folder);
}
