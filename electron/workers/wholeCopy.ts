/** Judges copies of wallets, and joins a wallet file with its journal or log in one copy. */
import { equalBytes } from '@noble/curves/utils.js';
import { FileError } from '../../shared/model/findings/fileError.ts';
import { isAboutLog } from '../../shared/model/findings/finding.ts';
import type { CopyState } from '../../shared/model/safety.ts';
import { writeNewFile } from '../files/durableFile.ts';
import { sha256Of } from '../files/hash.ts';
import { fileChanged } from '../files/openFile.ts';
import { readWallet } from '../files/readWallet.ts';
import { isBerkeley, marksOf } from '../files/walletJournals.ts';
import { replayLogs } from '../recovery/logReplay/replayLogs.ts';
import { identifyWallet } from '../walletfile/inspect/identifyWallet.ts';
import { logsOf } from './rescueFile.ts';

/** A file that was written. Size in bytes, SHA-256 in lower-case hex. */
export interface WrittenFile {
  readonly size: number;
  readonly sha256: string;
}

/**
 * Writes a wallet with its journal applied to a new file. Returns null and writes nothing if the journal changes nothing. Throws
 * as `readWallet` and `writeNewFile` do.
 */
export async function saveRecovered({
  path,
  destination,
}: {
  readonly path: string;
  readonly destination: string;
}): Promise<WrittenFile | null> {
  const { bytes, recovered } = await readWallet(path, 'anything');
  if (!recovered) return null;
  return saveAs(destination, bytes);
}

/**
 * Like `saveRecovered`, and applies the log of a legacy wallet that was not closed. `saved`: null if the file alone is complete, or
 * its log belongs to another file. `state`: the state of the copy. Throws also `file_changed`.
 */
export async function saveWhole({
  path,
  destination,
}: {
  readonly path: string;
  readonly destination: string;
}): Promise<{ saved: WrittenFile | null; state: CopyState }> {
  const before = marksOf(path).all;
  const read = await readWallet(path, 'anything');
  const replayed = isBerkeley(read.bytes) ? await withLog(path, read.bytes) : null;
  if (marksOf(path).all !== before) throw fileChanged();
  const bytes = replayed ?? read.bytes;
  const state = await stateOf({ ...read, bytes });
  if (replayed === null && !read.recovered) return { saved: null, state };
  return { saved: saveAs(destination, bytes), state };
}

function saveAs(destination: string, bytes: Uint8Array): WrittenFile {
  return { size: writeNewFile(destination, bytes), sha256: sha256Of(bytes) };
}

/** The file with the changes from its log; null if the log adds nothing, cannot be used or does not exist. */
export async function withLog(path: string, file: Uint8Array): Promise<Uint8Array | null> {
  try {
    const { logs, isPart } = await logsOf(path, 'beside');
    if (logs.length === 0) return null;
    const { bytes, redone, undone } = replayLogs(file, logs, isPart);
    return redone + undone === 0 && equalBytes(bytes, file) ? null : bytes;
  } catch (error) {
    if (error instanceof FileError && isAboutLog(error.finding.code)) return null;
    throw error;
  }
}

/** In the order of the paths. `unknown` for a file that cannot be read. */
export async function copyStates({ paths }: { readonly paths: readonly string[] }): Promise<CopyState[]> {
  const states: CopyState[] = [];
  for (const path of paths) {
    const bytes = await readWallet(path, 'anything').catch(() => null);
    states.push(bytes === null ? 'unknown' : await stateOf(bytes));
  }
  return states;
}

async function stateOf({ bytes, journal, wal }: Awaited<ReturnType<typeof readWallet>>): Promise<CopyState> {
  const found = await identifyWallet(bytes, undefined).catch(() => null);
  if (found === null) return 'damaged';
  const { kind, format, records, problems } = found;
  // A node first creates an empty file, then fills it, and removes the legacy records last.
  const isHalf = kind === 'legacy' ? format.kind === 'sqlite' : records.types.length === 0;
  if (isHalf) return 'half-migrated';
  const isHurt = problems.some(({ lost }) => lost) || records.unread().damaged.length > 0;
  if (isHurt || journal === 'damaged' || wal === 'damaged') return 'damaged';
  if (format.kind !== 'berkeley-db') return 'whole';
  if (!format.cleanlyClosed) return 'not-closed';
  return format.refused === 'length' || format.refused === 'tree' ? 'damaged' : 'whole';
}
