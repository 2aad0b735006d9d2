/** Turns the system's errors of file calls into AppErrors. */
import { dirname } from 'node:path';
import { AppError } from '../../shared/model/errors.ts';
import { FileError } from '../../shared/model/findings/fileError.ts';

/** Any error thrown for `path` as an AppError; an AppError stays as it is. */
export function fileError(thrown: unknown, path: string): AppError {
  if (thrown instanceof AppError) return thrown;
  const code = systemCode(thrown);
  if (isDiskFull(code)) return new FileError('no_space', { code: 'disk_full' });
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new FileError('file_missing', { code: 'nothing_at_path', path });
    case 'EACCES':
    case 'EPERM':
      return new FileError('file_unreadable', { code: 'file_not_allowed', path });
    case 'ENAMETOOLONG':
    case 'ERR_INVALID_ARG_VALUE':
      return new FileError('bad_input', { code: 'path_invalid' });
    case 'EMFILE':
    case 'ENFILE':
      return new FileError('file_unreadable', { code: 'too_many_open_files', path });
    case 'EIO':
      return new FileError('file_unreadable', { code: 'disk_failed', path });
    default:
      return new FileError('file_unreadable', { code: 'file_unreadable', path });
  }
}

/** The same for a new file or folder at `path`. */
export function writeError(thrown: unknown, path: string): AppError {
  if (thrown instanceof AppError) return thrown;
  const folder = dirname(path);
  const code = systemCode(thrown);
  if (isDiskFull(code)) return new FileError('no_space', { code: 'folder_full', folder });
  if (isRefusedWrite(code)) return new FileError('file_unreadable', { code: 'folder_not_writable', folder });
  switch (code) {
    case 'EEXIST':
      return new FileError('file_exists', { code: 'path_taken', path });
    case 'ENOENT':
    case 'ENOTDIR':
      return new FileError('folder_missing', { code: 'folder_missing', folder });
    case 'EFBIG':
      return new FileError('no_space', { code: 'file_too_large_for_disk', folder });
    case 'ENAMETOOLONG':
    case 'ERR_INVALID_ARG_VALUE':
      return fileError(thrown, path);
    default:
      return new FileError('file_unreadable', { code: 'file_not_written', path });
  }
}

/** The system's code of an error, such as `ENOENT`; null if it has none. */
export function systemCode(thrown: unknown): string | null {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : null;
}

/** Whether the disk, or this user's quota, is full. */
export function isDiskFull(code: string | null): boolean {
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Whether the system does not let this process write there. */
export function isRefusedWrite(code: string | null): boolean {
  return code === 'EACCES' || code === 'EPERM' || code === 'EROFS';
}

export function systemError(code: string, path?: string): Error {
  return Object.assign(new Error(code), { code, ...(path === undefined ? {} : { path }) });
}
