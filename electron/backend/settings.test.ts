import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fixtureFile } from '../../e2e/testNode/walletFixture.ts';
import { DEFAULT_SETTINGS } from '../../shared/contract.ts';
import type { NodeIdentity } from '../../shared/model/node.ts';
import { makeTestFolder } from '../files/testing/testFolder.ts';
import { createRecentFiles, createSettings } from './settings.ts';

let folder: string;
beforeEach(() => {
  folder = makeTestFolder();
});

const node: NodeIdentity = {
  address: { host: '127.0.0.1', port: 8332, tls: false },
  network: 'main',
  offline: false,
  release: 310000,
  walletsFolder: null,
  walletsFolderMark: null,
  reportedLogPath: null,
  started: null,
  startedSteady: null,
  listener: null,
};

it('start with the defaults and keep changes', () => {
  const settings = createSettings(folder);
  expect(settings.current()).toEqual(DEFAULT_SETTINGS);
  expect(settings.lastNode()).toBeNull();
  settings.change({ ...DEFAULT_SETTINGS, theme: 'dark' });
  expect(settings.current().theme).toBe('dark');
  settings.rememberNode(node);
  const again = createSettings(folder);
  expect(again.current()).toEqual({ ...DEFAULT_SETTINGS, theme: 'dark' });
  expect(again.lastNode()).toEqual(node);
  again.rememberNode(null);
  expect(createSettings(folder).lastNode()).toBeNull();
});

it('fall back to the defaults for a damaged file', () => {
  const file = join(folder, 'settings.json');
  writeFileSync(file, 'no json');
  expect(createSettings(folder).current()).toEqual(DEFAULT_SETTINGS);
  writeFileSync(file, JSON.stringify({ theme: 'pink', notifications: false, node: { address: 1 } }));
  expect(createSettings(folder).current()).toEqual({ ...DEFAULT_SETTINGS, notifications: false });
  expect(createSettings(folder).lastNode()).toBeNull();
});

it('throw if the file cannot be written, but still apply', () => {
  writeFileSync(join(folder, 'a file'), '');
  const settings = createSettings(join(folder, 'a file'));
  expect(() => settings.change({ ...DEFAULT_SETTINGS, theme: 'light' })).toThrow();
  expect(settings.current().theme).toBe('light');
  settings.rememberNode(node);
  expect(settings.lastNode()).toEqual(node);
});

const wallet = (name: string) => {
  const path = join(folder, name);
  copyFileSync(fixtureFile('legacy-hd'), path);
  return path;
};
const paths = async () => (await createRecentFiles(join(folder, 'data')).list()).map(({ path }) => path);

describe('createRecentFiles', () => {
  it('keeps the last eight existing files, each once, over a restart', async () => {
    const recent = createRecentFiles(join(folder, 'data'));
    expect(await recent.list()).toEqual([]);
    const all = Array.from({ length: 10 }, (_, number) => wallet(`${number}.dat`));
    for (const path of [...all, all[4] ?? '']) recent.add(path);
    const newest = [4, 9, 8, 7, 6, 5, 3, 2].map((number) => all[number] ?? '');
    expect(await paths()).toEqual(newest);
    rmSync(all[9] ?? '');
    expect(await paths()).toEqual(newest.filter((path) => path !== all[9]));
    expect((await recent.list())[0]).toMatchObject({ kind: 'legacy-wallet', name: '4.dat' });
  });

  it('forgets one file, or all', async () => {
    const recent = createRecentFiles(join(folder, 'data'));
    const [one, other] = [wallet('one.dat'), wallet('other.dat')];
    recent.add(one);
    recent.add(other);
    recent.forget(one);
    expect(await paths()).toEqual([other]);
    recent.forget(null);
    expect(await paths()).toEqual([]);
  });

  it('starts empty if its own file is damaged or cannot be written', async () => {
    const path = wallet('one.dat');
    writeFileSync(join(folder, 'data'), 'in the way');
    createRecentFiles(join(folder, 'data')).add(path);
    expect(await paths()).toEqual([]);
    rmSync(join(folder, 'data'));
    createRecentFiles(join(folder, 'data')).add(path);
    writeFileSync(join(folder, 'data', 'recent.json'), '{"version":1,"files":[1]}');
    expect(await paths()).toEqual([]);
  });
});
