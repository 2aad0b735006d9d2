import { spawnSync } from 'node:child_process';
import fs, {
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { systemError } from '../files/fileError.ts';
import { canLockAsNode, lockAsNode } from '../files/testing/lockAsNode.ts';
import { onUnix } from '../files/testing/onUnix.ts';
import { makeTestFolder } from '../files/testing/testFolder.ts';
import { LOCK_NAME, lockFolder } from './lock.ts';
import { engineForTest } from './testing/testEngine.ts';

/** On other systems the lock does not show its process. */
const namesHolder = process.platform === 'linux';

it.each([
  ['as the system shows', 'accessSync'],
  ['as a write shows', 'openSync'],
] as const)('starts on a folder that nobody can write to, %s, and puts nothing there', async (_, name) => {
  const dataFolder = makeTestFolder();
  const readOnly = join(dataFolder, 'regtest');
  const original = fs[name as 'openSync'];
  const access = vi.spyOn(fs, name as 'openSync').mockImplementation((path, flags, ...rest) => {
    const isWrite =
      name === 'accessSync' || (typeof flags === 'number' ? (flags & 0x43) !== 0 : flags !== 'r');
    if (isWrite && String(path).startsWith(readOnly)) throw systemError('EACCES');
    return original(path, flags, ...rest);
  });
  syncBuiltinESMExports();
  try {
    const { call, engine } = await engineForTest({ copies: { w: 'descriptor-hd' } }, dataFolder);
    expect((await call('listwalletdir')).result).toMatchObject({ wallets: [{ name: 'w' }] });
    expect(engine.cookie).toContain(join(dataFolder, 'state'));
    expect(readdirSync(readOnly)).toEqual(['wallets']);
    expect(readdirSync(join(readOnly, 'wallets'))).toEqual(['w']);
    await expect(engineForTest({}, dataFolder)).rejects.toThrow('already uses this wallets folder');
    access.mockRestore();
    syncBuiltinESMExports();
    await expect(engineForTest({}, dataFolder)).rejects.toThrow('already uses this wallets folder');
    expect(readdirSync(join(readOnly, 'wallets'))).toEqual(['w']);
  } finally {
    access.mockRestore();
    syncBuiltinESMExports();
  }
});

describe('lockFolder', () => {
  let folder: string;
  beforeEach(() => {
    folder = makeTestFolder();
  });

  it('refuses a second engine until the first unlocks the folder', () => {
    const first = lockFolder(folder, folder);
    expect(() => lockFolder(folder, folder)).toThrow(
      namesHolder
        ? `process ${process.pid}) already uses this wallets folder`
        : 'Another engine already uses this wallets folder',
    );
    first.release();
    lockFolder(folder, folder).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('takes over the lock of an ended process', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(join(folder, LOCK_NAME), JSON.stringify({ pid, mark: null }));
    lockFolder(folder, folder).release();
    expect(existsSync(join(folder, LOCK_NAME))).toBe(false);
  });

  it.runIf(process.platform === 'linux')('takes over the lock of an earlier process with the same id', () => {
    writeFileSync(join(folder, LOCK_NAME), JSON.stringify({ pid: process.pid, mark: 'another boot:1' }));
    lockFolder(folder, folder).release();
    writeFileSync(join(folder, LOCK_NAME), JSON.stringify({ pid: process.ppid, mark: 'another boot:1' }));
    lockFolder(folder, folder).release();
  });

  it.skipIf(namesHolder)('takes over a lock whose process id belongs to another program by now', () => {
    writeFileSync(join(folder, LOCK_NAME), JSON.stringify({ pid: process.ppid, mark: null }));
    const lock = lockFolder(folder, folder);
    expect(() => lockFolder(folder, folder)).toThrow('Another engine already uses this wallets folder');
    lock.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it.skipIf(namesHolder)('does not change a file in place of the lock', () => {
    writeFileSync(join(folder, 'of mine'), 'precious');
    linkSync(join(folder, 'of mine'), join(folder, LOCK_NAME));
    lockFolder(folder, folder).release();
    expect(readFileSync(join(folder, 'of mine'), 'utf8')).toBe('precious');
  });

  it.each(['', 'nonsense', '{"pid":0}'])('takes over a lock that says %j', (text) => {
    writeFileSync(join(folder, LOCK_NAME), text);
    lockFolder(folder, folder).release();
  });

  it.runIf(namesHolder)('does not remove a lock that another engine has taken meanwhile', () => {
    const first = lockFolder(folder, folder);
    writeFileSync(join(folder, LOCK_NAME), 'of another');
    first.release();
    expect(existsSync(join(folder, LOCK_NAME))).toBe(true);
  });

  // After a power cut, another process may have its number.
  it('ignores the process id of a node that ended, also if another program has it', () => {
    const file = join(folder, 'bitcoind.pid');
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(file, `${pid}\n`);
    lockFolder(folder, folder).release();
    writeFileSync(file, `${process.pid}\n`);
    // Before this process started.
    const before = Date.now() / 1000 - process.uptime() - 10;
    utimesSync(file, before, before);
    if (process.platform === 'linux') lockFolder(folder, folder).release();
    // Before the computer started.
    utimesSync(file, 1, 1);
    lockFolder(folder, folder).release();
  });

  // Its locks are not shown here.
  it.skipIf(process.platform === 'win32')('refuses the folder of a node in another container', () => {
    writeFileSync(join(folder, 'bitcoind.pid'), '1\n');
    expect(() => lockFolder(folder, folder)).toThrow('A Bitcoin node (process 1) runs on this folder');
  });

  // Its number is that of a program here, which is older than the file.
  it.runIf(namesHolder)('refuses the folder of a node in another container, whatever its number', () => {
    writeFileSync(join(folder, 'bitcoind.pid'), `${process.pid}\n`);
    const later = Date.now() / 1000 + 10;
    utimesSync(join(folder, 'bitcoind.pid'), later, later);
    expect(() => lockFolder(folder, folder)).toThrow(`A Bitcoin node (process ${process.pid}) runs on this`);
  });

  it.runIf(namesHolder)('refuses the folder of a node that it cannot see from its own container', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(join(folder, 'bitcoind.pid'), `${pid}\n`);
    const read = vi.spyOn(fs, 'readlinkSync').mockReturnValue('pid:[4026532201]');
    syncBuiltinESMExports();
    try {
      expect(() => lockFolder(folder, folder)).toThrow('A Bitcoin node');
    } finally {
      read.mockRestore();
      syncBuiltinESMExports();
    }
  });

  describe('near a running engine', () => {
    const inner = () => join(folder, 'family', 'wallets');
    beforeEach(() => {
      mkdirSync(inner(), { recursive: true });
    });

    it.each([
      ['below', () => [folder, inner()] as const, 'which lies in this wallets folder'],
      ['above', () => [inner(), folder] as const, 'which holds this wallets folder'],
    ])('%s refuses a folder, and leaves no lock there', (_, folders, words) => {
      const [own, others] = folders();
      const other = lockFolder(others, others);
      expect(() => lockFolder(own, own)).toThrow(`uses the folder ${others}, ${words}`);
      expect(existsSync(join(own, LOCK_NAME))).toBe(false);
      other.release();
      lockFolder(own, own).release();
    });

    // SECURITY.md: Two engines, or an engine and a node, on one folder
    onUnix('refuses a folder with a link into another engine’s folder', () => {
      const [own, others] = [join(folder, 'own'), join(folder, 'others')];
      for (const path of [own, join(others, 'wallet')]) mkdirSync(path, { recursive: true });
      symlinkSync(join(others, 'wallet'), join(own, 'link'));
      const other = lockFolder(others, others);
      expect(() => lockFolder(own, own)).toThrow(`${others}, which a link in this wallets folder leads to`);
      other.release();
      lockFolder(own, own).release();
    });

    // SECURITY.md: Two engines, or an engine and a node, on one folder
    it.skipIf(process.getuid?.() !== 0)('ignores the lock of another user', () => {
      const other = lockFolder(folder, folder);
      chownSync(join(folder, LOCK_NAME), 65_534, 65_534);
      lockFolder(inner(), inner()).release();
      other.release();
    });
  });

  it.runIf(canLockAsNode).each(['.lock', '.walletlock'])(
    'refuses a folder while a node locks its %s',
    async (name) => {
      const file = join(folder, name);
      const release = await lockAsNode(file);
      expect(() => lockFolder(folder, folder)).toThrow('A Bitcoin node runs on this folder.');
      await release();
      lockFolder(folder, folder).release();
    },
  );
});
