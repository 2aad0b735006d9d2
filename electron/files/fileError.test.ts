import { describe, expect, it } from 'vitest';
import { AppError } from '../../shared/model/errors.ts';
import { fileError, writeError } from './fileError.ts';

const system = (code: string) => Object.assign(new Error('as the system says it'), { code });

describe('fileError', () => {
  it.each([
    ['ENOENT', 'file_missing'],
    ['ENOTDIR', 'file_missing'],
    ['EACCES', 'file_unreadable'],
    ['EPERM', 'file_unreadable'],
    ['EIO', 'file_unreadable'],
    ['ENOSPC', 'no_space'],
    ['EDQUOT', 'no_space'],
    ['ENAMETOOLONG', 'bad_input'],
    ['ESOMETHING', 'file_unreadable'],
  ])('turns %s into %s', (code, expected) => {
    expect(fileError(system(code), '/a/file')).toMatchObject({ code: expected });
  });

  it.each([
    ['ENOSPC', 'no_space'],
    ['EDQUOT', 'no_space'],
    ['EFBIG', 'no_space'],
    ['EROFS', 'file_unreadable'],
  ])('turns %s of a write into %s', (code, expected) => {
    expect(writeError(system(code), '/a/file')).toMatchObject({ code: expected, finding: { folder: '/a' } });
  });

  // SECURITY.md: A flood of connections
  it.each(['EMFILE', 'ENFILE'])('explains %s: too many files are open', (code) => {
    expect(fileError(system(code), '/a/file')).toMatchObject({
      code: 'file_unreadable',
      finding: { code: 'too_many_open_files', path: '/a/file' },
    });
  });

  it('leaves an AppError', () => {
    const ours = new AppError('cancelled', 'a', 'b');
    expect(fileError(ours, '/a/file')).toBe(ours);
  });
});
