import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTemporaryFolders } from './temporaryFolders.ts';
import { CAN_LINK, HAS_MODES } from './testing/system.ts';
import { makeTestFolder } from './testing/testFolder.ts';

describe('temporary folders', () => {
  let parent: string;
  beforeEach(() => {
    parent = makeTestFolder();
  });

  it('exist during the work, for this user only, and are removed afterwards', async () => {
    const path = await createTemporaryFolders(parent).during(async (folder) => {
      expectForUserOnly(folder);
      writeFileSync(join(folder, 'wallet.dat'), 'keys');
      return folder;
    });
    expect(path.startsWith(parent)).toBe(true);
    expect(readdirSync(parent)).toEqual([]);
  });

  it('are removed after work that fails', async () => {
    const failing = createTemporaryFolders(parent).during(async (folder) => {
      writeFileSync(join(folder, 'wallet.dat'), 'keys');
      throw new Error('failed');
    });
    await expect(failing).rejects.toThrow(new Error('failed'));
    expect(readdirSync(parent)).toEqual([]);
  });

  it('create their parent, for this user only', async () => {
    const below = join(parent, 'reading');
    await createTemporaryFolders(below).during(async () => undefined);
    expectForUserOnly(below);
  });

  it('are removed at once when the app closes', async () => {
    const folders = createTemporaryFolders(parent);
    await folders.during(async (folder) => {
      folders.close();
      expect(existsSync(folder)).toBe(false);
    });
  });

  // SECURITY.md: What the app cannot stop
  it('keeps folders until the app closes if asked', async () => {
    const folders = createTemporaryFolders(parent);
    const folder = await folders.keep();
    await folders.during(async () => undefined);
    expectForUserOnly(folder);
    writeFileSync(join(folder, 'pasted.txt'), 'keys');
    folders.close();
    expect(readdirSync(parent)).toEqual([]);
  });

  // SECURITY.md: Another user who can write to a folder
  it('removes folders of a killed app, whatever process has its number now, and nothing else', async () => {
    const ended = spawnSync(process.execPath, ['-e', '']).pid;
    const theirs = join(parent, 'theirs');
    mkdirSync(theirs);
    writeFileSync(join(theirs, 'kept'), '');
    leave(`wallet-in-use-${ended}-Ab3dEf`);
    // The number of this process, as an app in a container has it each time.
    leave(`wallet-in-use-${process.pid}-Ab3dEf`);
    // Those that other programs have by now.
    leave(`wallet-in-use-${process.ppid}-living`);
    leave('wallet-in-use-1-system');
    leave(`wallet-in-use-${ended}`);
    const links = CAN_LINK ? [`wallet-in-use-${ended}-linked`] : [];
    for (const link of links) symlinkSync(theirs, join(parent, link));
    await createTemporaryFolders(parent).during(async () => undefined);
    expect(readdirSync(parent).sort()).toEqual(['theirs', `wallet-in-use-${ended}`, ...links].sort());
    expect(readFileSync(join(theirs, 'kept'), 'utf8')).toBe('');
  });

  it('keeps the folders of this process', async () => {
    await createTemporaryFolders(parent).during(async (folder) => {
      await createTemporaryFolders(parent).during(async () => undefined);
      expect(existsSync(folder)).toBe(true);
    });
  });

  /** On Windows, the folder above is the user's own. */
  function expectForUserOnly(folder: string): void {
    if (HAS_MODES) expect(statSync(folder).mode & 0o777).toBe(0o700);
  }

  function leave(name: string): void {
    mkdirSync(join(parent, name));
    writeFileSync(join(parent, name, 'wallet.dat'), 'keys');
  }
});
