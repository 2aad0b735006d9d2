import { chmod, chown, mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sharedWay, sharedWayTo, userOfOutside } from './sharedFolder.ts';

/** Three folders, one in the other, all of them this user's alone. */
async function nested(): Promise<string> {
  const outer = await realpath(await mkdtemp(join(tmpdir(), 'shared-way-')));
  onTestFinished(() => rm(outer, { recursive: true }));
  const inner = join(outer, 'above', 'wallets');
  await mkdir(inner, { recursive: true, mode: 0o700 });
  return inner;
}

describe.skipIf(process.platform === 'win32')('sharedWay', () => {
  it('is none where each folder on the way is this user’s or the system’s', async () => {
    expect(sharedWay(await nested())).toBeNull();
  });

  it.each([
    [0o777, 'the folder itself'],
    [0o1777, 'the folder itself, though each may only rename what is their own'],
  ])('tells of mode %o of %s', async (mode) => {
    const folder = await nested();
    await chmod(folder, mode);
    expect(sharedWay(folder)).toEqual({ folder, how: 'writable-by-others' });
  });

  it('tells of a folder above, whose folders others may rename', async () => {
    const folder = await nested();
    await chmod(dirname(folder), 0o777);
    expect(sharedWay(folder)).toEqual({ folder: dirname(folder), how: 'writable-by-others' });
  });

  it('lets a folder above pass where each may only rename what is their own', async () => {
    const folder = await nested();
    await chmod(dirname(folder), 0o1777);
    expect(sharedWay(folder)).toBeNull();
  });

  it('looks at the real folder behind a link', async () => {
    const folder = await nested();
    await chmod(dirname(folder), 0o777);
    const link = join(dirname(dirname(folder)), 'link');
    await symlink(folder, link);
    expect(sharedWay(link)).toEqual({ folder: dirname(folder), how: 'writable-by-others' });
  });

  // SECURITY.md: Another user of this computer
  it('looks at the folder of a link too, in which another one could be put', async () => {
    const folder = await nested();
    const others = join(dirname(dirname(folder)), 'others');
    await mkdir(others);
    await chmod(others, 0o777);
    const link = join(others, 'link');
    await symlink(folder, link);
    expect(sharedWay(link)).toEqual({ folder: others, how: 'writable-by-others' });
  });

  it('of a folder that is not there looks at those above it', async () => {
    const folder = await nested();
    const missing = join(folder, 'not', 'there');
    await chmod(folder, 0o1777);
    expect(sharedWayTo(missing)).toBeNull();
    await chmod(folder, 0o777);
    expect(sharedWayTo(missing)).toEqual({ folder, how: 'writable-by-others' });
    expect(() => sharedWay(missing)).toThrow('ENOENT');
  });

  it.skipIf(process.getuid?.() !== 0)('tells of what belongs to another user, there or above', async () => {
    const folder = await nested();
    await chown(dirname(folder), 65_534, 65_534);
    expect(sharedWay(folder)).toEqual({ folder: dirname(folder), how: 'owned-by-another' });
    await chown(folder, 65_534, 65_534);
    expect(sharedWay(folder)).toEqual({ folder, how: 'owned-by-another' });
  });
});

describe('userOfOutside', () => {
  it('is whom Linux shows for those that a namespace does not know, and nobody outside of one', () => {
    expect(userOfOutside('         0          0 4294967295\n', '65534\n')).toBeNull();
    expect(userOfOutside('      1000       1000          1\n', '65534\n')).toBe(65_534);
    expect(
      userOfOutside('         0       1000          1\n         1     100000      65536\n', '65534\n'),
    ).toBe(65_534);
  });
});
