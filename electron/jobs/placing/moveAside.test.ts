import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashesBelow } from '../../../e2e/app/hashesBelow.ts';
import { fixtureFile, sha256 } from '../../../e2e/testNode/walletFixture.ts';
import type { Checkpoint, MovedPath } from '../plan/checkpoint.ts';
import { moveAside, moveBack } from './moveAside.ts';

let wallets: string;
/** Somebody else’s wallets. */
let outside: string;
beforeEach(() => {
  outside = realpathSync(mkdtempSync(join(tmpdir(), 'outside-')));
  mkdirSync(join(outside, 'big'));
  cpSync(fixtureFile('legacy-hd'), join(outside, 'big', 'wallet.dat'));
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'aside-')));
  wallets = join(folder, 'wallets');
  mkdirSync(wallets);
  mkdirSync(join(wallets, 'big'));
  cpSync(fixtureFile('descriptor-hd'), join(wallets, 'big', 'wallet.dat'));
});
afterEach(() => {
  rmSync(dirname(wallets), { recursive: true });
  rmSync(outside, { recursive: true });
});

it.each([
  ['big/inside', 'file_unreadable'],
  ['n'.repeat(256), 'bad_input'],
])('says in the app’s words that the system refuses to move a wallet', async (newName, code) => {
  const moving = moveAside(wallets, [{ name: 'big', newName }], () => {});
  await expect(moving).rejects.toMatchObject({ name: 'AppError', code });
  expect(readdirSync(join(wallets, 'big'))).toEqual(['wallet.dat']);
});

/** What somebody puts in the place of what was looked at, right before it is moved. */
const SWAPS = {
  'the wallet for a link': (name: string) => swapFor(join(wallets, name), join(outside, name)),
  'the wallets folder for a link': () => swapFor(wallets, outside),
  'the new folder for a link': () => {
    const created = join(wallets, 'aside');
    if (existsSync(created)) swapFor(created, outside);
  },
};

function swapFor(path: string, target: string): void {
  renameSync(path, `${path}.moved`);
  symlinkSync(target, path);
}

/** Of all files, wherever they lie by now. */
const hashesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => sha256(readFileSync(join(one.parentPath, one.name))))
    .sort();

const checkpointOf = (moves: readonly MovedPath[]): Checkpoint => ({
  kind: 'restore',
  name: 'big',
  backupFile: '/b',
  moves: [...moves],
});

// SECURITY.md: Another user of this computer
describe.skipIf(process.platform === 'win32').each(['big', 'wallet.dat'])(
  'what is swapped while “%s” moves',
  (path) => {
    const name = path === 'big' ? path : '';

    it.each(Object.entries(SWAPS))('changes nothing elsewhere: %s', async (_, swap) => {
      cpSync(join(wallets, 'big', 'wallet.dat'), join(wallets, 'wallet.dat'));
      const before = hashesBelow(outside);
      const kept = hashesOf(dirname(wallets));
      let steps: readonly MovedPath[] = [];
      await moveAside(wallets, [{ name, newName: 'aside' }], (moved) => {
        steps = moved;
        swap(path);
      }).catch((error) => expect(error).toMatchObject({ code: 'file_changed' }));
      expect(hashesBelow(outside)).toEqual(before);
      await moveBack(checkpointOf(steps));
      expect(hashesBelow(outside)).toEqual(before);
      expect(hashesOf(dirname(wallets))).toEqual(expect.arrayContaining(kept));
    });

    it.each(Object.entries(SWAPS))('changes nothing elsewhere on the way back: %s', async (_, swap) => {
      cpSync(join(wallets, 'big', 'wallet.dat'), join(wallets, 'wallet.dat'));
      const before = hashesBelow(outside);
      let steps: readonly MovedPath[] = [];
      await moveAside(wallets, [{ name, newName: 'aside' }], (moved) => {
        steps = moved;
      });
      const isThere = existsSync(join(wallets, path));
      if (isThere || swap !== SWAPS['the wallet for a link']) swap(path);
      await moveBack(checkpointOf(steps));
      expect(hashesBelow(outside)).toEqual(before);
    });
  },
);
