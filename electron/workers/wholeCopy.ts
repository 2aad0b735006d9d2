/** Finds the state of copies of wallets, and merges a wallet file with its journal or log into one copy. */
import { equalBytes } from '@noble/curves/utils.js';
import { FileError } from '../../shared/model/findings/fileError.ts';
import { isAboutLog } from '../../shared/model/findings/finding.ts';
import { formFault, isDamaged } from '../../shared/model/inspection.ts';
import type { CopyState } from '../../shared/model/safety.ts';
import { type WrittenFile, writeNewFile } from '../files/durableFile.ts';
import { fileChangedError } from '../files/openFile.ts';
import { type OpenedWallet, readWallet, withWallet } from '../files/readWallet.ts';
import { isBerkeley, marksOf } from '../files/walletJournals.ts';
import { replayLogs } from '../recovery/logReplay/replayLogs.ts';
import { type FileBytes, sourceOf } from '../walletfile/bytes/byteSource.ts';
import { keyFaults, sealedKeys } from '../walletfile/conditions/descriptorConditions.ts';
import { keyConditions } from '../walletfile/conditions/recordConditions.ts';
import { START_BYTES } from '../walletfile/database/fileStart.ts';
import { identifyWallet, unfinishedMigration } from '../walletfile/inspect/identifyWallet.ts';
import { byChecksum } from '../walletfile/legacy/legacyKeys.ts';
import { harmfulDamage } from '../walletfile/legacy/legacyWallet.ts';
import type { RecordsByType } from '../walletfile/records/records.ts';
import { decodeText } from '../walletfile/text/decodeText.ts';
import { keysInText } from '../walletfile/text/keysInText.ts';
import { logsOf } from './rescueFile.ts';

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
  return withWallet(
    path,
    async ({ content, recovered }) => (recovered ? writeNewFile(destination, content) : null),
    ANYTHING,
  );
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
  return withWallet(
    path,
    async (read) => {
      const replayed = await withLog(path, read.content);
      if (marksOf(path).all !== before) throw fileChangedError();
      const content = replayed ?? read.content;
      const state = await stateOf({ ...read, content });
      if (replayed === null && !read.recovered) return { saved: null, state };
      return { saved: writeNewFile(destination, content), state };
    },
    ANYTHING,
  );
}

const ANYTHING = { accepts: 'anything' } as const;

/**
 * The file with the changes from its log; null if the log adds nothing, cannot be used or does not exist, and for a file that is too
 * large for memory, in which the log is applied.
 */
export async function withLog(path: string, content: FileBytes): Promise<Uint8Array | null> {
  const source = sourceOf(content);
  if (!isBerkeley(source.read(0, START_BYTES))) return null;
  try {
    const { logs, isLogTruncated } = await logsOf(path, 'beside', source);
    if (logs.length === 0) return null;
    const file = source.inMemory ?? (await readWallet(path, 'anything')).bytes;
    const { bytes, redone, undone } = replayLogs(file, logs, isLogTruncated);
    return redone + undone === 0 && equalBytes(bytes, file) ? null : bytes;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const { code } = error.finding;
    if (isAboutLog(code) || code === 'file_too_large') return null;
    throw error;
  }
}

/**
 * The same for a wallet that was not closed, with the facts of the file itself; null for any other, and for a log that cannot be read,
 * which leaves the file readable.
 */
export async function withUsableLog(path: string, content: FileBytes) {
  const bytes = await withLog(path, content).catch(() => null);
  if (bytes === null) return null;
  const { format } = await identifyWallet(content, undefined);
  return formFault({ format }) === 'not-closed'
    ? { bytes, file: { size: sourceOf(content).size, format } }
    : null;
}

/** Calls `work` with a wallet as `inspect` reads it. For the options and errors, see `withWallet`. */
export function withLoggedWallet<T>(
  path: string,
  work: (content: FileBytes) => Promise<T>,
  options: { readonly mostInMemory?: number } = {},
): Promise<T> {
  return withWallet(
    path,
    async ({ content }) => work((await withUsableLog(path, content))?.bytes ?? content),
    options,
  );
}

/** In the order of the paths. `unknown` for a file that cannot be read. */
export async function copyStates({ paths }: { readonly paths: readonly string[] }): Promise<CopyState[]> {
  const states: CopyState[] = [];
  for (const path of paths) {
    states.push(await withWallet(path, stateOf, ANYTHING).catch(() => 'unknown' as const));
  }
  return states;
}

/** Whether a key lacks its checksum, so that nodes refuse the wallet. Derives no public keys, which takes long. */
function hasDamagedKeys(records: RecordsByType): boolean {
  const damaged = keyConditions(records, byChecksum).some(({ code }) => code === 'key-damaged');
  return damaged || keyFaults(records).length + sealedKeys(records, null).length > 0;
}

async function stateOf({ content, journal, wal }: Omit<OpenedWallet, 'sha256'>): Promise<CopyState> {
  const found = await identifyWallet(content, undefined).catch(() => null);
  // A text with keys is no wallet, but whole.
  if (found === null) return isTextWithKeys(content) ? 'unknown' : 'damaged';
  const { format, records, problems } = found;
  const isHurt =
    isDamaged(problems) || harmfulDamage(records, format.kind).length > 0 || hasDamagedKeys(records);
  if (unfinishedMigration(format, records, isHurt) !== null) return 'half-migrated';
  if (isHurt || journal === 'damaged' || wal === 'damaged') return 'damaged';
  const fault = formFault({ format });
  // The node that wrote a file of a later version also reads it.
  return fault === null || fault === 'version' ? 'whole' : fault;
}

function isTextWithKeys(content: FileBytes): boolean {
  const { inMemory } = sourceOf(content);
  const text = inMemory && decodeText(inMemory);
  return text !== null && keysInText(text, { compares: false }).lines.keys > 0;
}
