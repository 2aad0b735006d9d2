import fs from 'node:fs';
import type * as Promises from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { hashesBelow } from '../../../e2e/app/filesBelow.ts';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import { sha256Of } from '../../files/hash.ts';
import type { CheckpointOf } from '../plan/checkpoint.ts';
import { createBench } from '../testing/bench.ts';
import { placeWallet } from './placedWallet.ts';
import { removePlacedCopy } from './removePlacedCopy.ts';

/** Does something right before one of the app’s steps in the wallets folder, from the creation of the new folder on. */
const { swapper } = vi.hoisted(() => ({
  swapper: { at: Number.POSITIVE_INFINITY, steps: 0, wallets: '', isArmed: false, swap: () => {} },
}));

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof Promises>();
  const STEPS = 'mkdir open link unlink rename rm rmdir readdir stat lstat'.split(' ');
  const turned = STEPS.map((step) => {
    const call = real[step as 'open'] as (...args: unknown[]) => Promise<unknown>;
    return [
      step,
      (...args: unknown[]) => {
        const path = String(args[0]);
        const isInWallets = path.startsWith(swapper.wallets) || path.startsWith('/proc/self/fd/');
        if (step === 'mkdir' && isInWallets) swapper.isArmed = true;
        if (swapper.isArmed && isInWallets) {
          swapper.steps += 1;
          if (swapper.steps === swapper.at) swapper.swap();
        }
        return call(...args);
      },
    ];
  });
  const all = { ...real, ...Object.fromEntries(turned) };
  return { ...all, default: all };
});

/** How another user replaces what the app works with by something of their own. */
const SWAPS = {
  'the new folder for a link': (wallets: string, outside: string) => {
    if (!fs.existsSync(join(wallets, 'back'))) return;
    fs.renameSync(join(wallets, 'back'), join(wallets, '.moved'));
    fs.symlinkSync(outside, join(wallets, 'back'));
  },
  'the wallets folder for a link': (wallets: string, outside: string) => {
    fs.renameSync(wallets, `${wallets}.moved`);
    fs.symlinkSync(outside, wallets);
  },
  'the wallet’s file for a link': (wallets: string, outside: string) => {
    const file = join(wallets, 'back', 'wallet.dat');
    if (!fs.existsSync(join(wallets, 'back'))) return;
    fs.rmSync(file, { force: true });
    fs.symlinkSync(join(outside, 'wallet.dat'), file);
  },
  'the new folder for another one': (wallets: string, outside: string) => {
    if (!fs.existsSync(join(wallets, 'back'))) return;
    fs.renameSync(join(wallets, 'back'), join(wallets, '.moved'));
    fs.cpSync(outside, join(wallets, 'back'), { recursive: true });
  },
};

/** More steps than the app needs to place a copy and take it back. The rounds end when no step was left to swap at. */
const MAX_STEPS = 120;

// SECURITY.md: Another user who can write to a folder
it.skipIf(process.platform !== 'linux').each(Object.entries(SWAPS))(
  'changes nothing outside while it places and removes a copy, whenever somebody swaps %s',
  async (_, swap) => {
    const bench = await createBench();
    bench.node.handlers.listwallets = () => [];
    let swapped = true;
    let rounds = 0;
    for (let at = 1; swapped && at <= MAX_STEPS; at++) {
      swapped = await round(bench, at, swap);
      rounds += 1;
    }
    expect(rounds).toBeGreaterThan(25);
    expect(swapped, 'there are more steps than this test knows').toBe(false);
  },
);

const source = fixtureFile('legacy-imported');
const sha256 = sha256Of(fs.readFileSync(source));

/** Places a copy and takes it back, with the swap before one step. False if there are fewer steps than that. */
async function round(
  { session, folder }: Awaited<ReturnType<typeof createBench>>,
  at: number,
  swap: (wallets: string, outside: string) => void,
): Promise<boolean> {
  const [wallets, outside] = [join(folder, `wallets ${at}`), join(folder, `outside ${at}`)];
  for (const place of [join(wallets, 'other'), outside, join(outside, 'back')]) {
    fs.mkdirSync(place, { recursive: true });
    fs.copyFileSync(fixtureFile('descriptor-hd'), join(place, 'wallet.dat'));
  }
  const before = hashesBelow(outside);
  Object.assign(swapper, { at, steps: 0, isArmed: false, wallets, swap: () => swap(wallets, outside) });
  const checkpoint: CheckpointOf<'restore-migrate'> = {
    kind: 'restore-migrate',
    name: 'back',
    loadedBefore: [],
    gavePassphrase: false,
    encrypted: false,
    fileForProof: source,
    balanceBefore: null,
    backupFile: source,
    placed: null,
  };
  const call = await placeWallet({
    from: source,
    sha256,
    walletsFolder: wallets,
    name: 'back',
    signal: new AbortController().signal,
    save(placed) {
      checkpoint.placed = placed;
    },
  }).then(
    () => 'refused' as const,
    () => 'not-sent' as const,
  );
  await removePlacedCopy(checkpoint, session, call);
  swapper.isArmed = false;
  expect(hashesBelow(outside), `at step ${at}`).toEqual(before);
  const copied = join(wallets, 'back', 'wallet.dat');
  // The app must not remove a file that somebody else put there.
  if (fs.existsSync(copied) && !fs.lstatSync(copied).isSymbolicLink()) {
    expect(hashesBelow(join(wallets, 'back'))['wallet.dat'], `at step ${at}`).toBe(before['wallet.dat']);
  }
  return swapper.steps >= at;
}
