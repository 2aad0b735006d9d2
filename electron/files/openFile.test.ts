import { spawnSync } from 'node:child_process';
import {
  chownSync,
  closeSync,
  linkSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openToAdd, readWhole } from './openFile.ts';
import { makeTestFolder } from './testing/testFolder.ts';

const isWindows = process.platform === 'win32';

describe('a file', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = makeTestFolder();
    path = join(folder, 'file');
  });

  const refused = (reason: string) => expect.objectContaining({ name: 'NoFileError', reason });
  function add(text: string): void {
    const file = openToAdd(path);
    writeSync(file, text);
    closeSync(file);
  }

  it('is read as a whole, and appended to', () => {
    add('one ');
    add('two');
    expect(readWhole(path).toString()).toBe('one two');
    expect(readWhole(path, { most: 7 }).toString()).toBe('one two');
    expect(() => readWhole(path, { most: 6 })).toThrow(expect.objectContaining({ code: 'EFBIG' }));
    if (!isWindows) expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('does not open a folder', () => {
    mkdirSync(path);
    expect(() => readWhole(path)).toThrow(refused('folder'));
    expect(() => openToAdd(path)).toThrow(refused('folder'));
  });

  // SECURITY.md: A hostile wallets folder
  it.skipIf(isWindows)('does not open a pipe, and does not wait', () => {
    spawnSync('mkfifo', [path]);
    expect(() => readWhole(path)).toThrow(refused('special'));
    expect(() => readWhole(path, { own: true })).toThrow(refused('special'));
    expect(() => openToAdd(path)).toThrow(refused('special'));
  });

  // SECURITY.md: A hostile wallets folder
  it.skipIf(isWindows)('does not open a device', () => {
    expect(() => readWhole('/dev/zero')).toThrow(refused('special'));
  });

  it.skipIf(isWindows)('behind a link is read unless it is the app’s own, and never appended to', () => {
    const target = join(folder, 'target');
    writeFileSync(target, 'theirs');
    symlinkSync(target, path);
    expect(readWhole(path).toString()).toBe('theirs');
    expect(() => readWhole(path, { own: true })).toThrow(refused('link'));
    expect(() => openToAdd(path)).toThrow(refused('link'));
    expect(readFileSync(target, 'utf8')).toBe('theirs');
  });

  it.skipIf(isWindows)('is not created behind a dangling link', () => {
    symlinkSync(join(folder, 'target'), path);
    expect(() => openToAdd(path)).toThrow(refused('link'));
    expect(statSync(join(folder, 'target'), { throwIfNoEntry: false })).toBeUndefined();
  });

  it.skipIf(isWindows)('does not append to a file with a second name', () => {
    writeFileSync(join(folder, 'target'), 'theirs');
    linkSync(join(folder, 'target'), path);
    expect(() => openToAdd(path)).toThrow(refused('of-several-names'));
  });

  // Only the system's administrator can give a file to somebody else.
  it.skipIf(process.getuid?.() !== 0)('of another user is not appended to', () => {
    writeFileSync(path, 'theirs');
    chownSync(path, 65_534, 65_534);
    expect(() => openToAdd(path)).toThrow(refused('of-another-user'));
  });
});
