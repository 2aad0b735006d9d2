import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { chmod, chown, mkdir, symlink } from 'node:fs/promises';
import nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findSharedFolder, hasOneUser, keepCompiledCode, overflowUserId } from './sharedFolder.ts';
import { makeTestFolder } from './testing/testFolder.ts';

/** Three folders, one in the other, all of them this user's alone. */
async function nested(): Promise<string> {
  const inner = join(makeTestFolder(), 'above', 'wallets');
  await mkdir(inner, { recursive: true, mode: 0o700 });
  return inner;
}

describe.skipIf(process.platform === 'win32')('findSharedFolder', () => {
  it('is null if each folder on the path belongs to this user or the system', async () => {
    expect(findSharedFolder(await nested())).toBeNull();
  });

  // SECURITY.md: Another user who can write to a folder
  it('checks the folder of a link too, because others could replace the link', async () => {
    const folder = await nested();
    const others = join(dirname(dirname(folder)), 'others');
    await mkdir(others);
    await chmod(others, 0o777);
    const link = join(others, 'link');
    await symlink(folder, link);
    expect(findSharedFolder(link)).toEqual({ folder: others, how: 'writable-by-others' });
  });

  it.skipIf(process.getuid?.() !== 0)(
    'trusts no group that this user shares, also not its own one',
    async () => {
      const folder = await nested();
      const sharedWith = async (group: number) => {
        await chown(folder, 0, group);
        await chmod(folder, 0o770);
        vi.spyOn(process, 'getgid').mockReturnValueOnce(group);
        return findSharedFolder(folder);
      };
      expect(await sharedWith(0)).toBeNull();
      expect(await sharedWith(100)).toEqual({ folder, how: 'writable-by-others' });
    },
  );

  it('throws for a missing folder', async () => {
    const missing = join(await nested(), 'missing');
    expect(() => findSharedFolder(missing)).toThrow('ENOENT');
  });

  it.skipIf(process.getuid?.() !== 0)('reports a folder of another user, there or above', async () => {
    const folder = await nested();
    await chown(dirname(folder), 65_534, 65_534);
    expect(findSharedFolder(folder)).toEqual({ folder: dirname(folder), how: 'owned-by-another' });
    await chown(folder, 65_534, 65_534);
    expect(findSharedFolder(folder)).toEqual({ folder, how: 'owned-by-another' });
  });
});

describe('hasOneUser', () => {
  const files = {
    passwd: 'root:x:0:0:::\nana:x:1001:1003:Ana:/home/ana:/bin/bash\nbob:x:1002:100:::\n',
    group: 'root:x:0:\nusers:x:100:\nana:x:1003:\n',
    nsswitch:
      '# users\npasswd:         files systemd\ngroup: files [SUCCESS=merge] systemd # local\nhosts: dns\n',
  };

  it('finds a user’s own group with another number', () => {
    expect(hasOneUser(1003, 1001, files)).toBe(true);
    expect(hasOneUser(1003, 1001, { ...files, group: 'ana:x:1003:ana\n' })).toBe(true);
  });

  it.each([
    ['a second member', { group: 'ana:x:1003:ana,bob\n' }],
    ['a second group of the number', { group: 'ana:x:1003:\ncoins:x:1003:bob\n' }],
    ['a second user with this primary group', { passwd: `${files.passwd}eve:x:1004:1003:::\n` }],
    ['another primary group', { passwd: 'ana:x:1001:100:::\n' }],
    ['a directory server', { nsswitch: 'passwd: files sss\ngroup: files\n' }],
    ['users of NIS', { nsswitch: 'passwd: compat\ngroup: compat\n' }],
    ['unknown lists', { nsswitch: '' }],
  ])('trusts no group with %s', (_, changed) => {
    expect(hasOneUser(1003, 1001, { ...files, ...changed })).toBe(false);
  });

  it('trusts no group without the lists', () => {
    expect(hasOneUser(1003, 1001, null)).toBe(false);
  });
});

describe('overflowUserId', () => {
  it('is the id that Linux shows for users unknown in the namespace, and null outside of one', () => {
    expect(overflowUserId('         0          0 4294967295\n', '65534\n')).toBeNull();
    for (const map of ['1000 1000 1\n', '0 1000 1\n   1  100000  65536\n'])
      expect(overflowUserId(`     ${map}`, '65534\n')).toBe(65_534);
  });
});

describe('keepCompiledCode', () => {
  const canKeep = 'enableCompileCache' in nodeModule;

  beforeEach(() => {
    vi.stubEnv('NODE_COMPILE_CACHE', undefined);
    if (canKeep) vi.spyOn(nodeModule, 'enableCompileCache').mockReturnValue({ status: 1 });
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  it('keeps the compiled code of programs that start later, if this Node can', () => {
    const dataFolder = makeTestFolder();
    const program = join(dataFolder, 'program.cjs');
    writeFileSync(program, 'module.exports = 1;');
    keepCompiledCode(dataFolder);
    execFileSync(process.execPath, [program]);
    const compiled = join(dataFolder, 'compiled');
    expect(existsSync(compiled)).toBe(canKeep);
    if (canKeep) expect(readdirSync(compiled, { recursive: true }).length).toBeGreaterThan(1);
  });

  it('keeps nothing if the folder cannot be made', () => {
    const file = join(makeTestFolder(), 'file');
    writeFileSync(file, '');
    keepCompiledCode(file);
    expect(process.env.NODE_COMPILE_CACHE).toBeUndefined();
  });
});
