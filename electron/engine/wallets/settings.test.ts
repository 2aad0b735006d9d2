import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDataFolder, removeDataFolder } from '../testing/testEngine.ts';
import { openStartupList } from './settings.ts';

describe('openStartupList', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = makeDataFolder();
    path = join(folder, 'settings.json');
  });
  afterEach(() => removeDataFolder(folder));

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

  it('begins empty', () => {
    expect(openStartupList(path).names()).toEqual([]);
  });

  it.each(['', '{', '[]', '{"wallet":"a"}'])('refuses %j rather than overwrite it', (text) => {
    writeFileSync(path, text);
    expect(() => openStartupList(path)).toThrow('is not valid');
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  // SECURITY.md: A hostile wallets folder
  it('is not read where it is larger than settings are, or names what can be no wallet', () => {
    writeFileSync(path, '');
    truncateSync(path, 2 ** 36);
    expect(() => openStartupList(path)).toThrow('is larger than 1 MB');
    writeFileSync(path, JSON.stringify({ wallet: ['../'.repeat(200_000)] }));
    expect(() => openStartupList(path)).toThrow('is not valid');
  });

  // SECURITY.md: A hostile wallets folder
  it.skipIf(process.platform === 'win32')(
    'takes over nothing from behind a link, and waits for no pipe',
    () => {
      writeFileSync(join(folder, 'private.json'), '{"token":"secret"}');
      symlinkSync(join(folder, 'private.json'), path);
      expect(() => openStartupList(path)).toThrow('is a link to another place');
      const pipe = join(folder, 'pipe');
      spawnSync('mkfifo', [pipe]);
      expect(() => openStartupList(pipe)).toThrow('is a pipe, a socket or a device');
    },
  );
});
