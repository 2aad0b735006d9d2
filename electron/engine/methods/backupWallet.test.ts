import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemError } from '../../files/fileError.ts';
import { ON_WINDOWS } from '../../files/testing/system.ts';
import { cutOffChange } from '../../walletfile/testing/cutOffChange.ts';
import { walletPath } from '../../walletfile/testing/wallets.ts';
import { engineForTest, putWallet, type TestEngine } from '../testing/testEngine.ts';
import { workHere } from '../testing/workHere.ts';
import type { Work } from '../wallets/work.ts';

describe('backupwallet', () => {
  let dataFolder: string;
  let test: TestEngine;
  beforeEach(async () => {
    test = await engineForTest({ release: 28, copies: { savings: 'descriptor-hd' } });
    ({ dataFolder } = test);
    await test.call('loadwallet', ['savings']);
  });

  const backUp = (to: string) => test.call('backupwallet', [to]);
  const everything = () => readdirSync(dataFolder, { recursive: true, encoding: 'utf8' }).sort();

  it('copies a wallet to a new file, or a legacy wallet into a folder, readable by its owner only', async () => {
    putWallet(test.walletsFolder, 'old', 'legacy-hd');
    await test.call('loadwallet', ['old']);
    const folder = join(dataFolder, 'backups');
    mkdirSync(folder);
    for (const [name, recording, to, path] of [
      ['savings', 'descriptor-hd', join(folder, 'one.dat'), join(folder, 'one.dat')],
      ['old', 'legacy-hd', folder, join(folder, 'wallet.dat')],
    ] as const) {
      const answer = await test.call('backupwallet', [to], `/wallet/${name}`);
      expect(answer).toMatchObject({ result: null, error: null });
      expect(readFileSync(path).equals(readFileSync(walletPath(recording)))).toBe(true);
      if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    }
    expect(readdirSync(folder).sort()).toEqual(['one.dat', 'wallet.dat']);
  });

  it('applies the journal of a change that was cut off', async () => {
    const { before, after, journal } = await cutOffChange(dataFolder);
    const file = join(test.walletsFolder, 'savings', 'wallet.dat');
    writeFileSync(file, after);
    writeFileSync(`${file}-journal`, journal);
    const copy = join(dataFolder, 'copy.dat');
    expect(await backUp(copy)).toMatchObject({ error: null });
    expect(readFileSync(copy).equals(before)).toBe(true);
  });

  it('writes no descriptor wallet into a folder, where it could become the unnamed wallet', async () => {
    const before = everything();
    for (const folder of [test.walletsFolder, dataFolder])
      expect((await backUp(folder)).error).toMatchObject({
        code: -4,
        message: `Error: Wallet backup failed! ${folder} is a folder: name a file.`,
      });
    expect(everything()).toEqual(before);
  });

  // SECURITY.md: What the app cannot stop
  it('never overwrites anything, whatever it is', async () => {
    const wallets = test.walletsFolder;
    const elsewhere = join(dataFolder, 'elsewhere');
    putWallet(wallets, 'other', 'legacy-hd');
    putWallet(elsewhere, 'far', 'descriptor-encrypted');
    mkdirSync(join(wallets, 'deep'));
    for (const path of ['bare.dat', 'deep/bare.dat', 'old_1.legacy.bak'])
      cpSync(walletPath('legacy-hd'), join(wallets, path));
    writeFileSync(join(dataFolder, 'empty'), '');
    writeFileSync(join(dataFolder, 'notes.txt'), 'mine');
    const taken = [
      ...['other', 'other/wallet.dat', 'bare.dat', 'deep/bare.dat', 'old_1.legacy.bak', 'savings'],
      ...['.wallet-ferry-engine.lock', '../debug.log', '../.engine.cookie', '../../empty', '../../notes.txt'],
    ].map((path) => join(wallets, path));
    if (process.platform !== 'win32') {
      symlinkSync(join(elsewhere, 'far'), join(wallets, 'link'));
      symlinkSync(join(dataFolder, 'nothing'), join(dataFolder, 'to nothing'));
      taken.push(join(wallets, 'link'), join(dataFolder, 'to nothing'));
    }
    // On Windows nobody can read the lock while it is held.
    const isReadable = (path: string) => statSync(path).isFile() && !(ON_WINDOWS && path.endsWith('.lock'));
    const bytesOf = (path: string) => (existsSync(path) && isReadable(path) ? readFileSync(path) : null);
    const before = everything().map((path) => [path, bytesOf(join(dataFolder, path))]);
    for (const to of taken) {
      expect(await backUp(to), to).toMatchObject({
        result: null,
        error: {
          code: -4,
          message: expect.stringMatching(
            /^Error: Wallet backup failed! (?:.* already exists|.* is a folder|That name)/,
          ),
        },
      });
    }
    const isLog = (path: unknown) => String(path).endsWith('debug.log');
    const after = everything().map((path) => [path, bytesOf(join(dataFolder, path))]);
    expect(after.filter(([path]) => !isLog(path))).toEqual(before.filter(([path]) => !isLog(path)));
    expect(test.log()).toContain('engine started');
    if (process.platform !== 'win32')
      expect(lstatSync(join(dataFolder, 'to nothing')).isSymbolicLink()).toBe(true);
  });

  it('says that the disk is full', async () => {
    const usual = workHere();
    const run: Work['run'] = (is, ...rest) =>
      is === 'copy' ? Promise.reject(systemError('ENOSPC')) : usual.run(is, ...rest);
    const full = await engineForTest({
      release: 28,
      copies: { savings: 'descriptor-hd' },
      work: { ...usual, run },
    });
    await full.call('loadwallet', ['savings']);
    expect((await full.call('backupwallet', [join(full.dataFolder, 'b.dat')])).error).toEqual({
      code: -4,
      message: 'Error: Wallet backup failed! There is not enough space.',
    });
  });

  it('makes no file that the next start could mistake for an unfinished one', async () => {
    const before = everything();
    for (const name of ['.wallet-ferry-0123456789abcdef.part', '.wallet-ferry-0123456789abcdef.old']) {
      expect(await backUp(join(test.walletsFolder, name))).toMatchObject({
        error: { code: -4, message: expect.stringContaining("reserved for the engine's own files") },
      });
    }
    expect(everything()).toEqual(before);
  });
});
