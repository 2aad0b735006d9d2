/** Folders of the app that are removed, and what others put into their places meanwhile. */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { partPath, removeParts } from './durableFile.ts';
import { removeFolder } from './temporaryFolders.ts';
import { makeTestFolder } from './testing/testFolder.ts';

/** What another user does right before a call of `node:fs` on a path that ends so. */
const meddler = vi.hoisted((): { on: string; ends: string; act: (() => void) | null } => ({
  on: '',
  ends: '',
  act: null,
}));

vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  const meddled = (name: 'openSync' | 'readdirSync' | 'unlinkSync') =>
    Object.assign((...args: unknown[]) => {
      const { act } = meddler;
      if (act !== null && meddler.on === name && String(args[0]).endsWith(meddler.ends)) {
        meddler.act = null;
        act();
      }
      return Reflect.apply(real[name], real, args);
    });
  const [openSync, readdirSync] = [meddled('openSync'), meddled('readdirSync')];
  return { ...real, openSync, readdirSync, unlinkSync: meddled('unlinkSync') };
});

let folder: string;
let own: string;
let target: string;
beforeEach(() => {
  meddler.act = null;
  folder = makeTestFolder();
  [own, target] = [join(folder, 'wallets'), join(folder, 'made')];
  mkdirSync(join(own, 'inner'), { recursive: true });
  mkdirSync(join(target, 'inner'), { recursive: true });
  for (const at of [own, target])
    for (const name of ['wallet.dat', 'inner/wallet.dat']) writeFileSync(join(at, name), 'keys');
});
const isWhole = () =>
  ['wallet.dat', 'inner/wallet.dat'].every((name) => readFileSync(join(own, name), 'utf8') === 'keys');

describe('a folder of the app', () => {
  it('is removed with its contents', () => {
    expect(removeFolder(target)).toBe(true);
    expect(existsSync(target)).toBe(false);
    expect(removeFolder(target)).toBe(true);
  });

  it.skipIf(process.platform === 'win32')('is not removed through a link', () => {
    symlinkSync(own, join(target, 'link'));
    symlinkSync(join(own, 'wallet.dat'), join(target, 'link.dat'));
    expect(removeFolder(target)).toBe(true);
    symlinkSync(own, target);
    expect(removeFolder(target)).toBe(false);
    expect(removeFolder(`${target}/`)).toBe(false);
    expect(isWhole()).toBe(true);
  });

  it.runIf(process.platform === 'linux').each([
    ['', 'openSync', 'made'],
    ['', 'readdirSync', ''],
    ['', 'unlinkSync', 'wallet.dat'],
    ['inner', 'openSync', 'inner'],
  ])('leads to no other folder if a link replaces it or “%s” in it before %s', (inner, on, ends) => {
    const act = () => {
      renameSync(join(target, inner), join(folder, 'moved'));
      symlinkSync(join(own, inner), join(target, inner));
    };
    Object.assign(meddler, { on, ends, act });
    removeFolder(target);
    expect(meddler.act).toBeNull();
    expect(isWhole()).toBe(true);
  });

  it.skipIf(process.platform === 'win32')('stays if others can give its name to another folder', () => {
    chmodSync(folder, 0o777);
    rmSync(target, { recursive: true });
    renameSync(own, target);
    expect(removeFolder(target)).toBe(false);
    renameSync(target, own);
    expect(isWhole()).toBe(true);
  });

  it.runIf(process.getuid?.() === 0)('stays if it belongs to another user (needs root to test)', () => {
    chownSync(target, 65_534, 65_534);
    expect(removeFolder(target)).toBe(false);
    expect(readdirSync(target).sort()).toEqual(['inner', 'wallet.dat']);
  });
});

describe('an unfinished file in a folder', () => {
  it('is removed if it is a regular file, and stays if it is anything else', () => {
    const [file, there, link] = [partPath(folder), partPath(folder), partPath(folder)];
    writeFileSync(file, 'half');
    renameSync(target, there);
    if (process.platform !== 'win32') symlinkSync(own, link);
    removeParts(folder);
    expect(existsSync(file)).toBe(false);
    expect(readdirSync(there).sort()).toEqual(['inner', 'wallet.dat']);
    expect(isWhole()).toBe(true);
  });

  it.runIf(process.getuid?.() === 0)('stays if it belongs to another user (needs root to test)', () => {
    const file = partPath(folder);
    writeFileSync(file, 'half');
    chownSync(file, 65_534, 65_534);
    removeParts(folder);
    expect(existsSync(file)).toBe(true);
  });
});
