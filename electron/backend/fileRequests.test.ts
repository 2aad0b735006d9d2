import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { folderListing } from '../../shared/model/files.ts';
import { CAN_LINK, MODES_HOLD, ON_WINDOWS } from '../files/testing/system.ts';
import { makeTestFolder } from '../files/testing/testFolder.ts';
import { browse, createDrives, type Drives, findStartFolders, searchPlaces } from './fileRequests.ts';

let home: string;

beforeEach(async () => {
  home = makeTestFolder();
});

describe('browse', () => {
  it('lists folders first, then by name and number, with hidden entries last', async () => {
    for (const folder of ['zoo', '.bitcoin', 'Alpha']) await mkdir(join(home, folder));
    for (const file of ['file 10', 'file 9', '.profile', 'b.dat']) await writeFile(join(home, file), 'x');
    const { entries } = await browse(null, { home });
    const names = ['Alpha', 'zoo', '.bitcoin', 'b.dat', 'file 9', 'file 10', '.profile'];
    expect(entries.map(({ name }) => name)).toEqual(names);
  });

  it('describes each entry', async () => {
    await mkdir(join(home, 'folder'));
    await writeFile(join(home, 'wallet.dat'), 'twelve bytes');
    await utimes(join(home, 'wallet.dat'), 1_700_000_000, 1_700_000_000);
    const listing = await browse(home, { home });
    expect(listing.entries).toMatchObject([
      { name: 'folder', kind: 'folder', size: null },
      { name: 'wallet.dat', path: join(home, 'wallet.dat'), kind: 'file', size: 12, modified: 1_700_000_000 },
    ]);
    expect(listing).toMatchObject({ path: home, parent: dirname(home), truncated: false });
    expect(folderListing.safeParse(listing).success).toBe(true);
  });

  it.skipIf(!CAN_LINK)('describes links by what they lead to', async () => {
    await mkdir(join(home, 'folder'));
    await writeFile(join(home, 'wallet.dat'), 'twelve bytes');
    await symlink(join(home, 'folder'), join(home, 'link to folder'));
    await symlink(join(home, 'wallet.dat'), join(home, 'link to file'));
    await symlink(join(home, 'nothing'), join(home, 'link to nothing'));
    const { entries } = await browse(home, { home });
    expect(entries.filter(({ name }) => name.startsWith('link'))).toMatchObject([
      { name: 'link to folder', kind: 'folder', size: null },
      { name: 'link to file', kind: 'file', size: 12 },
      { name: 'link to nothing', kind: 'special', size: null, modified: null },
    ]);
  });

  it('has nothing above the root', async () => {
    expect((await browse('/', { home })).parent).toBeNull();
  });

  it('lists at most 5,000 entries and says that there are more', { timeout: 300_000 }, async () => {
    for (let at = 0; at < 5001; at += 200) {
      const names = Array.from({ length: Math.min(200, 5001 - at) }, (_, n) => `file ${at + n}`);
      await Promise.all(names.map((name) => writeFile(join(home, name), '')));
    }
    const { entries, truncated } = await browse(home, { home });
    expect(entries).toHaveLength(5000);
    expect(entries.at(-1)?.name).toBe('file 4999');
    expect(truncated).toBe(true);
  });

  it('offers home, the extra folders and the computer, each once', async () => {
    const wallets = { label: 'Wallets folder', path: join(home, '.bitcoin') };
    const extraPlaces = [wallets, { label: 'Home again', path: home }];
    const { places } = await browse(home, { home, extraPlaces });
    expect(places.slice(0, 2)).toEqual([{ label: 'Home', path: home }, wallets]);
    expect(places.filter(({ path }) => path === home)).toHaveLength(1);
    if (process.platform !== 'win32') expect(places).toContainEqual({ label: 'This computer', path: '/' });
  });

  it('lists the folder of a file, and names the file', async () => {
    const file = join(home, 'wallet.dat');
    await writeFile(file, '');
    expect(await browse(file, { home })).toMatchObject({
      path: home,
      file,
      entries: [{ name: 'wallet.dat' }],
    });
    expect(await browse(home, { home })).toMatchObject({ path: home, file: null });
  });

  it('rejects a missing folder, a name below a file and a relative path', async () => {
    await writeFile(join(home, 'file'), '');
    await expect(browse(join(home, 'gone'), { home })).rejects.toMatchObject({ code: 'folder_missing' });
    await expect(browse(join(home, 'file', 'below'), { home })).rejects.toMatchObject({
      code: 'folder_missing',
    });
    await expect(browse('relative', { home })).rejects.toMatchObject({ code: 'bad_input' });
  });

  it.skipIf(!MODES_HOLD)('rejects a folder that the user may not open', async () => {
    await mkdir(join(home, 'closed'), { mode: 0o000 });
    await expect(browse(join(home, 'closed'), { home })).rejects.toMatchObject({ code: 'file_unreadable' });
  });
});

/** Drive H: does not answer. */
const drives: Drives = {
  list: async () => [
    { root: 'C:\\', answers: true },
    { root: 'H:\\', answers: false },
  ],
  answers: async (path) => !path.startsWith('H:'),
};

it.skipIf(!ON_WINDOWS)('does not wait for a folder on a drive that does not answer', async () => {
  const silent = { code: 'folder_missing', message: 'Drive H: does not answer.' };
  await expect(browse('H:\\wallets', { home, drives })).rejects.toMatchObject(silent);
});

describe('findStartFolders', () => {
  it('marks a drive that does not answer, and leaves it out where it would be searched', async () => {
    const options = { drives, mountFolders: [] };
    const named = [
      { label: 'Home', path: home },
      { label: 'C:', path: 'C:\\' },
    ];
    expect(await findStartFolders(home, [], options)).toEqual([
      ...named,
      { label: 'H: (no answer)', path: 'H:\\' },
    ]);
    expect(await findStartFolders(home, [], { ...options, answering: true })).toEqual(named);
  });

  it('finds mounted sticks, sorted by name, and no files', async () => {
    await mkdir(join(home, 'media'));
    for (const stick of ['USB', 'BACKUP 2014']) await mkdir(join(home, 'media', stick));
    await writeFile(join(home, 'media', 'note'), '');
    const mountFolders = [join(home, 'media'), join(home, 'not there')];
    const places = await findStartFolders(home, [], { mountFolders });
    expect(places.slice(-2)).toEqual([
      { label: 'BACKUP 2014', path: join(home, 'media', 'BACKUP 2014') },
      { label: 'USB', path: join(home, 'media', 'USB') },
    ]);
  });
});

it.skipIf(ON_WINDOWS)(
  'offers the system’s disk to a search once, though macOS has a link to it',
  async () => {
    const mounts = join(home, 'Volumes');
    await mkdir(join(mounts, 'USB'), { recursive: true });
    const { root } = parse(home);
    await symlink(root, join(mounts, 'Macintosh HD'));
    const places = await searchPlaces(home, [mounts]);
    expect(places.filter(({ kind }) => kind !== 'node')).toEqual([
      { path: home, kind: 'home' },
      { path: root, kind: 'system' },
      { path: join(mounts, 'USB'), kind: 'disk' },
    ]);
  },
);

const roots = [...'CDEFGHIJ'].map((letter) => `${letter}:\\`);
/** Milliseconds. Only a drive that never answers takes them. */
const limits = { listMs: 200, openMs: 200 };

/** `present`, `dead`: letters. A look at a dead drive ends when it is released. */
function drivesWith({ present, dead = '' }: { present: string; dead?: string }) {
  const release = new Map<string, (isPresent: boolean) => void>();
  const look = vi.fn(async (root: string) => {
    const [letter = ''] = root;
    if (!dead.includes(letter) || release.has(letter)) return present.includes(letter);
    return new Promise<boolean>((resolve) => release.set(letter, resolve));
  });
  const lookedUp = () => look.mock.calls.map(([root]) => root[0]).join('');
  return { drives: createDrives({ roots, look, limits }), release, lookedUp };
}

const answering = (letters: string) =>
  [...letters].map((letter) => ({ root: `${letter}:\\`, answers: true }));
const silent = (letter: string) => ({ root: `${letter}:\\`, answers: false });

it('lists the drives that are there', async () => {
  const { drives } = drivesWith({ present: 'CDG' });
  expect(await drives.list()).toEqual(answering('CDG'));
});

it('lists a silent drive as silent, and the drives after it', async () => {
  const { drives } = drivesWith({ present: 'CDG', dead: 'E' });
  expect(await drives.list()).toEqual([...answering('CD'), silent('E'), ...answering('G')]);
});

it('looks at a silent drive once, until the user opens it', async () => {
  const { drives, release, lookedUp } = drivesWith({ present: 'CE', dead: 'E' });
  await drives.list();
  await drives.list();
  expect(await drives.answers('E:\\wallets')).toBe(false);
  expect(lookedUp().replaceAll(/[^E]/g, '')).toBe('E');
  release.get('E')?.(false);
  // The first one takes the answer of the look that was under way.
  expect(await drives.answers('E:\\')).toBe(true);
  expect(await drives.answers('e:\\')).toBe(true);
  expect(await drives.list()).toEqual(answering('CE'));
});

it('lets at most two drives occupy threads, so that others can read files', async () => {
  const { drives, release, lookedUp } = drivesWith({ present: 'C', dead: 'DEFG' });
  expect(await drives.list()).toEqual([...answering('C'), silent('D'), silent('E')]);
  await drives.list();
  expect(lookedUp()).not.toMatch(/[FG]/);
  release.get('D')?.(false);
  await vi.waitFor(async () => expect(await drives.list()).toContainEqual(silent('F')));
  expect(lookedUp()).not.toContain('G');
});

it('lists a drive that woke up late', async () => {
  const { drives, release } = drivesWith({ present: 'CD', dead: 'D' });
  expect(await drives.list()).toEqual([...answering('C'), silent('D')]);
  release.get('D')?.(true);
  await vi.waitFor(async () => expect(await drives.list()).toEqual(answering('CD')));
});

it.each(['C:\\Users\\ana', 'c:/users', '/home/ana', '\\\\server\\share'])(
  'lets a path of a drive that answers, and one without a drive, be opened: %s',
  async (path) => {
    const { drives } = drivesWith({ present: 'C' });
    expect(await drives.answers(path)).toBe(true);
  },
);
