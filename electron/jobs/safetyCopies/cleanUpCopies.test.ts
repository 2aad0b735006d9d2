import { spawnSync } from 'node:child_process';
import { chown, copyFile, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import { partPath } from '../../files/durableFile.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { walletWorkHere } from '../../workers/testing/walletWorkHere.ts';
import { createBench } from '../testing/bench.ts';
import { cleanUpCopies, createSafetyCopies, markUnfinished } from './safetyCopies.ts';

const LEGACY = fixtureFile('legacy-hd');
const signal = new AbortController().signal;
const ID = '2026-11-21 04.55.12 w';

let folder: string;
beforeEach(() => {
  folder = makeTestFolder();
});

async function makeCopy() {
  const { session } = await createBench();
  const copies = createSafetyCopies({ work: walletWorkHere, folder });
  const from = { file: LEGACY, folder: await copies.folderFor('w') };
  return copies.copyFile(session.status, 'w', from, signal);
}

describe('cleanUpCopies', () => {
  it('removes a copy whose manifest was not in place yet', async () => {
    const copy = await makeCopy();
    const place = join(folder, copy.id);
    await rename(join(place, 'copy.json'), partPath(place));
    markUnfinished(place, 'w');
    expect(await cleanUpCopies(folder)).toEqual({ listed: [], removed: [{ id: copy.id, wallet: 'w' }] });
    expect(await readdir(folder)).toEqual([]);
  });

  it('lists a copy of an earlier version, whose files have no wallet names', async () => {
    const copies = createSafetyCopies({ work: walletWorkHere, folder });
    const copy = await makeCopy();
    const older = { ...copy, files: copy.files.map(({ wallet: _, ...file }) => file) };
    await writeFile(join(folder, copy.id, 'copy.json'), JSON.stringify(older));
    expect(copy.files[0]).toHaveProperty('wallet', 'w');
    expect(await copies.list()).toEqual([older]);
  });

  // SECURITY.md: Another user who can write to a folder
  it.skipIf(process.getuid?.() !== 0)('ignores a manifest of another user', async () => {
    const copies = createSafetyCopies({ work: walletWorkHere, folder });
    const copy = await makeCopy();
    await chown(join(folder, copy.id, 'copy.json'), 65_534, 65_534);
    expect(await copies.list()).toEqual([]);
  });

  it.each([
    ['a newer version', (copy: object) => JSON.stringify({ ...copy, how: 'cloned' })],
    ['a damaged disk', () => '{"id":'],
    ['nobody any more', () => ''],
  ])('keeps a copy whose manifest was written by %s', async (_, manifest) => {
    const copy = await makeCopy();
    const place = join(folder, copy.id);
    markUnfinished(place, 'w');
    await writeFile(join(place, 'copy.json'), manifest(copy));
    expect(await cleanUpCopies(folder)).toEqual({ listed: [], removed: [] });
    expect(await readFile(join(place, 'wallet.dat'))).toEqual(await readFile(LEGACY));
  });

  it('removes all files of an unfinished copy', async () => {
    const place = join(folder, ID);
    await mkdir(place);
    markUnfinished(place, '');
    for (const name of ['wallet.dat', 'beside 1 other.dat', 'beside 1 other.dat-journal'])
      await writeFile(join(place, name), 'half');
    await writeFile(partPath(place), '{"id":');
    expect(await cleanUpCopies(folder)).toEqual({ listed: [], removed: [{ id: ID, wallet: '' }] });
    expect(await readdir(folder)).toEqual([]);
  });

  it('changes nothing but its own unfinished copies', async () => {
    const kept = ['2026-11-21 04.55.12 brought here', 'my copies', '2026-11-21 04.55.12 with a letter'];
    for (const name of kept) {
      await mkdir(join(folder, name));
      await copyFile(LEGACY, join(folder, name, 'wallet.dat'));
    }
    const [, , unfinished = ''] = kept;
    markUnfinished(join(folder, unfinished), 'w');
    await writeFile(join(folder, unfinished, 'letter.txt'), 'mine');
    await writeFile(join(folder, '2026-11-21 04.55.12 a file'), '');
    await cleanUpCopies(folder);
    expect((await readdir(folder)).sort()).toEqual([...kept, '2026-11-21 04.55.12 a file'].sort());
    expect(await readdir(join(folder, kept[0] ?? ''))).toEqual(['wallet.dat']);
    expect(await readdir(join(folder, kept[1] ?? ''))).toEqual(['wallet.dat']);
    expect(await readFile(join(folder, unfinished, 'letter.txt'), 'utf8')).toBe('mine');
  });

  // SECURITY.md: A hostile wallets folder
  it.skipIf(process.platform === 'win32')('does not wait for a pipe in place of its files', async () => {
    const place = join(folder, ID);
    await mkdir(place);
    const pipes = ['copy.json', '.wallet-ferry-begun.json'].map((name) => join(place, name));
    expect(spawnSync('mkfifo', pipes).status).toBe(0);
    expect(await cleanUpCopies(folder)).toEqual({ listed: [], removed: [] });
  });

  it('removes a folder only if it is empty', async () => {
    await mkdir(join(folder, ID));
    await mkdir(join(folder, 'other'));
    expect(await cleanUpCopies(folder)).toEqual({ listed: [], removed: [] });
    expect(await readdir(folder)).toEqual(['other']);
    expect(await cleanUpCopies(join(folder, 'none'))).toEqual({ listed: [], removed: [] });
  });

  it('keeps a listed copy that still has its start mark', async () => {
    const copy = await makeCopy();
    markUnfinished(join(folder, copy.id), 'w');
    expect(await createSafetyCopies({ work: walletWorkHere, folder }).list()).toEqual([copy]);
    expect((await readdir(join(folder, copy.id))).sort()).toEqual(['copy.json', 'wallet.dat']);
  });
});
