import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { putWallet, startTestEngine } from '../../engine/testing/testEngine.ts';
import { systemError } from '../fileError.ts';
import { failing } from '../testing/failing.ts';
import { canLockAsNode, lockAsNode } from '../testing/lockAsNode.ts';
import { makeTestFolder } from '../testing/testFolder.ts';
import { isInUse, isLocked, mayBeOpen, mayHideLocks, seesAllLocks, seesLocksOf } from './fileInUse.ts';

const FLOCK = '/usr/bin/flock';

// A stand-in for macOS's `open` with O_SHLOCK (0x10), as its `fcntl.h` and `open(2)` describe it.
it.each([
  ['EAGAIN', true],
  ['ENOTSUP', false],
  [null, false],
])('asks macOS for a shared lock of a node’s file, without waiting: %s', (code, used) => {
  const lock = join(makeTestFolder(), '.lock');
  writeFileSync(lock, '');
  const { platform } = process;
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  const opened = vi.spyOn(fs, 'openSync');
  if (code === null) opened.mockReturnValue(fs.openSync(lock, 'r'));
  else opened.mockImplementation(failing(systemError(code)));
  syncBuiltinESMExports();
  try {
    expect(isLocked(lock)).toBe(used);
    expect(opened.mock.calls.at(-1)).toEqual([lock, 0x10 | fs.constants.O_NONBLOCK]);
    expect(isLocked(join(dirname(lock), 'missing'))).toBe(false);
  } finally {
    opened.mockRestore();
    syncBuiltinESMExports();
    Object.defineProperty(process, 'platform', { value: platform });
  }
});

it.runIf(seesAllLocks())('does not see the locks of other computers on a network drive', () => {
  const folder = makeTestFolder();
  const original = fs.readFileSync;
  const read = vi.spyOn(fs, 'readFileSync');
  const seen = ['ext4', 'fuseblk', 'nfs4', 'cifs', '9p', 'prl_fs', 'fuse.sshfs'].map((type) => {
    read.mockImplementation((path, options) => {
      const text = original(path, options);
      return path === '/proc/self/mountinfo' ? String(text).replace(/ - \S+ /g, ` - ${type} `) : text;
    });
    syncBuiltinESMExports();
    return seesLocksOf(folder);
  });
  read.mockRestore();
  syncBuiltinESMExports();
  expect(seen).toEqual([true, true, false, false, false, false, false]);
  expect(seesLocksOf(join(folder, 'missing'))).toBe(false);
});

it('sees the locks of macOS’s own disk below a stopped node’s folder only', () => {
  const { platform } = process;
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  const devices = {
    '/': 1,
    '/System/Volumes/Data': 2,
  };
  const [data, elsewhere, nas] = [makeTestFolder(), makeTestFolder(), makeTestFolder()];
  const missing = failing(systemError('ENOENT'));
  const file = join(data, 'wallets', 'w', 'wallet.dat');
  Object.assign(devices, { [data]: 2, [file]: 2, [elsewhere]: 2, [nas]: 3 });
  for (const folder of [data, nas]) fs.mkdirSync(join(folder, 'blocks'));
  const asked = vi.spyOn(fs, 'statSync');
  asked.mockImplementation(
    (path) => ({ dev: new Map(Object.entries(devices)).get(`${path}`) ?? missing() }) as never,
  );
  syncBuiltinESMExports();
  try {
    // A node can have its wallets elsewhere (-walletdir).
    expect([nas, elsewhere, '/missing'].map(seesLocksOf)).toEqual([false, false, false]);
    expect([data, file].map(seesLocksOf)).toEqual([true, true]);
    // Nothing there shows a node, as in the folder of the app's own engine.
    expect([nas, elsewhere, data, file].map(mayHideLocks)).toEqual([true, false, false, false]);
    // A node in a virtual machine shows only this file.
    writeFileSync(join(data, 'bitcoind.pid'), '7');
    expect([data, file].map(seesLocksOf)).toEqual([false, false]);
    expect([data, file].map(mayHideLocks)).toEqual([true, true]);
  } finally {
    asked.mockRestore();
    syncBuiltinESMExports();
    Object.defineProperty(process, 'platform', { value: platform });
  }
});

// The table as it was measured on Btrfs, where `stat` reports the device of the subvolume.
it.runIf(process.platform === 'linux')('finds a lock that Linux shows with the device of the mount', () => {
  const [held, free] = [join(makeTestFolder(), 'held.dat'), join(makeTestFolder(), 'free.dat')];
  for (const path of [held, free]) writeFileSync(path, '');
  const tables: Record<string, string> = {
    '/proc/locks': `1: POSIX  ADVISORY  WRITE 1 fe:28:${statSync(held).ino} 0 EOF\n`,
    '/proc/self/mountinfo': readFileSync('/proc/self/mountinfo', 'utf8').replace(
      /^(\d+ \d+) \S+/gm,
      '$1 254:40',
    ),
  };
  const original = fs.readFileSync;
  const read = vi.spyOn(fs, 'readFileSync');
  read.mockImplementation((path, options) => tables[String(path)] ?? original(path, options));
  syncBuiltinESMExports();
  try {
    expect([isLocked(held), isLocked(free)]).toEqual([true, false]);
  } finally {
    read.mockRestore();
    syncBuiltinESMExports();
  }
});

describe.runIf(canLockAsNode)('isInUse', () => {
  it('finds a wallet that another process has locked, which the engine does not load', async () => {
    const test = await startTestEngine(makeTestFolder());
    const file = putWallet(test.walletsFolder, 'busy', 'descriptor-hd');
    const free = putWallet(test.walletsFolder, 'free', 'descriptor-hd');
    const release = await lockAsNode(file);
    expect([isInUse(file), isInUse(free)]).toEqual([true, false]);
    const message = expect.stringContaining('is it being used by another instance');
    expect(await test.call('loadwallet', ['busy'])).toMatchObject({ error: { code: -4, message } });
    await release();
    expect(isInUse(file)).toBe(false);
    expect(await test.call('loadwallet', ['busy'])).toMatchObject({ error: null });
    await test.engine.stop();
  });

  it('finds a wallet whose lock the node has dropped, but not one that is only read', async () => {
    const file = putWallet(makeTestFolder(), 'busy', 'descriptor-hd');
    const other = putWallet(makeTestFolder(), 'read', 'descriptor-hd');
    const release = await lockAsNode(file, 'listed');
    await lockAsNode(other, 'read');
    expect([isInUse(file), isInUse(other)]).toEqual([true, false]);
    await release();
    expect(isInUse(file)).toBe(false);
  });

  it('suspects a wallet with an idle journal beside a node of another user', () => {
    const file = putWallet(makeTestFolder(), 'busy', 'descriptor-hd');
    const original = { list: fs.readdirSync, read: fs.readFileSync };
    const hidden = vi.spyOn(fs, 'readdirSync').mockImplementation(((path: string) => {
      if (path === '/proc') return ['1'];
      return path === '/proc/1/fd' ? failing(systemError('EACCES'))() : original.list(path);
    }) as typeof fs.readdirSync);
    const name = vi.spyOn(fs, 'readFileSync');
    name.mockImplementation((path, options) =>
      path === '/proc/1/comm' ? '.bitcoin-qt-wra\n' : original.read(path, options),
    );
    syncBuiltinESMExports();
    try {
      const seen = [mayBeOpen(file)];
      for (const journal of ['\0'.repeat(512), '\xd9\xd5\x05\xf9\x20\xa1\x63\xd7']) {
        writeFileSync(`${file}-journal`, journal, 'latin1');
        seen.push(mayBeOpen(file));
      }
      expect(seen).toEqual([false, true, false]);
    } finally {
      hidden.mockRestore();
      name.mockRestore();
      syncBuiltinESMExports();
    }
  });

  it('finds a legacy wallet by the lock next to it', async () => {
    const file = putWallet(makeTestFolder(), 'old', 'legacy-hd');
    const release = await lockAsNode(join(dirname(file), '.walletlock'));
    expect(isInUse(file)).toBe(true);
    await release();
  });

  // SECURITY.md: A hostile wallets folder
  it.runIf(existsSync(FLOCK))('ignores locks that anyone can take who can read the file', async () => {
    const file = putWallet(makeTestFolder(), 'old', 'legacy-hd');
    const holder = spawn(FLOCK, ['--exclusive', file, 'sh', '-c', 'echo held; cat']);
    await once(holder.stdout, 'data');
    expect(isInUse(file)).toBe(false);
    holder.stdin.end();
    await once(holder, 'exit');
  });
});
