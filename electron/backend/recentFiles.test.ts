import { copyFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fixtureFile } from '../../e2e/testNode/walletFixture.ts';
import { createRecentFiles } from './recentFiles.ts';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'recent-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

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
    for (const path of [...all, all[4] ?? '']) recent.note(path);
    const newest = [4, 9, 8, 7, 6, 5, 3, 2].map((number) => all[number] ?? '');
    expect(await paths()).toEqual(newest);
    rmSync(all[9] ?? '');
    expect(await paths()).toEqual(newest.filter((path) => path !== all[9]));
    expect((await recent.list())[0]).toMatchObject({ kind: 'legacy-wallet', name: '4.dat' });
  });

  it('forgets one file, or all', async () => {
    const recent = createRecentFiles(join(folder, 'data'));
    const [one, other] = [wallet('one.dat'), wallet('other.dat')];
    recent.note(one);
    recent.note(other);
    recent.forget(one);
    expect(await paths()).toEqual([other]);
    recent.forget(null);
    expect(await paths()).toEqual([]);
  });

  it('starts empty if its own file is damaged or cannot be written', async () => {
    const path = wallet('one.dat');
    writeFileSync(join(folder, 'data'), 'in the way');
    createRecentFiles(join(folder, 'data')).note(path);
    expect(await paths()).toEqual([]);
    rmSync(join(folder, 'data'));
    createRecentFiles(join(folder, 'data')).note(path);
    writeFileSync(join(folder, 'data', 'recent.json'), '{"version":1,"files":[1]}');
    expect(await paths()).toEqual([]);
  });
});
