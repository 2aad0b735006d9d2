/** SHA-256 of files of any size in one pass. Detects changes during the read. */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { AppError } from '../../shared/model/errors.ts';
import { FileError } from '../../shared/model/findings/fileError.ts';
import { type FileBytes, sourceOf } from '../walletfile/bytes/byteSource.ts';
import { fileError } from './fileError.ts';
import { fileChangedError, whileUnchanged } from './openFile.ts';

/**
 * The hash of a regular file, in lower-case hex.
 *
 * @throws AppError `file_missing` (also if it disappears meanwhile), `file_unreadable`, `not_a_file`, `file_changed`
 * if its size or change time differ at the end, `cancelled` by the signal.
 */
export async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  try {
    return await whileUnchanged(path, (handle, size) => digest(handle, size, signal));
  } catch (error) {
    throw fileError(error, path);
  }
}

const CHUNK = 1024 * 1024;

/**
 * SHA-256 of an open file, lower-case hex; `total` is its size in bytes. Throws AppError `file_changed` if the size
 * differs, `cancelled`, and else the system's error.
 */
export async function digest(handle: FileHandle, total: number, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const pieces = piecesOf(handle, total, () => {
    if (signal?.aborted) throw signal.reason instanceof AppError ? signal.reason : readingStoppedError();
  });
  for await (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

/**
 * Reads an open file of `total` bytes in pieces that reuse one buffer. Calls `beforePiece` before each piece, which may throw to
 * stop. Throws as `digest` does.
 */
export async function* piecesOf(file: FileHandle, total: number, beforePiece: () => void) {
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(total, 1)));
  let done = 0;
  for (;;) {
    beforePiece();
    const { bytesRead } = await file.read(chunk, 0, chunk.length, done);
    if (bytesRead === 0) break;
    done += bytesRead;
    if (done > total) throw fileChangedError();
    yield chunk.subarray(0, bytesRead);
  }
  if (done !== total) throw fileChangedError();
}

/** SHA-256 in lower-case hex. */
export function sha256Of(file: FileBytes): string {
  const { size, read } = sourceOf(file);
  const hash = createHash('sha256');
  for (let at = 0; at < size; at += CHUNK) hash.update(read(at, CHUNK));
  return hash.digest('hex');
}

export function readingStoppedError(): AppError {
  return new FileError('cancelled', { code: 'reading_stopped' });
}
