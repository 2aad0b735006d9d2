/** Copies a file to a new place, flushes it, and shows by SHA-256 that copy and source are one, before and after. */
import { constants } from 'node:fs';
import { access, type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { AppError } from '../../shared/model/errors.ts';
import { FileError } from '../../shared/model/findings/fileError.ts';
import { flushFolder } from './durableFile.ts';
import { fileError, writeError } from './fileError.ts';
import { markOf, removeOwnFile } from './fileMark.ts';
import { digest, piecesOf } from './hash.ts';
import { whileUnchanged } from './openRegularFile.ts';
import { systemError } from './systemCode.ts';

/**
 * Only its owner reads and writes it. A node gives a wallet that it restores the rights of its backup (`RestoreWallet` of
 * Bitcoin Core: `fs::copy_file`), and has to write to it.
 */
export const OWNER_ONLY = 0o600;

/**
 * Copies `source` to `destination`, which must not exist and is for its owner only then. The copy is flushed to the disk
 * and read again; the source is read once more after it. Sizes in bytes, `sha256` lower-case hex.
 *
 * @throws AppError with nothing left at `destination`: `file_exists`, `folder_missing`, `no_space`, `file_changed` when
 * the source changed meanwhile or the copy is not equal to it, `cancelled`, and what `hashFile` throws.
 */
export async function copySafely(
  source: string,
  destination: string,
  signal?: AbortSignal,
): Promise<{ size: number; sha256: string }> {
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
 * The same into `copy`, a new and empty file that is open for reading and writing. Works on open files alone, so that
 * nobody can put others in their places meanwhile. The copy stays where this throws; what it throws is named above, with
 * `destination` in its words.
 */
export async function fillCopy(
  copy: FileHandle,
  source: string,
  destination: string,
  signal?: AbortSignal,
): Promise<{ size: number; sha256: string }> {
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
 * A new folder for this user alone, with those above it, each of them flushed to the disk. Throws AppError where it
 * is there already, or cannot be made or written to.
 */
export async function makePrivateFolder(path: string): Promise<void> {
  try {
    const first = await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.W_OK);
    if (first === undefined) throw systemError('EEXIST');
    flushMade(resolve(path), resolve(first));
  } catch (error) {
    throw copyError(error, path);
  }
}

/** `first`: the uppermost of those that were not there before. */
function flushMade(path: string, first: string): void {
  flushFolder(dirname(path));
  if (path !== first && dirname(path) !== path) flushMade(dirname(path), first);
}

/** What went wrong with the copy at `path`. One that is an AppError already stays what it is. */
export function copyError(error: unknown, path: string): AppError {
  if (!(error instanceof Error && error.name === 'AbortError')) return writeError(error, path);
  return new FileError('cancelled', { code: 'copying_stopped' });
}
