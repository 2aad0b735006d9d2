import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { onUnix } from '../../files/testing/onUnix.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { openStartupList } from './wallets.ts';

describe('openStartupList', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = makeTestFolder();
    path = join(folder, 'settings.json');
  });

  it('adds and removes names, each once, and keeps other settings', () => {
    writeFileSync(path, '{"wallet":["a"],"prune":"550"}');
    const list = openStartupList(path);
    list.set('b', true);
    list.set('b', true);
    list.set('a', false);
    list.set('nosuch', false);
    expect(openStartupList(path).names()).toEqual(['b']);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ wallet: ['b'], prune: '550' });
  });

  it('is empty at first', () => {
    expect(openStartupList(path).names()).toEqual([]);
  });

  it.each(['', '{', '[]', '{"wallet":"a"}'])('refuses %j instead of overwriting it', (text) => {
    writeFileSync(path, text);
    expect(() => openStartupList(path)).toThrow('is not valid');
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  // SECURITY.md: A hostile wallets folder
  it('refuses a huge file, and names that are too long', () => {
    writeFileSync(path, '');
    truncateSync(path, 2 ** 36);
    expect(() => openStartupList(path)).toThrow('is larger than 1 MB');
    writeFileSync(path, JSON.stringify({ wallet: ['../'.repeat(200_000)] }));
    expect(() => openStartupList(path)).toThrow('is not valid');
  });

  // SECURITY.md: A hostile wallets folder
  onUnix('reads nothing through a link, and does not wait for a pipe', () => {
    writeFileSync(join(folder, 'private.json'), '{"token":"secret"}');
    symlinkSync(join(folder, 'private.json'), path);
    expect(() => openStartupList(path)).toThrow('is a link to another place');
    const pipe = join(folder, 'pipe');
    spawnSync('mkfifo', [pipe]);
    expect(() => openStartupList(pipe)).toThrow('is a pipe, a socket or a device');
  });
});
