/** Copies a file to a new path, flushes it, and proves by SHA-256 that copy and source are equal. */
import { constants } from 'node:fs';
import { access, type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { AppError } from '../../shared/model/errors.ts';
import { FileError } from '../../shared/model/findings/fileError.ts';
import { flushFolder, plainPath, type WrittenFile } from './durableFile.ts';
import { fileError, systemError, writeError } from './fileError.ts';
import { markOf, removeOwnFile } from './fileMark.ts';
import { digest, piecesOf } from './hash.ts';
import { whileUnchanged } from './openFile.ts';

/**
 * Only the owner may read and write. A node gives a restored wallet the permissions of its backup (`RestoreWallet` of
 * Bitcoin Core: `fs::copy_file`), and has to write to it.
 */
export const OWNER_ONLY = 0o600;

/**
 * Copies `source` to `destination`, which must not exist, with permissions for the owner only. Flushes the copy, then
 * reads copy and source again.
 *
 * @throws AppError with nothing left at `destination`: `file_exists`, `folder_missing`, `no_space`, `file_changed` if
 * the source changed or the copy differs, `cancelled`, and what `hashFile` throws.
 */
export async function copySafely(
  source: string,
  destination: string,
  signal?: AbortSignal,
): Promise<WrittenFile> {
  await using copy = await open(destination, 'wx+', OWNER_ONLY).catch((error) => {
    throw copyError(error, destination);
  });
  const mark = markOf(await copy.stat({ bigint: true }));
  try {
    return await fillCopy(copy, source, destination, signal);
  } catch (error) {
    await copy.close().catch(() => undefined);
    await removeOwnFile(destination, mark);
    throw copyError(error, destination);
  }
}

/**
 * Copies into `copy`, a new empty file that is open for reading and writing. Uses open files only, so that nobody can
 * swap them. The copy stays if this throws; errors are those of `copySafely`, and name `destination`.
 */
export async function fillCopy(
  copy: FileHandle,
  source: string,
  destination: string,
  signal?: AbortSignal,
): Promise<WrittenFile> {
  const failed = (error: unknown): never => {
    throw copyError(error, destination);
  };
  try {
    const copied = await whileUnchanged(source, async (original, size) => {
      const pieces = piecesOf(original, size, () => {
        if (signal?.aborted) failed(signal.reason);
      });
      for await (const piece of pieces) await copy.writeFile(piece).catch(failed);
      await copy.sync().catch(failed);
      return { size, sha256: await digest(original, size, signal) };
    });
    const { size: written } = await copy.stat();
    const isEqual = written === copied.size && (await digest(copy, written, signal)) === copied.sha256;
    if (!isEqual) throw new FileError('file_changed', { code: 'copy_differs' });
    return copied;
  } catch (error) {
    throw fileError(error, source);
  }
}

/**
 * Creates a folder and its parents for this user only, each flushed to the disk. Throws AppError if it exists, or
 * cannot be created or written to.
 */
export async function makePrivateFolder(path: string): Promise<void> {
  try {
    const first = await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.W_OK);
    if (first === undefined) throw systemError('EEXIST');
    flushMade(resolve(path), plainPath(resolve(first)));
  } catch (error) {
    throw copyError(error, path);
  }
}

/** `first` is the topmost created folder. */
function flushMade(path: string, first: string): void {
  flushFolder(dirname(path));
  if (path !== first && dirname(path) !== path) flushMade(dirname(path), first);
}

/** The AppError for a failed copy at `path`; an AppError stays as it is. */
export function copyError(error: unknown, path: string): AppError {
  if (!(error instanceof Error && error.name === 'AbortError')) return writeError(error, path);
  return new FileError('cancelled', { code: 'copying_stopped' });
}
