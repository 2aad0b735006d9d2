/** Checks whether the disks have enough space for what a job writes. */
import type { Check } from '../../../shared/model/safety.ts';
import { listed } from '../../../shared/wording/format/perRegion.ts';
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
  const full = disks.flatMap(({ place, needed, free }) =>
    free !== null && free < needed
      ? [
          say('{place}: {needed} needed, {free} free.', {
            place,
            needed: megabytes(needed),
            free: megabytes(free),
          }),
        ]
      : [],
  );
  if (full.length > 0) {
    return blocker('space', say('Not enough space'), { text: full, todo: [say('Make room and try again.')] });
  }
  if (space === null || disks.some(({ free }) => free === null)) {
    return warning('space', say('Unknown free space'), { todo: [say('Check free space.')] });
  }
  return fine('space', say('Enough free space'));
}

function disksOf({ size, beside, free, freeForCopies, oneDisk }: Space, { there, appCopies }: DiskUse) {
  const inFolder = there * size + MARGIN;
  const inApp = size + beside;
  const folder = say('Wallets folder');
  const copies = say('App’s copies');
  if (!appCopies) return [{ needed: inFolder, free, place: folder }];
  if (oneDisk) return [{ needed: inFolder + inApp, free, place: listed([folder, copies]) }];
  return [
    { needed: inFolder, free, place: folder },
    { needed: inApp + MARGIN, free: freeForCopies, place: copies },
  ];
}

const MARGIN = 16 * 1024 * 1024;

function megabytes(bytes: number): string {
  return say('{megabytes, number} MB', { megabytes: Math.ceil(bytes / 1_000_000) });
}
