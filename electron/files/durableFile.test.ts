import { createHash } from 'node:crypto';
import fs, {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { refuseTaken, writeNewFile, writeWholeFile } from './durableFile.ts';
import { systemError } from './fileError.ts';
import { failing } from './testing/failing.ts';
import { CAN_LINK, HAS_MODES, ON_WINDOWS } from './testing/system.ts';
import { makeTestFolder } from './testing/testFolder.ts';

vi.mock('node:fs', { spy: true });

describe('writeNewFile', () => {
  let folder: string;
  beforeEach(() => {
    folder = makeTestFolder();
    vi.mocked(fs.fsyncSync).mockReset();
  });

  it('writes a file that only this user can read, and returns its size and hash', () => {
    const path = join(folder, 'out.txt');
    const sha256 = createHash('sha256').update('grün\n').digest('hex');
    expect(writeNewFile(path, 'grün\n')).toEqual({ size: 6, sha256 });
    expect(readFileSync(path, 'utf8')).toBe('grün\n');
    if (HAS_MODES) expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  // SECURITY.md: Another user who can write to a folder
  const TAKEN = [
    ['a file', (path: string) => writeFileSync(path, 'theirs')],
    ['a folder', (path: string) => mkdirSync(path)],
    ['a link to nothing', (path: string) => symlinkSync(join(folder, 'nowhere'), path)],
  ] as const;
  it.each(TAKEN.filter(([what]) => CAN_LINK || what !== 'a link to nothing'))(
    'refuses a path that already holds %s',
    (_, place) => {
      const path = join(folder, 'taken');
      place(path);
      expect(() => writeNewFile(path, 'ours')).toThrow(expect.objectContaining({ code: 'file_exists' }));
      expect(() => refuseTaken(path)).toThrow(expect.objectContaining({ code: 'file_exists' }));
      expect(existsSync(join(folder, 'nowhere'))).toBe(false);
      expect(readdirSync(folder)).toEqual(['taken']);
      if (statSync(path, { throwIfNoEntry: false })?.isFile())
        expect(readFileSync(path, 'utf8')).toBe('theirs');
    },
  );

  it('replaces no file that appears at the last moment', () => {
    const path = join(folder, 'taken');
    writeFileSync(path, 'theirs');
    expect(() => writeWholeFile(path, Buffer.from('ours'))).toThrow(
      expect.objectContaining({ code: 'EEXIST' }),
    );
    expect(readFileSync(path, 'utf8')).toBe('theirs');
  });

  it.each([
    ['folder_missing', () => join(folder, 'no', 'out.txt')],
    ['folder_missing', () => join(newFolder('file'), 'out.txt')],
    ['bad_input', () => 'out.txt'],
    ['bad_input', () => join(folder, 'x'.repeat(300))],
    ['bad_input', () => join(folder, 'a\0b')],
  ])('throws %s for a path where it cannot create a file', (code, path) => {
    expect(() => writeNewFile(path(), 'text')).toThrow(expect.objectContaining({ code }));
  });

  it.runIf(ON_WINDOWS).each([
    ['CON', 'windows_device'],
    ['nul.txt', 'windows_device'],
    ['a:b', 'windows_character'],
    ['ends in a dot.', 'windows_ending'],
    ['ends in a space ', 'windows_ending'],
  ])('refuses %j, which Windows takes for something else', (name, problem) => {
    expect(() => writeNewFile(join(folder, name), 'text')).toThrow(
      expect.objectContaining({ code: 'bad_input', finding: { code: 'name_not_for_windows', problem } }),
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it('removes the unfinished file if the disk is full', () => {
    vi.mocked(fs.fsyncSync).mockImplementationOnce(failing(systemError('ENOSPC')));
    const full = expect.objectContaining({ code: 'no_space' });
    expect(() => writeNewFile(join(folder, 'out.txt'), 'text')).toThrow(full);
    expect(readdirSync(folder)).toEqual([]);
  });

  // SECURITY.md: Another user who can write to a folder
  it.skipIf(process.platform === 'win32').each(['before', 'during'])(
    'writes nothing through a link that replaces the folder %s the write',
    (when) => {
      const [out, elsewhere] = [join(folder, 'out'), join(folder, 'elsewhere')];
      for (const each of [out, elsewhere]) mkdirSync(each);
      const swap = () => {
        renameSync(out, join(folder, 'moved'));
        symlinkSync(elsewhere, out);
      };
      const path = join(out, 'keys.txt');
      const mark = refuseTaken(path);
      if (when === 'before') swap();
      else vi.mocked(fs.fsyncSync).mockImplementationOnce(swap);
      const changed = expect.objectContaining({ code: 'file_changed' });
      expect(() => writeNewFile(path, 'keys', mark)).toThrow(changed);
      expect(readdirSync(elsewhere)).toEqual([]);
    },
  );

  function newFolder(name: string): string {
    const path = join(folder, name);
    writeFileSync(path, '');
    return path;
  }
});
