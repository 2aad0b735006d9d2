import fs from 'node:fs';
import type * as Promises from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { hashesBelow } from '../../../e2e/app/filesBelow.ts';
import { rpc } from '../../../e2e/testNode/told.ts';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import { releaseOf } from '../../bitcoind/rpc/release.ts';
import { createBench } from '../testing/bench.ts';

/**
 * What somebody does right before one of the app’s steps in the wallets folder, once the new folder is about to be made.
 * Steps elsewhere are not counted: how often the node’s log is looked at depends on how busy the machine is.
 */
const { swapper } = vi.hoisted(() => ({
  swapper: { at: Number.POSITIVE_INFINITY, steps: 0, wallets: '', isArmed: false, swap: () => {} },
}));

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof Promises>();
  const STEPS = [
    'mkdir',
    'open',
    'link',
    'unlink',
    'rename',
    'rm',
    'rmdir',
    'readdir',
    'stat',
    'lstat',
  ] as const;
  const turned = STEPS.map((step) => {
    const call = real[step] as (...given: unknown[]) => Promise<unknown>;
    return [
      step,
      (...given: unknown[]) => {
        const path = String(given[0]);
        const isInWallets = path.startsWith(swapper.wallets) || path.startsWith('/proc/self/fd/');
        if (step === 'mkdir' && isInWallets) swapper.isArmed = true;
        if (swapper.isArmed && isInWallets) {
          swapper.steps += 1;
          if (swapper.steps === swapper.at) swapper.swap();
        }
        return call(...given);
      },
    ];
  });
  const all = { ...real, ...Object.fromEntries(turned) };
  return { ...all, default: all };
});

/** Somebody else’s wallet, and what somebody puts in the place of what the app works with. */
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

/** Of a placing and a take-back; with more steps nothing is swapped, which ends the rounds of one kind. */
const MOST_STEPS = 120;

// SECURITY.md: Another user of this computer
it.skipIf(process.platform !== 'linux').each(Object.entries(SWAPS))(
  'nothing outside is changed by a copy that is placed and taken back, whenever somebody swaps %s',
  async (_, swap) => {
    let swapped = true;
    let rounds = 0;
    for (let at = 1; swapped && at <= MOST_STEPS; at++) {
      swapped = await round(at, swap);
      rounds += 1;
    }
    expect(rounds).toBeGreaterThan(25);
    expect(swapped, 'there are more steps than this test knows').toBe(false);
  },
);

/** False where the app has fewer steps than that. */
async function round(at: number, swap: (wallets: string, outside: string) => void): Promise<boolean> {
  Object.assign(swapper, { at: Number.POSITIVE_INFINITY, steps: 0, isArmed: false });
  const { node, folder, session, jobs, restore, ended } = await createBench({
    release: releaseOf(310_000),
  });
  const wallets = join(folder, 'wallets');
  const outside = join(folder, 'outside');
  for (const place of [join(wallets, 'other'), outside, join(outside, 'back')]) {
    fs.mkdirSync(place, { recursive: true });
    fs.copyFileSync(fixtureFile('descriptor-hd'), join(place, 'wallet.dat'));
  }
  const before = hashesBelow(outside);
  Object.assign(session.status, { walletsFolder: wallets });
  node.handlers.listwalletdir = () => ({ wallets: [{ name: 'other' }] });
  node.handlers.migratewallet = () => {
    throw rpc(-4, 'Error: no');
  };
  swapper.wallets = wallets;
  swapper.at = at;
  swapper.swap = () => swap(wallets, outside);
  await restore({ name: 'back', backupFile: fixtureFile('legacy-imported') });
  expect(await ended()).toMatchObject({ state: 'failed' });
  swapper.isArmed = false;
  expect(hashesBelow(outside), `at step ${at}`).toEqual(before);
  const copied = join(wallets, 'back', 'wallet.dat');
  // What somebody put there themselves is no copy of the app’s to remove.
  if (fs.existsSync(copied) && !fs.lstatSync(copied).isSymbolicLink()) {
    expect(hashesBelow(join(wallets, 'back'))['wallet.dat'], `at step ${at}`).toBe(before['wallet.dat']);
  }
  jobs.close();
  return swapper.steps >= at;
}
