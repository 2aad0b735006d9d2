import fs from 'node:fs';
import type * as Promises from 'node:fs/promises';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { hashesBelow } from '../../../e2e/app/filesBelow.ts';
import { fixtureFile, sha256 } from '../../../e2e/testNode/walletFixture.ts';
import { makeTestFolder, waitForNextFileTime } from '../../files/testing/testFolder.ts';
import type { Checkpoint, PlacedWallet } from '../plan/checkpoint.ts';
import { placeWallet, removePlacedWallet } from './placedWallet.ts';
import { removePlacedCopy } from './removePlacedCopy.ts';

/** The system's errors of creating a link and a folder; null: none. */
const { linking, making } = vi.hoisted(() => ({
  linking: { fails: null as string | null },
  making: { fails: null as string | null },
}));

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof Promises>();
  return {
    ...real,
    mkdir: async (path: string, options: object) => {
      if (making.fails !== null) throw Object.assign(new Error('mkdir'), { code: making.fails });
      return real.mkdir(path, options);
    },
    link: async (from: string, to: string) => {
      if (linking.fails !== null) throw Object.assign(new Error('link'), { code: linking.fails });
      return real.link(from, to);
    },
  };
});

/** Where links need a right of their own. */
const onWindows = process.platform === 'win32';
const BACKUP = fixtureFile('legacy-hd');
const HASH = sha256(fs.readFileSync(BACKUP));
/**
 * Not every system records when a file was created. Windows gives a new file the time of the last one of its name ("tunneling"), but
 * never uses an inode again.
 */
const RECORDS_BIRTH = !onWindows && birthOfNew() > 0;

function birthOfNew(): number {
  const created = fs.mkdtempSync(join(tmpdir(), 'birth-'));
  try {
    return fs.statSync(created).birthtimeMs;
  } finally {
    fs.rmdirSync(created);
  }
}

/** The wallets folder. */
let folder: string;
beforeEach(() => {
  folder = makeTestFolder();
  linking.fails = null;
  making.fails = null;
});

/** Places the backup, and calls `during` for each record. `last` is the last one. */
async function placed({
  during = () => {},
  from = BACKUP,
}: {
  during?: (placed: PlacedWallet) => void;
  from?: string;
} = {}): Promise<{ last: PlacedWallet; error: unknown }> {
  const saved: PlacedWallet[] = [];
  const { signal } = new AbortController();
  const save = (each: PlacedWallet | null) => {
    if (each === null) return;
    saved.push(each);
    during(each);
  };
  const request = { from, sha256: HASH, walletsFolder: folder, name: 'back', signal, save };
  const error = await placeWallet(request).catch((thrown: unknown) => thrown);
  const last = saved.at(-1);
  if (!last) throw new Error('nothing was saved');
  return { last, error };
}

/** Throws at the record of this number, as if the app was killed there. */
function killedAt(at: number): () => void {
  let count = 0;
  return () => {
    if (count++ === at) throw new Error('killed');
  };
}

describe('placeWallet', () => {
  it('creates a folder and a file for this user only, and nothing else', async () => {
    const { error, last } = await placed();
    expect(error).toBeUndefined();
    expect(hashesBelow(folder)).toEqual({ [join('back', 'wallet.dat')]: HASH });
    if (process.platform !== 'win32') {
      expect((await stat(join(folder, 'back'))).mode & 0o777).toBe(0o700);
      expect((await stat(last.file)).mode & 0o777).toBe(0o600);
      expect((await stat(last.file)).nlink).toBe(1);
    }
    expect(await removePlacedWallet(last)).toBeNull();
    expect(await readdir(folder)).toEqual([]);
  });

  it.each(['EPERM', 'ENOTSUP'])('needs no hard links (%s), and is removed without them too', async (code) => {
    linking.fails = code;
    const { error, last } = await placed();
    expect(error).toBeUndefined();
    expect(hashesBelow(folder)).toEqual({ [join('back', 'wallet.dat')]: HASH });
    expect(await removePlacedWallet(last)).toBeNull();
    expect(await readdir(folder)).toEqual([]);
  });

  it.each(['ENOSPC', 'EDQUOT'])('says that the disk is full (%s)', async (code) => {
    making.fails = code;
    expect((await placed()).error).toMatchObject({ code: 'no_space' });
  });

  it.each(['folder', 'file', ...(onWindows ? [] : ['link'])])(
    'leaves a %s that has its name',
    async (kind) => {
      const there = join(folder, 'back');
      if (kind === 'folder') await mkdir(there);
      if (kind === 'file') await writeFile(there, 'mine');
      if (kind === 'link') await symlink(makeTestFolder(), there);
      const { error } = await placed();
      expect(error).toMatchObject({ code: 'file_exists' });
      expect(await readdir(folder)).toEqual(['back']);
      expect(await readdir(there).catch(() => [])).toEqual([]);
    },
  );

  it('does not overwrite a file that appears in the new folder', async () => {
    const mine = join(folder, 'back', 'wallet.dat');
    const during = ({ created }: PlacedWallet) => created && fs.writeFileSync(mine, 'mine');
    const { error, last } = await placed({ during });
    expect(error).toMatchObject({ code: 'file_exists' });
    expect(await removePlacedWallet(last)).toBe('replaced');
    expect(await readFile(mine, 'utf8')).toBe('mine');
    // Only that is left: the copy is gone.
    expect(await readdir(join(folder, 'back'))).toEqual(['wallet.dat']);
  });

  it('places no other file than the planned one', async () => {
    const { error, last } = await placed({ from: fixtureFile('legacy-watchonly') });
    expect(error).toMatchObject({ code: 'file_changed' });
    expect(await removePlacedWallet(last)).toBeNull();
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('removePlacedCopy', () => {
  it.each([
    ['the same wallet', BACKUP, 'from-node'],
    ['another one', fixtureFile('legacy-watchonly'), 'replaced'],
  ])('leaves a folder that the node created again with %s', async (_, content, why) => {
    const { last } = await placed();
    // The old folder stays, so that the new one cannot get its inode.
    await rename(join(folder, 'back'), join(folder, 'gone'));
    await mkdir(join(folder, 'back'));
    await copyFile(content, last.file);
    const checkpoint: Checkpoint = {
      kind: 'restore-migrate',
      name: 'back',
      loadedBefore: [],
      onDiskBefore: [],
      gavePassphrase: false,
      encrypted: false,
      fileForProof: null,
      balanceBefore: null,
      backupFile: BACKUP,
      placed: last,
    };
    const left = await removePlacedCopy(checkpoint, null, 'not-sent');
    expect(left).toEqual({ path: last.file, why });
    expect(await readFile(last.file)).toEqual(await readFile(content));
  });
});

describe('removePlacedWallet', () => {
  it.each([
    ['before the folder is made', 0],
    ['with the file empty', 1],
  ])('removes what a crash left %s', async (_, at) => {
    const { last } = await placed({ during: killedAt(at) });
    expect(await removePlacedWallet(last)).toBeNull();
    expect(await readdir(folder)).toEqual([]);
  });

  it('removes a file that was created but not recorded, and its folder', async () => {
    const { last } = await placed({ during: killedAt(0) });
    await mkdir(last.folder);
    await writeFile(join(last.folder, last.part ?? ''), '');
    expect(await removePlacedWallet(last)).toBeNull();
    expect(await readdir(folder)).toEqual([]);
  });

  it('leaves a folder of that name that the app did not fill', async () => {
    const { last } = await placed({ during: killedAt(0) });
    await mkdir(last.folder);
    await copyFile(BACKUP, last.file);
    expect(await removePlacedWallet(last)).toBeNull();
    expect(hashesBelow(folder)).toEqual({ [join('back', 'wallet.dat')]: HASH });
  });

  // SECURITY.md: Another user who can write to a folder
  it('leaves an equal file that is not the placed one', async () => {
    const { last } = await placed();
    await rename(last.file, join(folder, 'kept'));
    await copyFile(BACKUP, last.file);
    expect(await removePlacedWallet(last)).toBe('replaced');
    expect(await readFile(last.file)).toEqual(await readFile(BACKUP));
  });

  // SECURITY.md: Another user who can write to a folder
  it.skipIf(!RECORDS_BIRTH)('leaves an equal file with the inode of the placed one', async () => {
    // So that the folder was made before it was changed.
    await waitForNextFileTime();
    const { last } = await placed();
    await rm(last.file);
    await waitForNextFileTime();
    await copyFile(BACKUP, last.file);
    const ino = String((await stat(last.file, { bigint: true })).ino);
    const files = last.created?.files.map((file) => ({ ...file, ino })) ?? [];
    const reused = { ...last, created: last.created && { ...last.created, files } };
    expect(await removePlacedWallet(reused)).toBe('replaced');
    expect(await readFile(last.file)).toEqual(await readFile(BACKUP));
  });

  it('leaves the placed file once its content has changed', async () => {
    const { last } = await placed();
    await writeFile(last.file, 'changed');
    expect(await removePlacedWallet(last)).toBe('changed');
    expect(await readFile(last.file, 'utf8')).toBe('changed');
  });

  it('removes the equal backup of a killed migration, which would keep the name taken', async () => {
    const { last } = await placed();
    await copyFile(BACKUP, join(last.folder, 'back_1795879345.legacy.bak'));
    expect(await removePlacedWallet(last)).toBeNull();
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['a backup of something else', 'back_1795879345.legacy.bak', 'other'],
    ['a file of another name', 'mine.dat', null],
  ])('leaves %s', async (_, name, content) => {
    const { last } = await placed();
    const file = join(last.folder, name);
    await (content === null ? copyFile(BACKUP, file) : writeFile(file, content));
    expect(await removePlacedWallet(last)).toBeNull();
    expect(await readdir(last.folder)).toEqual([name]);
  });

  it('leaves other files in the folder, and the folder', async () => {
    const { last } = await placed();
    await writeFile(join(last.folder, 'db.log'), 'of the node');
    expect(await removePlacedWallet(last)).toBeNull();
    expect(await readdir(last.folder)).toEqual(['db.log']);
  });

  it.skipIf(onWindows)('follows no link, and reports that something else is there', async () => {
    const { last } = await placed();
    await rename(last.folder, join(folder, 'moved'));
    await symlink(join(folder, 'moved'), last.folder);
    expect(await removePlacedWallet(last)).toBe('replaced');
    expect(await readdir(join(folder, 'moved'))).toEqual(['wallet.dat']);
  });
});
