/** Checks whether the disks have enough space for what a job writes. */
import type { Check } from '../../../shared/model/safety.ts';
import { say } from '../../../shared/wording/say.ts';
import { blocker, fine, type Space, warning } from './checkFacts.ts';

/** What a job writes. Each copy is about as large as the wallet's file. */
interface DiskUse {
  /** Copies in the wallets folder. */
  readonly there: number;
  /** Whether the app copies the wallet, and the other wallets at risk, into its own folder. */
  readonly appCopies: boolean;
}

/** The legacy backup and the new wallet. */
export const BY_MIGRATION: DiskUse = { there: 2, appCopies: true };
/** What a migration writes, and the copy that the app places for it. */
export const BY_RESTORE_AND_MIGRATION: DiskUse = { there: 3, appCopies: true };
export const BY_RESTORE: DiskUse = { there: 1, appCopies: false };
/** The same, from a file that the app repairs. */
export const BY_REPAIRED: DiskUse = { there: 1, appCopies: true };

/** Checks each disk on its own, or both together if they are one. */
export function checkSpace(space: Space | null, use: DiskUse): Check {
  const disks = space === null ? [] : disksOf(space, use);
  const full = disks.flatMap(({ text, needed, free }) =>
    free !== null && free < needed ? [text({ needed: megabytes(needed), free: megabytes(free) })] : [],
  );
  if (full.length > 0) {
    return blocker('space', say('Not enough space'), {
      text: full,
      todo: [say('Make room, then check again.')],
    });
  }
  if (space === null || disks.some(({ free }) => free === null)) {
    return warning('space', say('The free space is not known'), {
      todo: [say('Make sure that the disk is not full.')],
    });
  }
  return fine('space', say('Enough free space'));
}

type Sizes = Record<'needed' | 'free', string>;

function disksOf({ size, beside, free, freeForCopies, oneDisk }: Space, { there, appCopies }: DiskUse) {
  const inFolder = there * size + MARGIN;
  const inApp = size + beside;
  const ofFolder = (sizes: Sizes) => say('Wallets folder: {needed} needed, {free} free.', sizes);
  const ofCopies = (sizes: Sizes) => say('App’s copies: {needed} needed, {free} free.', sizes);
  const ofBoth = (sizes: Sizes) =>
    say('Wallets folder and app’s copies: {needed} needed, {free} free.', sizes);
  if (!appCopies) return [{ needed: inFolder, free, text: ofFolder }];
  if (oneDisk) return [{ needed: inFolder + inApp, free, text: ofBoth }];
  return [
    { needed: inFolder, free, text: ofFolder },
    { needed: inApp + MARGIN, free: freeForCopies, text: ofCopies },
  ];
}

const MARGIN = 16 * 1024 * 1024;

function megabytes(bytes: number): string {
  return say('{megabytes, number} MB', { megabytes: Math.ceil(bytes / 1_000_000) });
}
