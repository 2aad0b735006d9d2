import { describe, expect, it } from 'vitest';
import { installFakeFerry } from '../state/testing/fakeFerry.ts';

installFakeFerry();
const { fileNameProblem } = await import('./FileDialog.tsx');

describe('fileNameProblem', () => {
  it('accepts valid file names', () => {
    for (const name of ['wallet.bak', 'a b', '.hidden', 'Ölgötze.bak', 'a\\b']) {
      expect(fileNameProblem(name, 'linux')).toBeNull();
    }
  });

  it('refuses names of other folders and invalid ones', () => {
    for (const name of ['', '  ', '.', '..', '../a', 'a/b', 'a\nb', 'a'.repeat(256)]) {
      expect(fileNameProblem(name, 'linux')).not.toBeNull();
    }
    for (const name of ['a\\b', 'a:b', 'a?', 'con', 'NUL .txt', 'end.', 'end ']) {
      expect(fileNameProblem(name, 'win32')).not.toBeNull();
    }
  });

  it('mentions the folder if a folder is wanted', () => {
    expect(fileNameProblem('wallets', 'linux', 'folder')).toBeNull();
    expect(fileNameProblem('', 'linux', 'folder')).toBe('Name the folder.');
    expect(fileNameProblem('', 'linux')).toBe('Name the file.');
  });
});
