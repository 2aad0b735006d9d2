import { chmod, chown, mkdir, readdir, stat, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, parse } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { APP_FOLDERS } from '../sharedFolder.ts';
import { ON_WINDOWS } from '../testing/system.ts';
import { makeTestFolder } from '../testing/testFolder.ts';
import { othersMayRead, refuseSharedFolder } from './refuseSharedFolder.ts';

async function folderOfMode(mode: number): Promise<string> {
  const folder = makeTestFolder();
  await chmod(folder, mode);
  return folder;
}

const WRITABLE = 'writable-by-others';
const OWNED = 'owned-by-another';

const refused = (
  folder: string,
  how: typeof WRITABLE | typeof OWNED,
  code: 'data_folder_shared' | 'folder_above_data_shared' = 'data_folder_shared',
) => expect.objectContaining({ code: 'not_available_here', finding: { code, folder, how } });

describe.skipIf(process.platform === 'win32')('refuseSharedFolder', () => {
  it.each([0o700, 0o750, 0o755, 0o500])('accepts a folder of mode %o', async (mode) => {
    const folder = await folderOfMode(mode);
    expect(() => refuseSharedFolder(folder)).not.toThrow();
  });

  it('accepts a missing folder', async () => {
    const folder = join(await folderOfMode(0o700), 'not there');
    expect(() => refuseSharedFolder(folder)).not.toThrow();
  });

  // SECURITY.md: Another user who can write to a folder
  it.each([0o777, 0o1777, 0o702])('refuses a folder of mode %o, and changes nothing of it', async (mode) => {
    const folder = await folderOfMode(mode);
    expect(() => refuseSharedFolder(folder)).toThrow(refused(folder, WRITABLE));
    expect((await stat(folder)).mode & 0o7777).toBe(mode);
  });

  // SECURITY.md: Another user who can write to a folder
  it('refuses one below a folder that others may write to, existing or not', async () => {
    const above = await folderOfMode(0o700);
    await mkdir(join(above, 'between', 'data'), { recursive: true, mode: 0o700 });
    await chmod(above, 0o777);
    for (const folder of [join(above, 'between', 'data'), join(above, 'not', 'there')]) {
      expect(() => refuseSharedFolder(folder)).toThrow(refused(above, WRITABLE, 'folder_above_data_shared'));
    }
    expect(await readdir(above)).toEqual(['between']);
    await chmod(above, 0o1777);
    expect(() => refuseSharedFolder(join(above, 'between', 'data'))).not.toThrow();
    expect(() => refuseSharedFolder(join(above, 'not', 'there'))).not.toThrow();
  });

  // SECURITY.md: Another user who can write to a folder
  it.skipIf(process.getuid?.() !== 0)('refuses one below a folder of another user', async () => {
    const above = await folderOfMode(0o755);
    await mkdir(join(above, 'data'), { mode: 0o700 });
    await chown(above, 12_345, 12_345);
    const error = refused(above, OWNED, 'folder_above_data_shared');
    expect(() => refuseSharedFolder(join(above, 'data'))).toThrow(error);
  });

  it('refuses one behind a link', async () => {
    const link = join(await folderOfMode(0o700), 'link');
    const folder = await folderOfMode(0o777);
    await symlink(folder, link);
    expect(() => refuseSharedFolder(link)).toThrow(refused(folder, WRITABLE));
  });

  // SECURITY.md: Another user who can write to a folder
  it.each(Object.values(APP_FOLDERS))('refuses one in which others may write to %j', async (name) => {
    const data = await folderOfMode(0o700);
    const folder = join(data, name);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    expect(() => refuseSharedFolder(data)).not.toThrow();
    for (const mode of [0o777, 0o1777]) {
      await chmod(folder, mode);
      expect(() => refuseSharedFolder(data)).toThrow(refused(folder, WRITABLE));
    }
  });

  it('lets only the user’s own group write', async () => {
    const folder = await folderOfMode(0o770);
    expect(() => refuseSharedFolder(folder)).not.toThrow();
    const { gid } = await stat(folder);
    const getgid = vi.spyOn(process, 'getgid').mockReturnValue(gid + 1);
    onTestFinished(() => getgid.mockRestore());
    expect(() => refuseSharedFolder(folder)).toThrow(refused(folder, WRITABLE));
  });

  // SECURITY.md: Another user who can write to a folder
  it('refuses one of another user', async () => {
    const folder = await folderOfMode(0o700);
    const { uid } = await stat(folder);
    const getuid = vi.spyOn(process, 'getuid').mockReturnValue(uid + 1);
    onTestFinished(() => getuid.mockRestore());
    expect(() => refuseSharedFolder(folder)).toThrow(refused(folder, OWNED));
  });

  it.skipIf(process.getuid?.() !== 0)('refuses one of another user to root as well', async () => {
    const folder = await folderOfMode(0o700);
    await chown(folder, 12_345, 12_345);
    expect(() => refuseSharedFolder(folder)).toThrow(refused(folder, OWNED));
  });
});

describe('othersMayRead', () => {
  const onWindows = { platform: 'win32', profile: 'C:\\Users\\ana' } as const;

  // SECURITY.md: Other users, on Windows, outside your own folders
  it.each([
    'D:\\Bitcoin',
    'C:\\',
    'C:\\Users',
    'C:\\Users\\Public\\Documents',
    'C:\\Users\\ana2',
    'C:\\Users\\ana\\..\\bob',
    '\\\\server\\share',
    '\\\\?\\D:\\Bitcoin',
  ])('is true for a folder outside the profile: %s', (folder) => {
    expect(othersMayRead(folder, onWindows)).toBe(true);
  });

  it.each([
    'C:\\Users\\ana',
    'C:\\Users\\ana\\Documents',
    'c:\\users\\ANA\\Documents',
    'C:/Users/ana/Documents',
    'C:\\Users\\ana\\..backups',
  ])('is false in the profile: %s', (folder) => {
    expect(othersMayRead(folder, onWindows)).toBe(false);
  });

  it.each(['linux', 'darwin'] as const)('is false on %s, where new files have modes', (platform) => {
    expect(othersMayRead('/srv/shared', { platform, profile: '/home/ana' })).toBe(false);
  });

  it('knows the profile of this user', () => {
    expect(othersMayRead(join(homedir(), 'not there yet'))).toBe(false);
    expect(othersMayRead(parse(homedir()).root)).toBe(ON_WINDOWS);
  });
});
