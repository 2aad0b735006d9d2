/** Copies a file to a new place, and shows by SHA-256 that copy and source are one, before and after. */
import { constants, createReadStream } from 'node:fs';
import { access, chmod, type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { say } from '../../shared/say.ts';
import { flushFolder } from '../engine/durableFile.ts';
import { systemCode } from '../engine/systemCode.ts';
import { fileError } from './fileError.ts';
import { hashFile } from './hash.ts';

interface CopyOptions {
  /** Of the finished copy. Default 0o600: its owner reads and writes. */
  mode?: number;
  signal?: AbortSignal;
}

/**
 * Copies `source` to `destination`, which must not exist. The copy is flushed to the disk and read again; the source is
 * read once more after it. Sizes in bytes, `sha256` lower-case hex.
 *
 * @throws AppError with nothing left at `destination`: `file_exists`, `folder_missing`, `no_space`, `file_changed` when
 * the source changed meanwhile or the copy is not equal to it, `cancelled`, and what `hashFile` throws.
 */
export async function copySafely(
  source: string,
  destination: string,
  { mode = 0o600, signal }: CopyOptions = {},
): Promise<{ size: number; sha256: string }> {
  const options = signal ? { signal } : {};
  const before = await hashFile(source, options);
  const copy = await create(destination);
  try {
    await fill(copy, source, signal);
    await copy.close();
    const written = await hashFile(destination, options);
    const after = await hashFile(source, options);
    if (written.sha256 !== before.sha256 || after.sha256 !== before.sha256) throw unequal();
    await chmod(destination, mode);
    const { size } = await stat(destination);
    return { size, sha256: written.sha256 };
  } catch (error) {
    await copy.close().catch(() => undefined);
    await rm(destination, { force: true });
    throw copyError(error, destination);
  }
}

/**
 * A new folder for this user alone, with those above it, each of them flushed to the disk. Throws AppError where it
 * cannot be made or written to.
 */
export async function makePrivateFolder(path: string): Promise<void> {
  try {
    const first = await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.W_OK);
    if (first !== undefined) flushMade(resolve(path), resolve(first));
  } catch (error) {
    throw copyError(error, path);
  }
}

/** `first`: the uppermost of those that were not there before. */
function flushMade(path: string, first: string): void {
  flushFolder(dirname(path));
  if (path !== first && dirname(path) !== path) flushMade(dirname(path), first);
}

async function create(destination: string): Promise<FileHandle> {
  try {
    return await open(destination, 'wx', 0o600);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') {
      throw new AppError(
        'file_exists',
        say('There is already something at {path}.', { path: destination }),
        say('Nothing was changed. The app never overwrites a file: choose another name.'),
      );
    }
    throw copyError(error, destination);
  }
}

async function fill(copy: FileHandle, source: string, signal: AbortSignal | undefined): Promise<void> {
  for await (const chunk of createReadStream(source, { highWaterMark: CHUNK })) {
    signal?.throwIfAborted();
    await copy.writeFile(chunk);
  }
  await copy.sync();
}

const CHUNK = 1024 * 1024;

function copyError(error: unknown, path: string): unknown {
  if (error instanceof AppError) return error;
  const code = systemCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new AppError(
      'no_space',
      say('There is not enough space for a copy in {path}.', { path: dirname(path) }),
      say('Nothing was changed, and the half-made copy was removed. Make room and try again.'),
    );
  }
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new AppError(
      'folder_missing',
      say('There is no folder {path}.', { path: dirname(path) }),
      say('Nothing was changed. Connect the disk, or choose another place.'),
    );
  }
  if (error instanceof Error && error.name === 'AbortError') {
    return new AppError('cancelled', say('Copying the file was stopped.'), say('Nothing was changed.'));
  }
  return fileError(error, path);
}

function unequal(): AppError {
  return new AppError(
    'file_changed',
    say(
      'The copy is not equal to the file: the file changed while it was copied, or the disk did not keep what was written.',
    ),
    say(
      'Nothing was changed, and the copy was removed. Make sure that no node has the file open, and try again.',
    ),
  );
}
