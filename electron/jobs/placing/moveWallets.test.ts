import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { filesBelow, hashesBelow } from '../../../e2e/app/filesBelow.ts';
import { fixtureFile, sha256 } from '../../../e2e/testNode/walletFixture.ts';
import { canLockAsNode, lockAsNode } from '../../files/testing/lockAsNode.ts';
import { ON_WINDOWS } from '../../files/testing/system.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import type { Checkpoint, MovedPath } from '../plan/checkpoint.ts';
import { createBench } from '../testing/bench.ts';
import { moveBack, moveWallets } from './moveWallets.ts';

let wallets: string;
/** Another user’s wallets. */
let outside: string;
beforeEach(() => {
  outside = makeTestFolder();
  mkdirSync(join(outside, 'big'));
  cpSync(fixtureFile('legacy-hd'), join(outside, 'big', 'wallet.dat'));
  const folder = makeTestFolder();
  wallets = join(folder, 'wallets');
  mkdirSync(wallets);
  mkdirSync(join(wallets, 'big'));
  cpSync(fixtureFile('descriptor-hd'), join(wallets, 'big', 'wallet.dat'));
});

it.each([
  ['big/inside', 'file_unreadable'],
  // Windows finds nothing at a path that is too long.
  ['n'.repeat(256), ON_WINDOWS ? 'folder_missing' : 'bad_input'],
])('throws an AppError if the system refuses to move a wallet', async (newName, code) => {
  const moving = moveWallets(wallets, [{ name: 'big', newName }], () => {});
  await expect(moving).rejects.toMatchObject({ name: 'AppError', code });
  expect(readdirSync(join(wallets, 'big'))).toEqual(['wallet.dat']);
});

// Moving a folder to an empty one, or to a file, would replace it.
it.each([
  ['an empty folder', (path: string) => mkdirSync(path)],
  ['a wallet', (path: string) => cpSync(join(wallets, 'big'), path, { recursive: true })],
  ['a file', (path: string) => writeFileSync(path, 'theirs')],
])('moves no wallet onto %s', async (_, put) => {
  put(join(wallets, 'taken'));
  const before = filesBelow(wallets);
  const moving = moveWallets(wallets, [{ name: 'big', newName: 'taken' }], () => {});
  await expect(moving).rejects.toMatchObject({ name: 'AppError', code: 'name_taken' });
  expect(filesBelow(wallets)).toEqual(before);
  expect(readdirSync(wallets)).toEqual(['big', 'taken']);
});

it('moves the folder that a killed migration left without a wallet, and back', async () => {
  mkdirSync(join(wallets, 'left'));
  writeFileSync(join(wallets, 'left', 'wallet.dat-journal'), 'a journal');
  let steps: readonly MovedPath[] = [];
  await moveWallets(wallets, [{ name: 'left', newName: 'aside' }], (moved) => {
    steps = moved;
  });
  expect(readdirSync(join(wallets, 'aside'))).toEqual(['wallet.dat-journal']);
  expect(readdirSync(wallets)).toEqual(['aside', 'big']);
  await moveBack(checkpointOf(steps), null);
  expect(readdirSync(wallets)).toEqual(['big', 'left']);
  const moving = moveWallets(wallets, [{ name: 'gone', newName: 'aside' }], () => {});
  await expect(moving).rejects.toMatchObject({ code: 'file_changed' });
});

it.runIf(canLockAsNode)('moves no bare legacy wallet that a node may have open', async () => {
  cpSync(fixtureFile('legacy-hd'), join(wallets, 'bare'));
  // Berkeley DB locks only the folder.
  await lockAsNode(join(wallets, '.walletlock'));
  const moving = moveWallets(wallets, [{ name: 'bare', newName: 'aside' }], () => {});
  await expect(moving).rejects.toMatchObject({ code: 'file_changed' });
});

it.skipIf(process.platform === 'win32')('moves a link to such a folder, and back', async () => {
  const elsewhere = join(wallets, '..', 'other disk');
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, join(wallets, 'left'));
  let steps: readonly MovedPath[] = [];
  await moveWallets(wallets, [{ name: 'left', newName: 'aside' }], (moved) => {
    steps = moved;
  });
  expect(readlinkSync(join(wallets, 'aside'))).toBe(elsewhere);
  await moveBack(checkpointOf(steps), null);
  expect(readlinkSync(join(wallets, 'left'))).toBe(elsewhere);
});

it('keeps what cannot go back yet, and moves it back later', async () => {
  let steps: readonly MovedPath[] = [];
  await moveWallets(wallets, [{ name: 'big', newName: 'aside' }], (moved) => {
    steps = moved;
  });
  const checkpoint = checkpointOf(steps);
  const left = { path: join(wallets, 'aside'), why: 'not-moved-back' };
  // The disk is not mounted yet.
  renameSync(wallets, `${wallets}.away`);
  expect(await moveBack(checkpoint, null)).toEqual(left);
  mkdirSync(wallets);
  expect(await moveBack(checkpoint, null)).toEqual(left);
  rmSync(wallets, { recursive: true });
  renameSync(`${wallets}.away`, wallets);
  // The user has loaded it meanwhile.
  const { node, session } = await createBench();
  node.handlers.listwallets = () => ['aside'];
  expect(await moveBack(checkpoint, session)).toEqual(left);
  if (canLockAsNode) {
    const release = await lockAsNode(join(wallets, 'aside', 'wallet.dat'));
    expect(await moveBack(checkpoint, null)).toEqual(left);
    await release();
  }
  // The node left something at the wallet's place.
  mkdirSync(join(wallets, 'big', 'database'), { recursive: true });
  expect(await moveBack(checkpoint, null)).toEqual(left);
  rmSync(join(wallets, 'big', 'database'), { recursive: true });
  expect(await moveBack(checkpoint, null)).toBeNull();
  expect(checkpoint).toMatchObject({ moves: undefined });
  expect(readdirSync(wallets)).toEqual(['big']);
});

/** Swaps what is at the path for a link, as another user would right before it is moved. */
function swapForLink(path: string, target: string): void {
  renameSync(path, `${path}.moved`);
  symlinkSync(target, path);
}

/** The files' hashes, wherever in the folder they are. */
const hashesIn = (folder: string) =>
  filesBelow(folder)
    .map((path) => sha256(readFileSync(path)))
    .sort();

const checkpointOf = (moves: readonly MovedPath[]): Checkpoint => ({
  kind: 'restore',
  name: 'big',
  backupFile: '/b',
  moves: [...moves],
});

// SECURITY.md: Another user who can write to a folder
describe.skipIf(process.platform === 'win32')('while another user replaces paths by links', () => {
  beforeEach(() => cpSync(join(wallets, 'big', 'wallet.dat'), join(wallets, 'wallet.dat')));

  // The link's path is below the wallets folder, its target is below the other user's.
  it.each([
    ['big', 'the wallet', 'big', 'big'],
    ['big', 'the wallets folder', '', ''],
    ['', 'the wallet file', 'wallet.dat', 'big/wallet.dat'],
    ['', 'the wallets folder', '', ''],
    ['', 'the new folder', 'aside', 'empty'],
  ])('moves nothing but the wallet “%s”: %s', async (name, _, link, target) => {
    mkdirSync(join(outside, 'empty'));
    const state = () => [hashesBelow(outside), hashesIn(dirname(wallets))];
    const before = state();
    let steps: readonly MovedPath[] = [];
    const moving = moveWallets(wallets, [{ name, newName: 'aside' }], (moved) => {
      steps = moved;
      swapForLink(join(wallets, link), join(outside, target));
    });
    await expect(moving).rejects.toMatchObject({ code: 'file_changed' });
    const linkTarget = () => readlinkSync(join(wallets, link));
    expect([linkTarget(), ...state()]).toEqual([join(outside, target), ...before]);
    await moveBack(checkpointOf(steps), null);
    expect([linkTarget(), ...state()]).toEqual([join(outside, target), ...before]);
  });

  it.each([
    ['big', 'the wallet', 'aside', 'aside'],
    ['big', 'the wallets folder', '', ''],
    ['', 'the wallet file', 'aside/wallet.dat', 'aside/wallet.dat'],
    ['', 'the wallets folder', '', ''],
    ['', 'the new folder', 'aside', 'aside'],
  ])('moves nothing back but the wallet “%s”: %s', async (name, _, link, target) => {
    // The place that the wallet comes from is free there, too.
    renameSync(join(outside, 'big'), join(outside, 'aside'));
    const before = [hashesBelow(outside), hashesIn(dirname(wallets))];
    let steps: readonly MovedPath[] = [];
    await moveWallets(wallets, [{ name, newName: 'aside' }], (moved) => {
      steps = moved;
    });
    swapForLink(join(wallets, link), join(outside, target));
    await moveBack(checkpointOf(steps), null);
    expect(readlinkSync(join(wallets, link))).toBe(join(outside, target));
    expect([hashesBelow(outside), hashesIn(dirname(wallets))]).toEqual(before);
  });
});
