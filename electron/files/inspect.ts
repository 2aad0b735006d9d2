/** Recognises a file by its content and its name, without changing it. */
import type { FileHandle } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname } from 'node:path';
import type { FileFacts } from '../../shared/model/files.ts';
import type { FileKind } from '../../shared/model/findings/fileKinds.ts';
import { HEADER_BYTES, type HeaderFacts, recognise } from '../walletfile/inspect/recognise.ts';
import { suggestName } from '../walletfile/inspect/suggestName.ts';
import { fileError } from './fileError.ts';
import { firstBytes, openRegularFile, realPath } from './openFile.ts';
import { isTemporary } from './temporaryFolders.ts';
import { headInJournal, wholeFileAt } from './walletJournals.ts';

/** Every kind of file that the app recognises. */
export async function knownKinds(): Promise<FileKind[]> {
  return (await otherFiles()).knownKinds();
}

/** On demand, because it loads what reads keys, which would delay the start of the app. */
function otherFiles() {
  return import('../walletfile/inspect/otherFiles.ts');
}

/**
 * The facts of one file, after resolving links. An empty file or one of another kind is a result, not an error.
 *
 * @throws AppError `file_missing`, `file_unreadable`, `beyond_limits` for a journal that is too large, or `not_a_file` for
 * folders, devices, pipes and sockets.
 */
export async function inspectFile(path: string): Promise<FileFacts> {
  try {
    const real = wholeFileAt(await realPath(path));
    await using handle = await openRegularFile(real);
    const { size, mtimeMs } = await handle.stat();
    const header = await firstBytes(handle, Math.min(size, HEADER_BYTES));
    return {
      path: real,
      name: basename(real),
      folder: dirname(real),
      temporary: isTemporary(real),
      size,
      modified: Math.max(0, mtimeMs / 1000),
      ...(recognisedAt(real, header, size) ?? {
        kind: 'other',
        network: null,
        truncated: false,
        fileKind: await recogniseOtherFile(handle, { header, size, name: basename(real) }),
      }),
      suggestedName: suggestName(real, homedir()),
    };
  } catch (error) {
    throw fileError(error, path);
  }
}

/** Uses the start of the file in its journal if that says more. */
function recognisedAt(path: string, head: Uint8Array, size: number): HeaderFacts | null {
  const alone = recognise(head, size);
  if (alone !== null && alone.kind !== 'other' && !alone.truncated) return alone;
  const before = headInJournal(path, head);
  if (before === null) return alone;
  if (before.head === null) return size === 0 ? ONLY_JOURNAL : alone;
  const together = recognise(before.head, before.size);
  return together?.kind === 'descriptor-wallet' ? together : alone;
}

/** An empty file beside a journal that has some of its pages, but not the first. */
const ONLY_JOURNAL: HeaderFacts = {
  kind: 'other',
  fileKind: { code: 'sqlite_journal' },
  network: null,
  truncated: false,
};

/** The kind of a file that is no wallet of Bitcoin Core. `header`: its start. `size`: in bytes. */
export async function recogniseOtherFile(
  handle: FileHandle,
  { header, size, name }: { header: Uint8Array; size: number; name: string },
): Promise<FileKind> {
  const { bytesToRecognise, recogniseOther } = await otherFiles();
  const needed = bytesToRecognise(header, size);
  const bytes = needed > header.length ? await firstBytes(handle, needed) : header;
  return recogniseOther(bytes, size, name);
}
